//! Splits listings into instructions: listings as `decode` prints them, and as Mesa's disassembler does.
//!
//! `decode` puts offsets, kernel headings and comments around an instruction. Mesa spells the sends of Gen9 to Gen12 like this:
//!
//! ```text
//! (+f0.0) send(8)   g6<1>UW   g1<8,8,1>UD   0x02420005
//!             sampler MsgDesc: sample SIMD8 Surface = 5 Sampler = 0 mlen 1 rlen 4 { align1 1Q };
//! sends(16)  g20<1>UW  g16UD  g18UD  0x04858000  0x00000080  sampler MsgDesc: ... { align1 WE_all 1H };
//! ```

use std::error::Error;
use texwire::Platform;

/// An instruction of a listing: its line from 1, and its text as the assemblers read it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListingLine {
    /// The number of the line where it begins, from 1.
    pub number: usize,
    /// The instruction.
    pub text: String,
}

/// Assembles a listing with `assemble`, which takes one instruction. Returns the bytes of each instruction.
///
/// # Errors
/// Says the line, and what `assemble` says of it, or what is wrong with the listing ([`instructions`]).
pub(super) fn assemble(
    listing: &str,
    platform: Platform,
    assemble: impl Fn(&str) -> Result<Vec<u8>, Box<dyn Error>>,
) -> Result<Vec<Vec<u8>>, Box<dyn Error>> {
    let gen12 = matches!(platform, Platform::XeLp | Platform::XeHpg);
    let one = |ListingLine { number, text }| {
        assemble(&text).map_err(|why| format!("text at line {number}: {why}").into())
    };
    instructions(listing, gen12)?.into_iter().map(one).collect()
}

/// Returns the message of an error in a line of assembly text, with its column (from 1).
pub(super) fn column(text: &str, error: texwire::Error) -> String {
    let before = error.offset().map(|offset| text.get(..offset).unwrap_or(text));
    let column = before.map_or(1, |before| before.chars().count() + 1);
    let expected = match (error.what(), u8::try_from(error.found())) {
        (texwire::What::Punctuation, Ok(byte)) => format!("`{}` expected", char::from(byte)),
        _ if error.kind() == texwire::error::Kind::NotOnPlatform => "not on this platform".to_owned(),
        (what, _) if what.expected().is_empty() => "not understood".to_owned(),
        (what, _) => format!("expected {}", what.expected()),
    };
    format!("column {column}: {}: {expected}", error.what().text())
}

/// Returns the instructions of a listing, without offsets, headings, comment lines and blank lines.
///
/// # Errors
/// A sentence: a send in Mesa's spelling lacks a part of the instruction, or has one that is not understood.
pub fn instructions(source: &str, gen12: bool) -> Result<Vec<ListingLine>, String> {
    let mut all = Vec::new();
    let mut lines = (1..).zip(source.lines());
    while let Some((number, line)) = lines.next() {
        let code = without_offset(line.trim());
        if code.is_empty() || code.starts_with('#') || code.starts_with("//") || is_heading(code) {
            continue;
        }
        if !is_mesa(code) {
            all.push(ListingLine { number, text: code.to_owned() });
            continue;
        }
        // The description of the message and the options are on the next line.
        let mut whole = code.to_owned();
        while !whole.contains('{') {
            let Some((_, next)) = lines.next() else { break };
            whole = format!("{whole} {}", next.trim());
        }
        let text = from_mesa(&whole, gen12).map_err(|why| format!("text at line {number}: {why}"))?;
        all.push(ListingLine { number, text });
    }
    Ok(all)
}

