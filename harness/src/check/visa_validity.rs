//! Checks `validity.json`: what the reference tool does with doubtful input is compared with what this crate does.
//!
//! A fixed set of declarations (`Declarations`) takes the place of the tool's kernel. A case passes if both do the same, if
//! this crate is stricter and says why (an error or a broken rule), or if it is laxer for a reason listed in `LAXER`.
//! Where the tool crashes or hangs, anything but an error or a broken rule fails.

use super::tally::Tally;
use serde_json::Value;
use std::error::Error;
use std::fmt::Write as _;
use std::path::Path;
use texwire::Platform;
use texwire::rules::Rule as _;
use texwire::visa::{
    MAX_SAMPLER_BYTES, SamplerInstruction, Symbols, Type, Variable, Version, VisaRule, assemble,
};

/// Instructions that this crate accepts and the tool does not: how they start, and why they are accepted.
const LAXER: &[(&str, &str)] = &[
    ("lod.", "printed by the tool, so read here"),
    ("sample+killpix.", "printed by the tool, so read here"),
    ("sample4_b.", "an operation of later compilers"),
    ("sample4_l.", "an operation of later compilers"),
    ("sample4_i.", "an operation of later compilers"),
    ("SAMPLE_3D.", "the documents' spelling"),
    ("resinfo (", "the documents have no channels here: all four"),
];

/// The declarations that the cases refer to.
struct Declarations {
    names: Vec<(String, Type, u16)>,
}

impl Declarations {
    fn new() -> Self {
        let types = (32..78).map(|number| match number {
            32 => (Type::F, 160),
            33 => (Type::Hf, 160),
            34 => (Type::D, 160),
            35 => (Type::Ud, 160),
            36 => (Type::W, 160),
            37 => (Type::Uw, 160),
            38..=53 => (Type::F, 32),
            54..=69 => (Type::Hf, 32),
            70..=75 => (Type::D, 32),
            76 => (Type::Uw, 1),
            _ => (Type::Ud, 32),
        });
        Self {
            names: types
                .zip(32..)
                .map(|((kind, elements), n)| (format!("V{n:04}"), kind, elements))
                .collect(),
        }
    }
}

impl Symbols for Declarations {
    fn variable(&self, index: u32) -> Option<Variable<'_>> {
        let (name, kind, elements) = self.names.get(index.checked_sub(32)? as usize)?;
        Some(Variable { name: name.as_bytes(), kind: Some(*kind), elements: *elements, alias: None })
    }
    fn find(&self, name: &[u8]) -> Option<u32> {
        Some(self.names.iter().position(|n| n.0.as_bytes() == name)? as u32 + 32)
    }
    fn has_predicate(&self, index: u16) -> bool {
        matches!(index, 1 | 2)
    }
    fn has_sampler(&self, index: u8) -> bool {
        matches!(index, 0..=3 | 31)
    }
    fn has_surface(&self, index: u8) -> bool {
        index < 10
    }
}

/// What this crate does with a case.
struct OwnResult {
    refused: Option<String>,
    rules: Vec<&'static str>,
    text: String,
}

impl OwnResult {
    fn decode(bytes: &[u8], platform: Platform, declarations: &Declarations) -> Self {
        match SamplerInstruction::decode(bytes, Version::V4_1) {
            Ok(sampler) => Self {
                refused: None,
                rules: sampler.validate(platform, declarations).map(VisaRule::name).collect(),
                text: sampler.display(declarations).to_string(),
            },
            Err(error) => Self { refused: Some(error.to_string()), rules: Vec::new(), text: String::new() },
        }
    }

    fn assemble(line: &str, platform: Platform, declarations: &Declarations) -> Self {
        let mut out = [0; MAX_SAMPLER_BYTES];
        match assemble(line, declarations, Version::V4_1, &mut out) {
            Ok(length) => Self::decode(&out[..length], platform, declarations),
            Err(error) => Self { refused: Some(error.to_string()), rules: Vec::new(), text: String::new() },
        }
    }

