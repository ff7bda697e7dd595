//! The output of `printf` in kernels: records in a buffer, with format strings from the device binary.
//!
//! The first dword of the buffer counts bytes. A record is the number of a format string, then for each argument a type tag and its value.
//! Values take 8 bytes if they are longs, pointers or doubles, else 4. Vectors have the number of their elements after the tag; elements
//! are as large as their type and the padding follows the last one. The compiler escapes strings as C does.
//! (source: Intel graphics compiler, `OpenCLPrintfResolution.cpp`; the tags: Intel compute-runtime, `print_formatter.h`)

use std::fmt::Write;

/// Largest width and precision of a conversion.
const MOST: usize = 4096;

/// Returns the text of a printf buffer, with the format strings by number. `%a` is printed as `%f`.
pub fn text(buffer: &[u8], strings: &[(u32, String)]) -> String {
    let strings: Vec<_> = strings.iter().map(|(number, text)| (*number, unescaped(text))).collect();
    let mut records = Records { buffer, at: 4 };
    let mut out = String::new();
    while let Some(format) = records.number(4).and_then(|number| find(&strings, number)) {
        if expand(&mut out, format, &strings, &mut records).is_none() {
            break;
        }
    }
    out
}

fn find(strings: &[(u32, String)], number: u64) -> Option<&str> {
    strings.iter().find(|(known, _)| u64::from(*known) == number).map(|(_, text)| text.as_str())
}

/// Replaces the escape sequences of C.
fn unescaped(text: &str) -> String {
    let mut letters = text.chars();
    let mut out = String::new();
    while let Some(letter) = letters.next() {
        out.extend(match letter {
            '\\' => letters.next().map(|escaped| match escaped {
                'a' => '\x07',
                'b' => '\x08',
                'f' => '\x0c',
                'n' => '\n',
                'r' => '\r',
                't' => '\t',
                'v' => '\x0b',
                other => other,
            }),
            other => Some(other),
        });
    }
    out
}

/// Reads a printf buffer.
struct Records<'a> {
    buffer: &'a [u8],
    at: usize,
}

impl Records<'_> {
    /// Reads a number of up to 8 bytes; `None` at the end of the buffer.
    fn number(&mut self, bytes: usize) -> Option<u64> {
        let mut number = [0; 8];
        number[..bytes].copy_from_slice(self.buffer.get(self.at..self.at + bytes)?);
        self.at += bytes;
        Some(u64::from_le_bytes(number))
    }

    /// Reads an argument: a value, or the elements of a vector.
    fn argument(&mut self) -> Option<Vec<PrintfValue>> {
        let tag = self.number(4)?;
        // Vectors of bytes, shorts, ints, longs, floats and doubles have tags of their own.
        let (tag, count) = match tag {
            9..=14 => ([1, 2, 3, 6, 4, 8][tag as usize - 9], self.number(4)? as usize),
            _ => (tag, 1),
        };
        let size = match tag {
            1 => 1,
            2 => 2,
            6..=8 => 8,
            _ => 4,
        };
        let end = self.at + count * size.max(4);
        let mut values = Vec::new();
        for _ in 0..count {
            let bits = self.number(size)?;
            values.push(match tag {
                4 => PrintfValue::Float(f64::from(f32::from_bits(bits as u32))),
                8 => PrintfValue::Float(f64::from_bits(bits)),
                _ => PrintfValue::Int { bits, size },
            });
        }
        self.at = end;
        Some(values)
    }
}

#[derive(Clone, Copy)]
enum PrintfValue {
    /// An integer, a pointer or the number of a string, of `size` bytes.
    Int {
        bits: u64,
        size: usize,
    },
    Float(f64),
}

/// Appends `format` to `out`, with its conversions replaced by arguments. `None`: there are too few.
fn expand(
    out: &mut String,
    format: &str,
    strings: &[(u32, String)],
    records: &mut Records<'_>,
) -> Option<()> {
    let mut rest = format;
    while let Some((text, after)) = rest.split_once('%') {
        out.push_str(text);
        rest = after;
        let Some(conversion) = Conversion::parse(&mut rest) else { continue };
        if conversion.kind == '%' {
            out.push('%');
            continue;
        }
        for (index, value) in records.argument()?.into_iter().enumerate() {
            if index > 0 {
                out.push(',');
            }
            conversion.write(out, value, strings);
        }
    }
    out.push_str(rest);
    Some(())
}

