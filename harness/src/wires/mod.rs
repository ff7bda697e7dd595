//! The dialects as the command line sees them: bytes to lines and records, text to bytes; state and enumerations as JSON.

pub(crate) mod enumeration;
mod gen_explain;
pub mod gen_native;
pub mod gen_work;
pub(crate) mod layout;
pub mod listing;
pub mod maxwell;
pub mod trace;
pub mod visa;

use crate::console::complain;
use clap::ValueEnum;
use serde_json::{Value, json};
use std::io::Write;
use texwire::Platform;
use texwire::rules::{Rule, Violations};

/// A dialect, as `--wire` names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Wire {
    /// Intel vISA (CISA files; raw bytes: one instruction after another).
    Visa,
    /// Intel Gen11 native.
    Gen11,
    /// Intel Gen9 native.
    Gen9,
    /// Intel Gen12 (Xe-LP) native.
    Gen12,
    /// Intel Xe-HPG native.
    XeHpg,
    /// NVIDIA Maxwell and Pascal code sections.
    Maxwell,
    /// texwire trace.
    Trace,
}

impl Wire {
    /// The platforms whose instructions are spelled so; the first one unless another is asked for.
    pub const fn platforms(self) -> &'static [Platform] {
        use Platform::{Gen9, Gen11, Maxwell, Pascal, XeHpc, XeHpg, XeLp};
        match self {
            Self::Visa => &[Gen11, Gen9, XeLp, XeHpg, XeHpc],
            Self::Gen11 => &[Gen11],
            Self::Gen9 => &[Gen9],
            Self::Gen12 => &[XeLp, XeHpg],
            Self::XeHpg => &[XeHpg],
            Self::Maxwell => &[Maxwell, Pascal],
            Self::Trace => &[Gen11, Gen9, XeLp, XeHpg, XeHpc, Maxwell, Pascal],
        }
    }

    /// The native dialect of a platform.
    pub const fn of(platform: Platform) -> Self {
        match platform {
            Platform::Gen9 => Self::Gen9,
            Platform::Gen11 => Self::Gen11,
            Platform::XeLp => Self::Gen12,
            Platform::XeHpg | Platform::XeHpc => Self::XeHpg,
            Platform::Maxwell | Platform::Pascal => Self::Maxwell,
            // A platform that a newer core knows.
            _ => Self::Gen11,
        }
    }

    /// The name in records.
    pub fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |v| v.get_name().to_owned())
    }
}

/// What is wrong with a line of assembly text, and in which column (from 1).
fn column(text: &str, error: texwire::Error) -> String {
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

/// What `decode` is asked to print.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// JSON records instead of text.
    pub json: bool,
    /// Every instruction, not just those of the sampler.
    pub all: bool,
    /// Traces: every field of state structures below their records.
    pub explain: bool,
    /// Traces: every byte of records, not only the first ones.
    pub full: bool,
    /// Traces: the platform that judges states; without one the trace's own.
    pub platform: Option<Platform>,
}

/// Where a decoder puts its findings: one line or record at a time, errors among them.
pub struct Output<'a> {
    /// The file's name, for the records.
    pub file: String,
    /// The dialect, for the records.
    pub wire: String,
    /// What to print.
    pub options: Options,
    /// Parts that failed to decode.
    pub errors: usize,
    /// Traces: the platform of the last header.
    header: Option<Platform>,
    out: &'a mut dyn Write,
}

impl std::fmt::Debug for Output<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Output")
            .field("file", &self.file)
            .field("errors", &self.errors)
            .finish_non_exhaustive()
    }
}

impl<'a> Output<'a> {
    /// Writes to `out`.
    pub fn new(file: &str, wire: Wire, options: Options, out: &'a mut dyn Write) -> Self {
        Self { file: file.to_owned(), wire: wire.name(), options, errors: 0, header: None, out }
    }

    /// A finding: `record` with `--json` (`file` and `wire` are added), `line` without.
    pub fn emit(&mut self, line: impl FnOnce() -> String, record: impl FnOnce() -> Value) {
        let text = if self.options.json {
            let mut value = record();
            if let Some(map) = value.as_object_mut() {
                map.insert("file".into(), json!(self.file));
                map.insert("wire".into(), json!(self.wire));
            }
            value.to_string()
        } else {
            line()
        };
        self.write(&text);
    }

    /// A line of text that has no record (headings).
    pub fn heading(&mut self, line: &str) {
        if !self.options.json {
            self.write(line);
        }
    }

    /// Rules that a finding breaks: notes on standard error beside text; records have them as a key ([`violations`]).
    pub fn rules<R: Rule>(&mut self, offset: usize, broken: Violations<R>) {
        if self.options.json {
            return;
        }
        for rule in broken {
            // A note is no result: standard error may be closed.
            let _ = writeln!(
                std::io::stderr(),
                "note: {} at {offset:#x}: violates {}: {}",
                self.file,
                rule.name(),
                rule.text()
            );
        }
    }

    /// A part that could not be decoded.
    pub fn error(&mut self, offset: usize, why: &str) {
        self.errors += 1;
        let file = self.file.clone();
        if self.options.json {
            self.write(&json!({"file": file, "offset": offset, "error": why}).to_string());
        } else {
            complain!("{file} at {offset:#x}: {why}");
        }
    }

    fn write(&mut self, text: &str) {
        // Standard output ends the program by itself when it cannot be written.
        let _ = writeln!(self.out, "{text}");
    }
}

/// Adds the names of broken rules to a record, if there are any.
pub fn violations<R: Rule>(record: &mut serde_json::Map<String, Value>, broken: Violations<R>) {
    if !broken.is_empty() {
        record.insert("violations".into(), broken.map(Rule::name).collect());
    }
}