/// Returns the line without the offset that `decode` writes before it: `000001b0  `, `000001b0 16  `, `0x0007dd  `; TXQ's `/*0128*/`.
fn without_offset(line: &str) -> &str {
    if let Some((_, rest)) = line.strip_prefix("/*").and_then(|rest| rest.split_once("*/")) {
        return rest.trim_start();
    }
    let Some((first, rest)) = line.split_once(' ') else { return line };
    let digits = first.strip_prefix("0x").unwrap_or(first);
    let offset = digits.len() >= 6 && digits.bytes().all(|b| b.is_ascii_hexdigit());
    if !offset || !rest.starts_with(' ') && !rest.starts_with(|c: char| c.is_ascii_digit()) {
        return line;
    }
    let rest = rest.trim_start();
    // `decode --all` writes the length of the instruction as well.
    match rest.split_once("  ") {
        Some(("8" | "16", code)) => code.trim_start(),
        _ => rest,
    }
}

/// Returns whether the line is a heading, `kernel NAME:`.
fn is_heading(line: &str) -> bool {
    line.starts_with("kernel ") && line.ends_with(':')
}

/// Returns whether the line is a send in Mesa's spelling: only the execution size is in the brackets after the mnemonic.
fn is_mesa(line: &str) -> bool {
    let line = match line.strip_prefix('(').and_then(|rest| rest.split_once(')')) {
        Some((predicate, rest)) if predicate.starts_with(['+', '-']) => rest.trim_start(),
        _ => line,
    };
    let size = ["send(", "sendc(", "sends(", "sendsc("].iter().find_map(|name| line.strip_prefix(name));
    size.and_then(|rest| rest.split_once(')')).is_some_and(|(size, _)| size.parse::<u8>().is_ok())
}

/// Translates a send from Mesa's spelling to that of the reference disassembler.
fn from_mesa(text: &str, gen12: bool) -> Result<String, String> {
    let (mut rest, mut predicate) = (text, String::new());
    if let Some((inside, after)) = rest.strip_prefix('(').and_then(|rest| rest.split_once(')')) {
        let inverse = if inside.starts_with('-') { "~" } else { "" };
        predicate = format!("{inverse}{}", inside.trim_start_matches(['+', '-']));
        rest = after.trim_start();
    }
    let (code, options) = rest.split_once('{').ok_or("no options: `{ align1 1Q }` expected")?;
    let options = options.split('}').next().unwrap_or_default();
    let (head, operands) = code.split_once(')').ok_or("no execution size")?;
    let (name, size) = head.split_once('(').ok_or("no execution size")?;
    let (operands, _) = operands.split_once("MsgDesc:").ok_or("no `MsgDesc:` that names the function")?;
    let mut words: Vec<&str> = operands.split_whitespace().collect();
    if words.pop() != Some("sampler") {
        return Err("only sampler messages are read in this spelling".into());
    }
    let split = name.starts_with("sends") || gen12;
    // Registers, then descriptors: a send with a second block has one more of each.
    let count = if split { 3 } else { 2 };
    let expected = if split { 5 } else { 3 };
    if words.len() != expected {
        return Err(format!("{} operands, expected {expected}", words.len()));
    }
    // Sends of Gen12 have no types, split ones only that of the destination.
    let typed = match (gen12, split) {
        (true, _) => 0,
        (false, true) => 1,
        (false, false) => count,
    };
    let registers = (0..count).map(|at| register(words[at], at < typed)).collect::<Result<Vec<_>, _>>()?;
    let registers = registers.join(" ");
    let descriptor = descriptor(words[count])?;
    let send_options = SendOptions::of(options)?;
    let extended = if split {
        extended(words[count + 1], &send_options, gen12)?
    } else {
        format!("{:#x}", 2 | send_options.eot_bit())
    };
    let function = if gen12 { ".smpl" } else { "" };
    let mask = match (send_options.no_mask, predicate.is_empty()) {
        (false, true) => String::new(),
        (true, true) => "(W) ".to_owned(),
        (false, false) => format!("({predicate}) "),
        (true, false) => format!("(W&{predicate}) "),
    };
    let mut given: Vec<&str> = send_options.scoreboard.clone();
    if send_options.eot && gen12 {
        given.push("EOT");
    }
    let given = if given.is_empty() { String::new() } else { format!(" {{{}}}", given.join(",")) };
    Ok(format!(
        "{mask}{name}{function} ({size}|M{}) {registers} {extended} {descriptor}{given}",
        send_options.channel
    ))
}