/// A conversion of a format string.
struct Conversion<'a> {
    flags: &'a str,
    width: usize,
    precision: Option<usize>,
    kind: char,
}

impl<'a> Conversion<'a> {
    /// Takes the conversion after a `%` from the beginning of `rest`; `None`: the text ends before its letter.
    fn parse(rest: &mut &'a str) -> Option<Self> {
        let text = rest.trim_start_matches(['-', '+', ' ', '#', '0']);
        let flags = &rest[..rest.len() - text.len()];
        *rest = text;
        let width = digits(rest).unwrap_or(0);
        let precision = match rest.strip_prefix('.') {
            Some(text) => {
                *rest = text;
                Some(digits(rest).unwrap_or(0))
            }
            None => None,
        };
        // The number of elements is in the buffer, as is the size of a value.
        if let Some(text) = rest.strip_prefix('v') {
            *rest = text;
            digits(rest);
        }
        let mut letters = rest.trim_start_matches(['h', 'l']).chars();
        let kind = letters.next()?;
        *rest = letters.as_str();
        Some(Self { flags, width, precision, kind })
    }

    /// Appends a value.
    fn write(&self, out: &mut String, value: PrintfValue, strings: &[(u32, String)]) {
        let has = |flag| self.flags.contains(flag);
        let sign = |negative| match negative {
            true => "-",
            false if has('+') => "+",
            false if has(' ') => " ",
            false => "",
        };
        let (prefix, digits, zeros) = match (self.kind, value) {
            ('c', PrintfValue::Int { bits, .. }) => ("", char::from(bits as u8).to_string(), false),
            ('s', PrintfValue::Int { bits, .. }) => {
                let text = find(strings, bits).unwrap_or_default();
                ("", text.chars().take(self.precision.unwrap_or(usize::MAX)).collect(), false)
            }
            (kind, PrintfValue::Int { bits, size }) => {
                let unused = 64 - 8 * size as u32;
                let signed = (bits << unused) as i64 >> unused;
                let (prefix, digits) = match kind {
                    'u' => ("", bits.to_string()),
                    'o' => (if has('#') { "0" } else { "" }, format!("{bits:o}")),
                    'x' => (if has('#') { "0x" } else { "" }, format!("{bits:x}")),
                    'X' => (if has('#') { "0X" } else { "" }, format!("{bits:X}")),
                    'p' => ("0x", format!("{bits:x}")),
                    _ => (sign(signed < 0), signed.unsigned_abs().to_string()),
                };
                let least = self.precision.unwrap_or(0);
                (prefix, format!("{digits:0>least$}"), self.precision.is_none())
            }
            (kind, PrintfValue::Float(value)) => {
                let digits = float_digits(value.abs(), kind, self.precision.unwrap_or(6), has('#'));
                (sign(value.is_sign_negative()), digits, value.is_finite())
            }
        };
        let width = self.width.saturating_sub(prefix.len());
        let _ = match (has('-'), zeros && has('0')) {
            (true, _) => write!(out, "{prefix}{digits:<width$}"),
            (false, true) => write!(out, "{prefix}{digits:0>width$}"),
            (false, false) => write!(out, "{:>width$}", prefix.to_owned() + &digits, width = self.width),
        };
    }
}

/// Takes a number from the beginning of `text`, at most [`MOST`]; `None`: there is none.
fn digits(text: &mut &str) -> Option<usize> {
    let rest = text.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let number = &text[..text.len() - rest.len()];
    *text = rest;
    (!number.is_empty()).then(|| number.parse().unwrap_or(MOST).min(MOST))
}

