//! Parses dwords in the spellings that people and tools use.
//!
//! | spelling | read as |
//! |---|---|
//! | `0x02420001`, `02420001`, `2420001h` | a dword |
//! | `0x2420001,`, `{0x1, 0x2}`, `["0x1"]`, `0x0001_0000` | dwords; commas, quotes and brackets separate |
//! | `dw3: 0x40`, `dword 3 = 0x40`, `[3] 0x40`, `DW3=40` | dword 3 |
//! | `00000010: 12345678 9abcdef0`, `0x7fe0:  0x12345678` | dwords after an address, which is ignored |
//! | `01 00 42 02`, `0100 4202` | bytes in memory order, little-endian |
//! | 16 digits and more without `0x` | bytes in memory order |
//! | `0x` and 9 to 16 digits | a 64-bit number: the low dword first |
//!
//! `#`, `//` and `;` begin a comment. A file that is not text is read as bytes in memory order.

/// The most dwords of an input: far more than state structures need.
const MAX: usize = 1 << 20;

/// Parses dwords in any of these spellings.
///
/// # Errors
/// A sentence with line and column: a word is not a number, a number does not fit, or bytes do not fill whole dwords.
pub fn parse(text: &str) -> Result<Vec<u32>, String> {
    let mut reader = DwordReader::default();
    for (number, line) in (1..).zip(text.lines()) {
        reader.line(number, line)?;
    }
    reader.finish()
}

/// Returns the little-endian dwords of bytes in memory order.
///
/// # Errors
/// The number of bytes is not a multiple of 4.
pub fn from_bytes(bytes: &[u8]) -> Result<Vec<u32>, String> {
    match bytes.as_chunks::<4>() {
        (words, []) => Ok(words.iter().map(|word| u32::from_le_bytes(*word)).collect()),
        _ => {
            Err(format!("no dwords at the input: its length in bytes, {}, is no multiple of 4", bytes.len()))
        }
    }
}

#[derive(Default)]
struct DwordReader {
    words: Vec<u32>,
    /// The index of the next dword.
    next: usize,
    /// A label gave it, just before.
    labelled: bool,
    bytes: Vec<u8>,
}

/// A piece of a line between separators, with its column from 1.
struct Token<'a> {
    text: &'a str,
    column: usize,
    /// A colon or equals sign follows.
    label: bool,
    /// It is in square brackets.
    bracketed: bool,
}

impl DwordReader {
    fn line(&mut self, number: usize, line: &str) -> Result<(), String> {
        let code = ["#", "//", ";"].iter().fold(line, |line, mark| line.split(mark).next().unwrap_or(""));
        let mut tokens = tokens(code).into_iter().peekable();
        let mut first = true;
        while let Some(token) = tokens.next() {
            let fail = |why: String| format!("dwords at line {number}, column {}: {why}", token.column);
            // `dword 3 = ...`, `DW 3:`
            let word = token.text.to_ascii_lowercase();
            if matches!(word.as_str(), "dw" | "dword") {
                let index = tokens.next().and_then(|next| next.text.parse().ok());
                self.label(index.ok_or_else(|| fail("a dword without a number".to_owned()))?)
                    .map_err(fail)?;
            } else if let Some(index) = index_of(&word) {
                self.label(index).map_err(fail)?;
            } else if token.bracketed
                && first
                && tokens.peek().is_some()
                && word.len() <= 3
                && word.parse::<usize>().is_ok()
            {
                self.label(word.parse().unwrap_or(0)).map_err(fail)?;
            } else if token.label {
                self.address(&word, token.text).map_err(fail)?;
            } else if first && matches!(word.len(), 6 | 7) && is_hex(&word) && tokens.peek().is_some() {
                // The offset that od prints: a dword of six or seven digits would have `0x`, `h` or a label.
                self.flush().map_err(fail)?;
            } else {
                let last = tokens.peek().is_none();
                self.number(&word, token.text, last).map_err(fail)?;
            }
            first = false;
            if self.words.len() > MAX {
                return Err(format!("dwords at line {number}: more than {MAX}"));
            }
        }
        Ok(())
    }