/// Translates a register: `g6<1>UW` is `r6:uw`, `g1<8,8,1>UD` is `r1:ud`, `nullUD` is `null:ud`; without the type unless `typed`.
fn register(word: &str, typed: bool) -> Result<String, String> {
    let bad = || format!("`{word}` is no register of a send");
    let untyped = word.trim_end_matches(|c: char| c.is_ascii_uppercase());
    let data_type = word[untyped.len()..].to_ascii_lowercase();
    let (name, region) = untyped.split_once('<').unwrap_or((untyped, ""));
    if !matches!(region, "" | "1>" | "8,8,1>" | "0,1,0>") || data_type.is_empty() {
        return Err(bad());
    }
    let name = match name.strip_prefix('g') {
        Some(number) if number.parse::<u8>().is_ok() => format!("r{number}"),
        _ if name == "null" => name.to_owned(),
        _ => return Err(bad()),
    };
    Ok(if typed { format!("{name}:{data_type}") } else { name })
}

/// Translates a descriptor: `0x02420005`, or `a0<0>UD` for address register 0.0.
fn descriptor(word: &str) -> Result<String, String> {
    match word.strip_prefix("0x") {
        Some(digits) if u32::from_str_radix(digits, 16).is_ok() => Ok(word.to_owned()),
        _ => address(word).ok_or_else(|| format!("`{word}` is no descriptor")),
    }
}

fn address(word: &str) -> Option<String> {
    let (name, region) = word.split_once('<')?;
    let sub = name
        .strip_prefix("a0")
        .map(|sub| sub.strip_prefix('.').unwrap_or(if sub.is_empty() { "0" } else { sub }))?;
    (matches!(region, "0>UD" | "0,1,0>UD") && sub.parse::<u8>().is_ok()).then(|| format!("a0.{sub}"))
}

/// Translates an extended descriptor; before Gen12, the text has the shared function and the end-of-thread bit in it.
fn extended(word: &str, send_options: &SendOptions<'_>, gen12: bool) -> Result<String, String> {
    let Some(digits) = word.strip_prefix("0x") else {
        return address(word).ok_or_else(|| format!("`{word}` is no extended descriptor"));
    };
    let value = u32::from_str_radix(digits, 16).map_err(|_| format!("`{word}` is no extended descriptor"))?;
    let more = if gen12 { 0 } else { 2 | send_options.eot_bit() };
    Ok(format!("{:#x}", value | more))
}

/// The options in the curly brackets.
#[derive(Debug, Default)]
struct SendOptions<'a> {
    channel: u8,
    no_mask: bool,
    eot: bool,
    scoreboard: Vec<&'a str>,
}

impl<'a> SendOptions<'a> {
    fn of(options: &'a str) -> Result<Self, String> {
        let mut send_options = Self::default();
        for option in options.split_whitespace() {
            let group =
                |step: u8| option[..option.len() - 1].parse::<u8>().ok()?.checked_sub(1)?.checked_mul(step);
            match option {
                "align1" => {}
                "WE_all" => send_options.no_mask = true,
                "EOT" => send_options.eot = true,
                _ if option.starts_with(['@', '$']) => send_options.scoreboard.push(option),
                _ => {
                    let step = match option.chars().last() {
                        Some('Q') => Some(8),
                        Some('H') => Some(16),
                        Some('N') => Some(4),
                        _ => None,
                    };
                    let channel = step.and_then(group).filter(|&channel| channel < 32);
                    send_options.channel =
                        channel.ok_or_else(|| format!("`{option}` is no option that is read"))?;
                }
            }
        }
        Ok(send_options)
    }