    fn summary(&self) -> String {
        match (&self.refused, self.rules.as_slice()) {
            (Some(why), _) => format!("refused: {why}"),
            (None, []) => "accepted".into(),
            (None, rules) => format!("accepted, breaks {}", rules.join(", ")),
        }
    }

    /// Returns whether the case is accepted and breaks no rule.
    fn content(&self) -> bool {
        self.refused.is_none() && self.rules.is_empty()
    }
}

/// Returns the class of the comparison, or why it fails.
fn judge(case: &str, outcome: &str, printed: Option<&str>, ours: &OwnResult) -> Result<&'static str, String> {
    let misprint = ours.rules.iter().any(|rule| matches!(*rule, "later-operation" | "po-platform"));
    if let Some(printed) = printed.filter(|p| ours.refused.is_none() && !misprint && *p != ours.text) {
        return Err(format!("{case}: text {:?}, the tool prints {printed:?}", ours.text));
    }
    match outcome {
        "crash" | "hang" if ours.content() => Err(format!("{case}: accepted, the tool ends in a {outcome}")),
        "crash" | "hang" => Ok("refused where the tool fails"),
        "accepted" if ours.content() => Ok("same"),
        "accepted" => Ok("stricter, with a reason"),
        _ if !ours.content() => Ok("same"),
        _ => match LAXER.iter().find(|(start, _)| case.starts_with(start)) {
            Some(_) => Ok("laxer, with a reason"),
            None => Err(format!("{case}: accepted, the tool: {outcome}")),
        },
    }
}

