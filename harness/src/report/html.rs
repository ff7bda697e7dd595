//! Renders a [`Page`] as one HTML file.

use super::{BarRow, BarTable, Figure, MessageCard, MessageVerdict, Page, StateCard, Table};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use std::collections::BTreeSet;
use std::fmt::{self, Write};

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// Text, escaped for use between tags and in quoted attributes.
struct Escaped<'a>(&'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for letter in self.0.chars() {
            match letter {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\'' => f.write_str("&#39;")?,
                // Characters that change the direction of the text around them, or that a browser does not show.
                '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => f.write_char('\u{fffd}')?,
                _ if letter.is_control() && letter != '\n' => f.write_char('\u{fffd}')?,
                _ => f.write_char(letter)?,
            }
        }
        Ok(())
    }
}

impl Page {
    /// Returns the whole file.
    pub fn html(&self) -> String {
        let mut out = String::new();
        // Writing to a string does not fail.
        let _ = self.write(&mut out);
        out
    }

    fn write(&self, out: &mut String) -> fmt::Result {
        let title = Escaped(&self.title);
        write!(
            out,
            "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
             <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\
             <title>{title}</title><style>{STYLE}</style></head><body>\n<header><h1>{title}</h1>"
        )?;
        for line in &self.summary {
            write!(out, "<p>{}</p>", Escaped(line))?;
        }
        out.push_str("<ul class=\"counts\">");
        for verdict in MessageVerdict::ALL {
            if let Some(count) = self.counts.get(&verdict) {
                write!(out, "<li class=\"{}\"><b>{count}</b> {}</li>", class(verdict), verdict.name())?;
            }
        }
        out.push_str("</ul>");
        let left_out = self.left_out();
        if !left_out.is_empty() {
            write!(out, "<p class=\"note\">Not shown: {}.</p>", Escaped(&left_out.join("; ")))?;
        }
        let agreement = if self.bars.is_empty() { "" } else { "<a href=\"#agreement\">Agreement</a> " };
        writeln!(
            out,
            "<nav>{agreement}<a href=\"#messages\">Messages</a> <a href=\"#surfaces\">Surfaces</a> <a href=\"#samplers\">Samplers</a></nav></header>",
        )?;
        self.agreement_section(out)?;
        self.messages_section(out)?;
        states(out, "surfaces", "Surfaces", &self.surfaces)?;
        states(out, "samplers", "Samplers", &self.samplers)?;
        writeln!(out, "<script>{SCRIPT}</script></body></html>")
    }

    fn agreement_section(&self, out: &mut String) -> fmt::Result {
        if self.bars.is_empty() && self.tables.is_empty() {
            return Ok(());
        }
        out.push_str(
            "<section id=\"agreement\"><h2>Agreement</h2><p class=\"note\">Lanes: <span class=\"key p0\"></span> equal within the \
             rounding of f32, <span class=\"key p1\"></span> within what a rule allows, <span class=\"key p2\"></span> undefined by a \
             rule, <span class=\"key p3\"></span> different.</p>",
        );
        for bars in &self.bars {
            bar_table(out, bars)?;
        }
        for (title, rows) in &self.tables {
            write!(out, "<h3>{}</h3>", Escaped(title))?;
            table(out, rows, "rules")?;
        }
        out.push_str("</section>\n");
        Ok(())
    }

    fn messages_section(&self, out: &mut String) -> fmt::Result {
        let cards = self.cards();
        out.push_str("<section id=\"messages\"><h2>Messages</h2><form class=\"filters\">");
        let values =
            |of: fn(&MessageCard) -> &str| cards.iter().map(|card| of(card)).collect::<BTreeSet<_>>();
        choice(out, "operation", &values(|card| &card.operation))?;
        choice(out, "format", &values(|card| &card.format))?;
        choice(out, "result", &values(|card| card.verdict.name()))?;
        write!(
            out,
            "<label>text <input name=\"text\" type=\"search\"></label><output>{0} of {0}</output></form>",
            cards.len()
        )?;
        for card in cards {
            message(out, card)?;
        }
        out.push_str("</section>\n");
        Ok(())
    }
}

fn bar_table(out: &mut String, bars: &BarTable) -> fmt::Result {
    let different: u64 = bars.rows.iter().map(|row| row.parts[3]).sum();
    let open = if different > 0 || bars.rows.len() <= 40 { " open" } else { "" };
    write!(
        out,
        "<details class=\"card\"{open}><summary><b>{}</b>: {} rows</summary><div class=\"scroll\"><table class=\"bars\"><thead><tr>",
        Escaped(&bars.title),
        bars.rows.len()
    )?;
    for cell in &bars.heading {
        write!(out, "<th>{}</th>", Escaped(cell))?;
    }
    out.push_str("</tr></thead><tbody>");
    bars.rows.iter().try_for_each(|row| bar_row(out, row))?;
    out.push_str("</tbody></table></div></details>");
    Ok(())
}

fn bar_row(out: &mut String, row: &BarRow) -> fmt::Result {
    let all = row.parts.iter().sum::<u64>().max(1) as f64;
    let marked = if row.parts[3] > 0 { " class=\"marked\"" } else { "" };
    let mut cells = row.cells.iter();
    let first = cells.next().map_or("", String::as_str);
    write!(out, "<tr{marked}><td>{}</td><td><div class=\"bar\">", Escaped(first))?;
    for (index, part) in row.parts.iter().enumerate().filter(|(_, part)| **part > 0) {
        // A part with few lanes is drawn wide enough to be seen.
        let width = (100.0 * *part as f64 / all).max(1.5);
        write!(out, "<i class=\"p{index}\" style=\"flex:{width:.2}\"></i>")?;
    }
    out.push_str("</div></td>");
    for cell in cells {
        write!(out, "<td>{}</td>", Escaped(cell))?;
    }
    match &row.worst {
        Some((Some(number), text)) => {
            write!(out, "<td><a href=\"#message-{number}\">{}</a></td>", Escaped(text))?;
        }
        Some((None, text)) => write!(out, "<td>{}</td>", Escaped(text))?,
        None => out.push_str("<td></td>"),
    }
    out.push_str("</tr>");
    Ok(())
}