    const fn eot_bit(&self) -> u32 {
        (self.eot as u32) << 5
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(source: &str, platform: Platform) -> Result<Vec<String>, String> {
        let gen12 = matches!(platform, Platform::XeLp | Platform::XeHpg);
        instructions(source, gen12)?
            .iter()
            .map(|line| {
                let bytes = crate::wires::gen_native::assemble(&line.text, platform);
                bytes.map(|bytes| crate::hex::encode(&bytes)).map_err(|why| format!("{}: {why}", line.text))
            })
            .collect()
    }

    /// Mesa's spelling gives the bytes of the same instruction in the reference spelling.
    #[test]
    fn mesa_spelling() {
        for (mesa, ours, platform) in [
            (
                "send(8)         g6<1>UW         g1<8,8,1>UD     0x02420005\n                sampler MsgDesc: sample SIMD8 Surface = 5 Sampler = 0 mlen 1 rlen 4 { align1 1Q };",
                "send (8|M0) r6:uw r1 0x2 0x02420005",
                Platform::Gen11,
            ),
            (
                "(+f0.1) sends(16) g20<1>UW g16UD g18UD 0x04858000 0x00000080 sampler MsgDesc: sample_lz SIMD16 { align1 WE_all 2H };",
                "(W&f0.1) sends (16|M16) r20:uw r16 r18 0x82 0x04858000",
                Platform::Gen9,
            ),
            (
                "(-f1.0.any8h) sendc(8) nullUD g1UD a0<0>UD\n   sampler MsgDesc: indirect { align1 3Q EOT };",
                "(~f1.0.any8h) sendc (8|M16) null r1 0x22 a0.0",
                Platform::Gen11,
            ),
            (
                "send(16) g20UD g16UD g18UD 0x04858000 0x00000080 sampler MsgDesc: sample_lz SIMD16 { align1 1H @1 $2 };",
                "send.smpl (16|M0) r20 r16 r18 0x80 0x04858000 {@1,$2}",
                Platform::XeLp,
            ),
        ] {
            assert_eq!(bytes(mesa, platform), bytes(ours, platform), "{mesa}");
        }
        for (bad, why) in [
            ("send(8) g6<1>UW g1<8,8,1>UD 0x02420005 urb MsgDesc: x { align1 1Q };", "only sampler messages"),
            (
                "send(8) g6<1>UW g1<8,8,1>UD 0x02420005 sampler MsgDesc: x { align16 1Q };",
                "`align16` is no option",
            ),
            (
                "send(8) g6<2>UW g1<8,8,1>UD 0x02420005 sampler MsgDesc: x { align1 1Q };",
                "`g6<2>UW` is no register",
            ),
            ("send(8) g6<1>UW g1<8,8,1>UD 0x02420005 sampler", "no options"),
        ] {
            assert!(bytes(bad, Platform::Gen11).unwrap_err().contains(why), "{bad}");
        }
    }

    #[test]
    fn offsets_and_headings_are_passed_over() {
        let source = "# CISA 4.1\n# kernel copy2d\n0x0007dd  sample_lz.RGBA (M1, 16)  0x0:uw\n\nkernel bilinear:\n\
                      000001b0  sends (16|M0) r34 // comment\n00000170 16  sends x\n/*0128*/   TXQ.B R1;\nadd (8|M0) r1";
        let lines = instructions(source, false).unwrap();
        let texts: Vec<(usize, &str)> = lines.iter().map(|line| (line.number, line.text.as_str())).collect();
        assert_eq!(
            texts,
            [
                (3, "sample_lz.RGBA (M1, 16)  0x0:uw"),
                (6, "sends (16|M0) r34 // comment"),
                (7, "sends x"),
                (8, "TXQ.B R1;"),
                (9, "add (8|M0) r1"),
            ]
        );
    }
}