    /// Takes a label. A small decimal one (`3:`) is the number of the next dword; any other is an address and is ignored.
    fn address(&mut self, word: &str, shown: &str) -> Result<(), String> {
        if !word.starts_with("0x") && word.len() <= 2 && word.parse::<usize>().is_ok() {
            return self.label(word.parse().unwrap_or(0));
        }
        let digits = word.strip_prefix("0x").unwrap_or(word);
        if is_hex(digits) || word.chars().all(|c| c.is_ascii_alphanumeric() || "_.-".contains(c)) {
            return self.flush();
        }
        Err(format!("`{shown}` is neither a dword's number nor an address"))
    }

    fn label(&mut self, index: usize) -> Result<(), String> {
        self.flush()?;
        if index >= MAX {
            return Err(format!("dword {index} is out of range"));
        }
        (self.next, self.labelled) = (index, true);
        Ok(())
    }

    /// Takes a number. `last`: nothing follows in the line, so that after a label a short number is a dword and not a byte.
    fn number(&mut self, word: &str, shown: &str, last: bool) -> Result<(), String> {
        let clean = word.replace('_', "");
        let bad = || format!("`{shown}` is no hex number");
        let (digits, dword) = match (clean.strip_prefix("0x"), clean.strip_suffix('h')) {
            (Some(digits), _) | (None, Some(digits)) => (digits, true),
            (None, None) => (clean.as_str(), self.labelled && self.bytes.is_empty() && last),
        };
        if !is_hex(digits) {
            return Err(bad());
        }
        match (dword, digits.len()) {
            (false, 2 | 4) => {
                self.bytes.extend(crate::hex::decode(digits).map_err(|_| bad())?);
                Ok(())
            }
            (false, len) if len >= 16 => {
                self.bytes.extend(crate::hex::decode(digits).map_err(|_| bad())?);
                Ok(())
            }
            (_, 1..=8) => self.push(u32::from_str_radix(digits, 16).map_err(|_| bad())?),
            (true, 9..=16) => {
                let value = u64::from_str_radix(digits, 16).map_err(|_| bad())?;
                self.push(value as u32)?;
                self.push((value >> 32) as u32)
            }
            (_, len) => Err(format!("`{shown}` has {len} digits: a dword has at most 8")),
        }
    }

    fn push(&mut self, word: u32) -> Result<(), String> {
        self.flush()?;
        self.store(word);
        Ok(())
    }

    /// Stores a dword: at the index of its label, or after the one before it.
    fn store(&mut self, word: u32) {
        if self.words.len() <= self.next {
            self.words.resize(self.next + 1, 0);
        }
        self.words[self.next] = word;
        (self.next, self.labelled) = (self.next + 1, false);
    }

    /// Converts the bytes collected so far to dwords.
    fn flush(&mut self) -> Result<(), String> {
        for word in from_bytes(&std::mem::take(&mut self.bytes))? {
            self.store(word);
        }
        Ok(())
    }

    fn finish(mut self) -> Result<Vec<u32>, String> {
        self.flush()?;
        match self.words.is_empty() {
            true => Err("no dwords at the input: it has no number".to_owned()),
            false => Ok(self.words),
        }
    }
}

/// Returns the number in `dw3` or `dword12`; `None` for other words.
fn index_of(word: &str) -> Option<usize> {
    let digits = word.strip_prefix("dword").or_else(|| word.strip_prefix("dw"))?;
    let digits = digits.trim_start_matches(['[', '_']);
    digits.parse().ok()
}

fn is_hex(digits: &str) -> bool {
    !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_hexdigit())
}

