//! The output of decoders: lines of text or JSON records, with errors and broken rules.

use serde_json::{Value, json};
use std::io::Write;
use texwire::Platform;
use texwire::rules::{Rule, Violations};

/// The options of `decode`'s output.
#[derive(Clone, Copy, Debug, Default)]
pub struct DecodeOptions {
    /// JSON records instead of text.
    pub json: bool,
    /// Every instruction, not just those of the sampler.
    pub all: bool,
    /// Traces: every field of state structures below their records.
    pub explain: bool,
    /// Traces: every byte of records, not only the first ones.
    pub full: bool,
    /// Traces: the platform whose rules are checked in states; `None`: the trace's own.
    pub platform: Option<Platform>,
}

/// The output of a decoder: takes its findings and errors, one line or record at a time.
pub struct DecodeOutput<'a> {
    /// The file's name, for the records.
    pub file: String,
    /// The wire's name, for the records.
    pub wire: &'static str,
    /// What to print.
    pub options: DecodeOptions,
    /// The number of parts that failed to decode.
    pub errors: usize,
    /// Traces: the platform of the last header.
    pub(super) header: Option<Platform>,
    out: &'a mut dyn Write,
}

impl std::fmt::Debug for DecodeOutput<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("DecodeOutput")
            .field("file", &self.file)
            .field("errors", &self.errors)
            .finish_non_exhaustive()
    }
}

impl<'a> DecodeOutput<'a> {
    /// Creates the output, to `out`, of what the wire of this name finds in a file.
    pub fn new(file: &str, wire: &'static str, options: DecodeOptions, out: &'a mut dyn Write) -> Self {
        Self { file: file.to_owned(), wire, options, errors: 0, header: None, out }
    }

    /// Writes a finding: `record` with `--json` (`file` and `wire` are added), `line` without.
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

    /// Writes a heading: a line of text, nothing with `--json`.
    pub fn heading(&mut self, line: &str) {
        if !self.options.json {
            self.write(line);
        }
    }

    /// Writes a note on standard error for each rule that a finding breaks; nothing with `--json`, as records list them ([`violations`]).
    pub fn rules<R: Rule>(&mut self, offset: usize, broken: Violations<R>) {
        if self.options.json {
            return;
        }
        for rule in broken {
            // A failure is ignored: a note is not a result, and standard error may be closed.
            let _ = writeln!(
                std::io::stderr(),
                "note: {} at {offset:#x}: violates {}: {}",
                self.file,
                rule.name(),
                rule.text()
            );
        }
    }

    /// Reports and counts a part that could not be decoded.
    pub fn error(&mut self, offset: usize, why: &str) {
        self.errors += 1;
        let file = self.file.clone();
        if self.options.json {
            self.write(&json!({"file": file, "offset": offset, "error": why}).to_string());
        } else {
            let _ = writeln!(std::io::stderr(), "error: {file} at {offset:#x}: {why}");
        }
    }

    fn write(&mut self, text: &str) {
        // A failure is ignored: `console::Stdout` itself ends the program when it cannot be written.
        let _ = writeln!(self.out, "{text}");
    }
}

/// Adds the names of broken rules to a record, if there are any.
pub fn violations<R: Rule>(record: &mut serde_json::Map<String, Value>, broken: Violations<R>) {
    if !broken.is_empty() {
        record.insert("violations".into(), broken.map(Rule::name).collect());
    }
}
