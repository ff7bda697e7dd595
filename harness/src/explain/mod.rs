//! Explains instructions and state structures field by field, in the form that `explain`, traces, reports of disagreements and fuzz
//! inputs all print.
//!
//! An [`Explained`] is plain data: [`std::fmt::Display`] renders it as text, serde as JSON.

pub mod descriptor;
pub mod dwords;
pub(crate) mod instructions;
mod nv;
pub mod record;
mod rows;
mod sampler;
mod structure;
mod surface;
mod units;

pub use nv::{texture_header, texture_sampler};
pub use structure::{StateKind, state};

use serde::{Deserialize, Serialize};
use std::fmt;
use texwire::rules::{Rule, Violations};

/// One structure or instruction, field by field.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Explained {
    /// What it is: `RENDER_SURFACE_STATE`, `send`.
    pub what: String,
    /// Its contents in one line.
    pub summary: String,
    /// Its raw words, in hex.
    pub raw: Vec<String>,
    /// Every field, including those that are 0, in order of position.
    pub fields: Vec<FieldLine>,
    /// The rules it breaks.
    pub broken: Vec<BrokenRule>,
    /// Further remarks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// One field.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FieldLine {
    /// Its position: `dw2 29:16`, or bits of an instruction.
    pub bits: String,
    /// Its name in the manual.
    pub name: String,
    /// Its raw value.
    pub raw: u64,
    /// The decoded value, with its unit.
    pub value: String,
    /// What the value means.
    pub meaning: String,
    /// The broken rules that are about this field.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub breaks: Vec<String>,
}

/// A rule that is broken.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BrokenRule {
    /// Its name.
    pub rule: String,
    /// What it requires.
    pub text: String,
    /// The fields that it is about.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<String>,
}

impl FieldLine {
    /// A field without broken rules.
    pub fn new(bits: &str, name: &str, raw: u64, value: &str, meaning: &str) -> Self {
        Self {
            bits: bits.to_owned(),
            name: name.to_owned(),
            raw,
            value: value.to_owned(),
            meaning: meaning.to_owned(),
            breaks: Vec::new(),
        }
    }
}

impl Explained {
    /// A structure without fields yet.
    pub fn new(what: &str, summary: String) -> Self {
        Self { what: what.to_owned(), summary, ..Self::default() }
    }

    /// Adds a broken rule, and marks the fields that it is about.
    pub fn breaks(&mut self, rule: &str, text: &str, fields: &[&str]) {
        for line in &mut self.fields {
            if fields.contains(&line.name.as_str()) {
                line.breaks.push(rule.to_owned());
            }
        }
        self.broken.push(BrokenRule {
            rule: rule.to_owned(),
            text: text.to_owned(),
            fields: fields.iter().map(|&name| name.to_owned()).collect(),
        });
    }

    /// Adds the rules that are broken, with the fields that `rules` names for each.
    pub(crate) fn judge<R: Rule>(&mut self, broken: Violations<R>, rules: &[(&str, &[&str])]) {
        for rule in broken {
            self.breaks(rule.name(), rule.text(), fields_of(rules, rule.name()));
        }
    }

    /// Returns name and value of a field: `Surface Pitch 500 bytes`. `None`: there is no such field.
    fn value_of(&self, name: &str) -> Option<String> {
        let line = self.fields.iter().find(|line| line.name == name)?;
        Some(format!("{} {}", line.name, line.value))
    }

    fn columns(&self) -> [usize; 4] {
        let widest = |text: fn(&FieldLine) -> usize| self.fields.iter().map(text).max().unwrap_or(0);
        [
            widest(|line| line.bits.len()),
            widest(|line| line.name.len()),
            widest(|line| format!("{:#x}", line.raw).len()),
            widest(|line| line.value.chars().count()).min(28),
        ]
    }
}

/// The styles on a terminal; `anstream` strips them from other outputs.
const TITLE: anstyle::Style = anstyle::Style::new().bold();
const BAD: anstyle::Style = anstyle::AnsiColor::Red.on_default().bold();
const DIM: anstyle::Style = anstyle::Style::new().dimmed();

/// Writes a title, a line for each field, each broken rule and each note; `{:#}` adds escape sequences for colours.
impl fmt::Display for Explained {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let colour = f.alternate();
        let on = |style: anstyle::Style| if colour { style.render().to_string() } else { String::new() };
        let off = |style: anstyle::Style| {
            if colour { style.render_reset().to_string() } else { String::new() }
        };
        writeln!(f, "{}{}{}: {}", on(TITLE), self.what, off(TITLE), self.summary)?;
        let [bits, name, raw, value] = self.columns();
        for line in &self.fields {
            let mark = if line.breaks.is_empty() { ' ' } else { '!' };
            let unset = line.raw == 0 && line.breaks.is_empty();
            let style = match (line.breaks.is_empty(), unset) {
                (false, _) => BAD,
                (true, true) => DIM,
                (true, false) => anstyle::Style::new(),
            };
            let text = format!(
                "{mark} {:bits$}  {:name$}  {:<raw$}  {:value$}  {}",
                line.bits,
                line.name,
                format!("{:#x}", line.raw),
                line.value,
                line.meaning
            );
            writeln!(f, "{}{}{}", on(style), text.trim_end(), off(style))?;
        }
        for rule in &self.broken {
            let values: Vec<String> = rule.fields.iter().filter_map(|name| self.value_of(name)).collect();
            let here =
                if values.is_empty() { String::new() } else { format!(" Here: {}.", values.join(", ")) };
            writeln!(f, "{}violates {}{}: {}{here}", on(BAD), rule.rule, off(BAD), rule.text)?;
        }
        for note in &self.notes {
            writeln!(f, "note: {note}")?;
        }
        Ok(())
    }
}

/// Returns the fields that `rules` names for a rule; none if it does not have the rule.
pub(crate) fn fields_of<'a>(rules: &'a [(&str, &'a [&'a str])], rule: &str) -> &'a [&'a str] {
    rules.iter().find(|(name, _)| *name == rule).map_or(&[], |(_, fields)| fields)
}

/// Returns the dwords of a structure; those that are missing are 0.
fn padded<const N: usize>(dwords: &[u32]) -> [u32; N] {
    std::array::from_fn(|at| dwords.get(at).copied().unwrap_or(0))
}

/// Returns dwords in hex.
fn in_hex(dwords: &[u32]) -> Vec<String> {
    dwords.iter().map(|dword| format!("{dword:#010x}")).collect()
}

/// Returns a variant's name in `SCREAMING_SNAKE` case: `ClampBorder` becomes `CLAMP_BORDER`, `D2` becomes `2D`.
fn shouted(name: &str) -> String {
    if let Some(digit) =
        name.strip_prefix('D').filter(|rest| rest.chars().all(|c| c.is_ascii_digit()) && rest.len() == 1)
    {
        return format!("{digit}D");
    }
    let mut text = String::new();
    let mut last = '_';
    for c in name.chars() {
        let digit = c.is_ascii_digit() && text != "DX";
        if last.is_ascii_lowercase() && (c.is_ascii_uppercase() || digit) {
            text.push('_');
        }
        text.push(c.to_ascii_uppercase());
        last = c;
    }
    text
}

#[cfg(test)]
mod tests;