/// Splits a line at blanks, commas, quotes, brackets, colons and equals signs.
fn tokens(line: &str) -> Vec<Token<'_>> {
    let separator = |c: char| c.is_whitespace() || ",\"'{}()[]|:=".contains(c);
    let mut tokens = Vec::new();
    let mut rest = line;
    let mut column = 1;
    let mut open = false;
    while let Some(start) = rest.find(|c| !separator(c)) {
        let before = &rest[..start];
        open = before.rfind('[') > before.rfind(']') || open && !before.contains(']');
        column += before.chars().count();
        rest = &rest[start..];
        let end = rest.find(separator).unwrap_or(rest.len());
        let text = &rest[..end];
        let after = rest[end..].trim_start_matches(|c: char| c.is_whitespace() || "\"'])".contains(c));
        let label = after.starts_with([':', '=']);
        let bracketed = open && rest[end..].starts_with(']');
        tokens.push(Token { text, column, label, bracketed });
        column += text.chars().count();
        rest = &rest[end..];
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_usual_spelling_is_read() {
        let dwords = [0x0242_0001, 0x10, 0xdead_beef, 0];
        for text in [
            "0x02420001 0x10 0xdeadbeef 0x0",
            "02420001 00000010 deadbeef 00000000",
            "02420001,00000010,DEADBEEF,00000000",
            "0x2420001, 0x10, 0xDEAD_BEEF, 0",
            "02420001h 10h deadbeefh 0h",
            "{ 0x02420001, 0x00000010,\n 0xdeadbeef, 0x00000000 };",
            r#"["0x02420001", "0x00000010", "deadbeef", "00000000"]"#,
            r#"{"state": ["02420001", "00000010", "deadbeef", "00000000"]}"#,
            "dw0: 0x02420001\ndw1: 0x00000010\ndw2: 0xdeadbeef\ndw3: 0x0",
            "DWord 0 = 02420001\nDWord 1 = 00000010\nDWord 2 = deadbeef\nDWord 3 = 00000000",
            "dw2 = 0xdeadbeef, dw0 = 0x2420001\ndw1 = 0x10\ndw3 = 0x0",
            "dw2: 0xdeadbeef 0x0\ndw0: 0x2420001 0x10",
            "dw[2]: 0xdeadbeef\ndw[0]: 0x2420001\ndw[1]: 0x10\ndw[3]: 0",
            "[0] 0x02420001\n[1] 0x10\n[2] 0xdeadbeef\n[3] 0x0",
            "0: 02420001\n1: 00000010\n2: deadbeef\n3: 00000000",
            "0x7f00:  0x02420001\n0x7f04:  0x00000010\n0x7f08: 0xdeadbeef // SAMPLER_STATE\n0x7f0c: 0x0 # end",
            "00000000: 02420001 00000010 deadbeef 00000000",
            "0000000 02420001 00000010 deadbeef 00000000",
            "01 00 42 02 10 00 00 00 ef be ad de 00 00 00 00",
            "00000000: 0100 4202 1000 0000 efbe adde 0000 0000",
            "0100420210000000efbeadde00000000",
            "0x1002420001 0x00000000deadbeef",
        ] {
            assert_eq!(parse(text).as_deref(), Ok(&dwords[..]), "{text}");
        }
        let bytes: Vec<u8> = dwords.iter().flat_map(|dword| dword.to_le_bytes()).collect();
        assert_eq!(from_bytes(&bytes).as_deref(), Ok(&dwords[..]));
    }

    #[test]
    fn what_is_no_dword_is_named() {
        for (text, why) in [
            ("", "no dwords at the input: it has no number"),
            ("# nothing", "no dwords at the input: it has no number"),
            ("0x1\n  0xzz", "dwords at line 2, column 3: `0xzz` is no hex number"),
            ("012345678", "dwords at line 1, column 1: `012345678` has 9 digits: a dword has at most 8"),
            (
                "0x12345678123456789",
                "dwords at line 1, column 1: `0x12345678123456789` has 17 digits: a dword has at most 8",
            ),
            ("01 02 03", "no dwords at the input: its length in bytes, 3, is no multiple of 4"),
            ("dw99999999: 1", "dwords at line 1, column 1: dword 99999999 is out of range"),
        ] {
            assert_eq!(parse(text), Err(why.to_owned()), "{text}");
        }
        let many = "0x0\n".repeat(MAX + 1);
        assert_eq!(parse(&many), Err(format!("dwords at line {}: more than {MAX}", MAX + 1)));
        assert_eq!(
            from_bytes(&[0, 1, 2]),
            Err("no dwords at the input: its length in bytes, 3, is no multiple of 4".to_owned())
        );
    }
}