/// Returns a float that is not negative as the conversion `kind` writes it; `all`: `%g` keeps zeros at the end.
fn float_digits(value: f64, kind: char, precision: usize, all: bool) -> String {
    let text = match kind.to_ascii_lowercase() {
        _ if value.is_nan() => "nan".to_owned(),
        _ if value.is_infinite() => "inf".to_owned(),
        'e' => exponential(value, precision),
        'g' => {
            let last = precision.max(1) - 1;
            let text = exponential(value, last);
            let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
            // The exponent decides between the two forms.
            let (digits, exponent) = match exponent.parse::<i32>() {
                Ok(at @ -4..) if at <= last as i32 => {
                    (format!("{value:.*}", (last as i32 - at) as usize), String::new())
                }
                _ => (digits.to_owned(), format!("e{exponent}")),
            };
            let digits = match digits.contains('.') && !all {
                true => digits.trim_end_matches('0').trim_end_matches('.'),
                false => &digits,
            };
            digits.to_owned() + &exponent
        }
        _ => format!("{value:.precision$}"),
    };
    if kind.is_ascii_uppercase() { text.to_uppercase() } else { text }
}

/// Returns a number with one digit before the point and an exponent of two digits at least.
fn exponential(value: f64, precision: usize) -> String {
    let text = format!("{value:.precision$e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let (sign, exponent) = exponent.strip_prefix('-').map_or(('+', exponent), |exponent| ('-', exponent));
    format!("{digits}e{sign}{exponent:0>2}")
}

#[cfg(test)]
mod tests {
    use super::text;

    /// The text of one record with these dwords of arguments.
    fn printed(format: &str, arguments: &[u32]) -> String {
        let dwords = [&[0, 7][..], arguments].concat();
        let buffer: Vec<u8> = dwords.iter().flat_map(|dword| dword.to_le_bytes()).collect();
        text(&buffer, &[(7, format.to_owned()), (9, "it's \\\"text\\\"".to_owned())])
    }

    #[test]
    fn conversions_are_those_of_c() {
        let int = [3, 42, 3, 42, 3, 42, 3, 42, 3, u32::MAX];
        assert_eq!(printed("%5d|%-5d|%05d|%+.3d|%i\\n", &int), "   42|42   |00042|+042|-1\n");
        let hexadecimal = [3, 255, 3, 255, 3, 255, 3, u32::MAX, 2, 0xffff];
        assert_eq!(printed("%x %#X %08x %u %o", &hexadecimal), "ff 0XFF 000000ff 4294967295 177777");
        assert_eq!(
            printed("100%% %c %6s|%.4s\\t.", &[3, 0x41, 5, 7, 5, 9]),
            "100% A 100%% %c %6s|%.4s\t.|it's\t."
        );
    }

    #[test]
    fn floats_are_those_of_c() {
        let of = |values: &[f32]| values.iter().flat_map(|value| [4, value.to_bits()]).collect::<Vec<_>>();
        let values = of(&[1.5, -1.5, 1.5, -0.25, 1234.5]);
        assert_eq!(
            printed("%f %8.2f %e %E %.1e", &values),
            "1.500000    -1.50 1.500000e+00 -2.500000E-01 1.2e+03"
        );
        let values = of(&[0.5, 1e10, 1e-5, 100_000.0, 1_000_000.0, 0.0]);
        assert_eq!(printed("%g %g %g %g %g %g", &values), "0.5 1e+10 1e-05 100000 1e+06 0");
        let values = of(&[f32::NAN, f32::NEG_INFINITY]);
        assert_eq!(printed("%05.1f %05F", &values), "  nan  -INF");
        // The largest width and precision.
        assert_eq!(printed("%99999.99999f", &of(&[1.0])).len(), 4098);
    }

    /// Longs, pointers and doubles have eight bytes, vectors the number of their elements.
    #[test]
    fn values_have_the_size_of_their_type() {
        let long = [6, 5, 1, 3, 2, 7, 0x1000, 0xffff, 8, 0, 0x3ff8_0000, 3, 4];
        assert_eq!(printed("%ld %d %p %f %d", &long), "4294967301 2 0xffff00001000 1.500000 4");
        let vectors = [13, 2, 1.5f32.to_bits(), 2.5f32.to_bits(), 9, 4, 0xff01_0302, 0, 0, 0, 3, 5];
        assert_eq!(printed("%4.1v2hlf %v4hhd %d", &vectors), " 1.5, 2.5 2,3,1,-1 5");
        let longs = [12, 2, 1, 0, 0, 1, 11, 2, 7, 8];
        assert_eq!(printed("(%v2lx) %v2d", &longs), "(1,100000000) 7,8");
        // An argument is missing.
        assert_eq!(printed("%d %d", &[3, 4, 6, 5]), "4 ");
    }
}