/// One line of the table: case, what the tool does, what this crate does, class.
type Line = (String, String, String, Result<&'static str, String>);

fn compare(truth: &Value) -> Result<Vec<Line>, Box<dyn Error>> {
    let declarations = Declarations::new();
    let mut lines = Vec::new();
    for case in truth["text"].as_array().into_iter().flatten() {
        let line = case["line"].as_str().ok_or("case without line")?;
        for (name, platform) in PLATFORMS {
            let result = case.get("all_platforms").unwrap_or(&case["results"][name]);
            let ours = OwnResult::assemble(line, *platform, &declarations);
            let outcome = result["outcome"].as_str().unwrap_or_default();
            let class = judge(line, outcome, None, &ours);
            // A case with one result for all platforms is one line.
            if case.get("all_platforms").is_some() {
                if *platform == Platform::Gen11 {
                    lines.push((line.to_owned(), tool(result), ours.summary(), class));
                } else if class.is_err() {
                    lines.push((format!("{line} [{name}]"), tool(result), ours.summary(), class));
                }
            } else {
                lines.push((format!("{line} [{name}]"), tool(result), ours.summary(), class));
            }
        }
    }
    for case in truth["binary"].as_array().into_iter().flatten() {
        let name = case["case"].as_str().ok_or("case without name")?;
        let platform = if case["platform"] == "DG2" { Platform::XeHpg } else { Platform::Gen11 };
        let ours = OwnResult::decode(&bytes_of(name)?, platform, &declarations);
        let outcome = case["outcome"].as_str().unwrap_or_default();
        let printed = case["printed"].as_str().filter(|text| !text.is_empty());
        lines.push((name.to_owned(), tool(case), ours.summary(), judge(name, outcome, printed, &ours)));
    }
    Ok(lines)
}

const PLATFORMS: &[(&str, Platform)] = &[
    ("SKL", Platform::Gen9),
    ("ICLLP", Platform::Gen11),
    ("TGLLP", Platform::XeLp),
    ("DG2", Platform::XeHpg),
    ("PVC", Platform::XeHpc),
];

fn tool(result: &Value) -> String {
    let outcome = result["outcome"].as_str().unwrap_or_default().to_owned();
    match result["message"].as_str() {
        Some(message) => format!("{outcome}: {message}"),
        None => outcome,
    }
}

/// Returns the bytes of a binary case, made from its name: a base instruction with one field varied.
fn bytes_of(case: &str) -> Result<Vec<u8>, Box<dyn Error>> {
    let number = |after: &str| -> Option<u32> {
        let rest = &case[case.find(after)? + after.len()..];
        let word = rest.trim_start().split([' ', ',']).next()?;
        word.strip_prefix("0x").map_or_else(|| word.parse().ok(), |hex| u32::from_str_radix(hex, 16).ok())
    };
    let opcode = match case.get(..2) {
        Some("6d") => 0x6d,
        Some("6e") => 0x6e,
        Some("6f") => 0x6f,
        Some("70") => 0x70,
        _ if case.starts_with("gather") => 0x6f,
        _ => 0x6d,
    };
    let default = match opcode {
        0x6e => 7,
        0x6f => 8,
        _ => 24,
    };
    let op = number(" op ").unwrap_or(default) as u8;
    let bits = if case.contains("bits 9,10") { 6 } else { 0 };
    // The gather cases with another operation were given channel 1.
    let gather = if case.contains(" ch0") || number(" op ").is_none() || bits != 0 { 0 } else { 1 };
    let channels =
        number("channels").or(number(" ch ")).unwrap_or(if opcode == 0x6f { gather } else { 15 }) as u8;
    let raw = |index: u32, offset: u8| [index.to_le_bytes().as_slice(), &[offset, 0]].concat();
    if opcode == 0x70 {
        let lod = if op == 10 { raw(38, 0) } else { Vec::new() };
        return Ok([[0x70, op, 3, channels, 6].as_slice(), &lod, &raw(32, 0)].concat());
    }
    let exec = number("exec nibble").unwrap_or(3) as u8;
    let pred: u16 = match case {
        "pred control 3" => 0x6001,
        "pred bit12" => 0x1001,
        "pred id 900" => 900,
        _ if case.starts_with("pred 0x8000") => 0x8000,
        _ => 0,
    };
    let sampler = if case.starts_with("sampler") { number("sampler").unwrap_or(0) } else { 0 } as u8;
    let surface = if case.starts_with("surface") { number("surface").unwrap_or(6) } else { 6 } as u8;
    let destination = match case {
        "var undeclared" => raw(9999, 0),
        "null dst with offset" => raw(0, 64),
        _ => raw(number("predefined").unwrap_or(32), 0),
    };
    let params: Vec<u32> = match number("num_params") {
        Some(count) => vec![38; count as usize],
        None => vec![38, 39],
    };
    let mut bytes = vec![opcode, op, bits, exec];
    bytes.extend(pred.to_le_bytes());
    bytes.extend([channels, 5, 2, 0, 0, 0, 0]);
    bytes.extend((opcode != 0x6e).then_some(sampler));
    bytes.push(surface);
    bytes.extend(destination);
    bytes.push(params.len() as u8);
    bytes.extend(params.iter().flat_map(|&index| raw(index, 0)));
    Ok(bytes)
}

pub(super) fn check(path: &Path, tally: &mut Tally) -> Result<(), Box<dyn Error>> {
    for (_, _, _, class) in compare(&serde_json::from_slice(&std::fs::read(path)?)?)? {
        match class {
            Ok(class) => tally.note(&format!("visa validity: {class}"), Ok(())),
            Err(why) => tally.note("visa validity", Err(why)),
        }
    }
    Ok(())
}

/// Returns the comparison as a table in Markdown: case, what the tool does, what this crate does, class.
///
/// # Errors
/// The file cannot be read or is not a `validity.json`.
pub fn table(path: &Path) -> Result<String, Box<dyn Error>> {
    let lines = compare(&serde_json::from_slice(&std::fs::read(path)?)?)?;
    let mut out = String::from("| case | reference tool | texwire | |\n|---|---|---|---|\n");
    for (case, tool, ours, class) in lines {
        let class = class.unwrap_or("DIFFERS");
        let reason = LAXER.iter().find(|(start, _)| class.starts_with("laxer") && case.starts_with(start));
        let class = reason.map_or_else(|| class.to_owned(), |(_, why)| format!("laxer: {why}"));
        let cell = |text: &str| text.replace('|', "\\|");
        writeln!(out, "| `{}` | {} | {} | {class} |", cell(&case), cell(&tool), cell(&ours))?;
    }
    Ok(out)
}