/// Writes a list to choose from.
fn choice(out: &mut String, name: &str, values: &BTreeSet<&str>) -> fmt::Result {
    write!(out, "<label>{name} <select name=\"{name}\"><option value=\"\">all</option>")?;
    for value in values {
        write!(out, "<option>{}</option>", Escaped(value))?;
    }
    out.push_str("</select></label>");
    Ok(())
}

const fn class(verdict: MessageVerdict) -> &'static str {
    match verdict {
        MessageVerdict::Equal => "equal",
        MessageVerdict::Unrecorded => "unrecorded",
        MessageVerdict::Differs => "differs",
        MessageVerdict::Refused => "refused",
    }
}

fn message(out: &mut String, card: &MessageCard) -> fmt::Result {
    let open = if card.verdict == MessageVerdict::Differs { " open" } else { "" };
    write!(
        out,
        "<details class=\"card message\" id=\"message-{}\" data-operation=\"{}\" data-format=\"{}\" data-result=\"{}\"{open}>\
         <summary><span class=\"badge {}\">{}</span> <b>#{}</b> {}</summary><pre class=\"text\">{}</pre>",
        card.number,
        Escaped(&card.operation),
        Escaped(&card.format),
        card.verdict.name(),
        class(card.verdict),
        card.verdict.name(),
        card.number,
        Escaped(&card.title),
        Escaped(&card.text)
    )?;
    notes(out, &card.notes)?;
    if !card.states.is_empty() {
        out.push_str("<p>");
        for name in &card.states {
            write!(out, "<a href=\"#{}\">{}</a> ", Escaped(&name.replace(' ', "-")), Escaped(name))?;
        }
        out.push_str("</p>");
    }
    table(out, &card.lanes, "lanes")?;
    if let Some(footprint) = &card.footprint {
        figure(out, footprint, "footprint")?;
    }
    if !card.texels.is_empty() {
        write!(
            out,
            "<details><summary>Footprint as text</summary><pre>{}</pre></details>",
            Escaped(&card.texels.join("\n"))
        )?;
    }
    out.push_str("</details>\n");
    Ok(())
}

fn notes(out: &mut String, notes: &[String]) -> fmt::Result {
    for note in notes {
        write!(out, "<p class=\"note\">{}</p>", Escaped(note))?;
    }
    Ok(())
}

fn states(out: &mut String, id: &str, title: &str, cards: &[StateCard]) -> fmt::Result {
    write!(out, "<section id=\"{id}\"><h2>{title}</h2>")?;
    if cards.is_empty() {
        out.push_str("<p>None.</p>");
    }
    for card in cards {
        let plural = if card.messages == 1 { "message" } else { "messages" };
        write!(
            out,
            "<article class=\"card\" id=\"{}\"><h3>{}</h3><p>{}</p><p class=\"note\">{} {plural}</p>",
            Escaped(&card.name.replace(' ', "-")),
            Escaped(&card.name),
            Escaped(&card.summary),
            card.messages
        )?;
        if !card.images.is_empty() {
            out.push_str("<div class=\"pictures\">");
            for image in &card.images {
                figure(out, image, "level")?;
            }
            out.push_str("</div>");
        }
        notes(out, &card.notes)?;
        out.push_str("<details><summary>Every field</summary>");
        table(out, &card.fields, "fields")?;
        out.push_str("</details></article>\n");
    }
    out.push_str("</section>\n");
    Ok(())
}

fn table(out: &mut String, table: &Table, class: &str) -> fmt::Result {
    if table.rows.is_empty() {
        return Ok(());
    }
    write!(out, "<div class=\"scroll\"><table class=\"{class}\"><thead><tr>")?;
    for cell in &table.heading {
        write!(out, "<th>{}</th>", Escaped(cell))?;
    }
    out.push_str("</tr></thead><tbody>");
    for (marked, row) in &table.rows {
        out.push_str(if *marked { "<tr class=\"marked\">" } else { "<tr>" });
        for cell in row {
            write!(out, "<td>{}</td>", Escaped(cell))?;
        }
        out.push_str("</tr>");
    }
    out.push_str("</tbody></table></div>");
    Ok(())
}

fn figure(out: &mut String, image: &Figure, class: &str) -> fmt::Result {
    let [width, height] = image.size;
    // Small levels are shown enlarged, so that single texels can be seen.
    let shown = if class == "level" { width * (64 / width.max(height).max(1)).max(1) } else { width };
    write!(
        out,
        "<figure class=\"{class}\"><img alt=\"{0}\" width=\"{shown}\" src=\"data:image/png;base64,{1}\" loading=\"lazy\">\
         <figcaption>{0}</figcaption></figure>",
        Escaped(&image.caption),
        STANDARD.encode(&image.png),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped() {
        let hostile = "<script>\"&'\u{202e}\u{7}";
        assert_eq!(Escaped(hostile).to_string(), "&lt;script&gt;&quot;&amp;&#39;\u{fffd}\u{fffd}");
        let mut page = Page::new(hostile);
        page.summary.push(hostile.to_owned());
        let html = page.html();
        assert_eq!(html.matches("<script>").count(), 1, "only the page's own");
        assert_eq!(html.matches("&lt;script&gt;").count(), 3);
    }
}
