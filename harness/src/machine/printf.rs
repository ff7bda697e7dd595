//! The output of `printf` in kernels: records in a buffer, with format strings from the device binary.

use std::fmt::Write;

/// Type tags of arguments in a record; other tags are integers.
const DOUBLE: u32 = 8;
const FLOAT: u32 = 4;

/// Returns the text of a printf buffer. Its first dword counts bytes, records follow: a string number, then a tag and a value for each
/// argument.
pub fn text(buffer: &[u8], strings: &[(u32, String)]) -> String {
    let dword = |at: usize| {
        let bytes = buffer.get(at..at + 4)?.first_chunk::<4>()?;
        Some(u32::from_le_bytes(*bytes))
    };
    let mut out = String::new();
    let mut at = 4;
    while let Some(number) = dword(at) {
        at += 4;
        let Some((_, format)) = strings.iter().find(|(known, _)| *known == number) else { break };
        let mut argument = || {
            let (tag, low) = (dword(at)?, dword(at + 4)?);
            at += 8;
            Some(match tag {
                FLOAT => PrintfValue::Float(f64::from(f32::from_bits(low))),
                DOUBLE => {
                    let high = dword(at)?;
                    at += 4;
                    PrintfValue::Float(f64::from_bits(u64::from(high) << 32 | u64::from(low)))
                }
                _ => PrintfValue::Int(low),
            })
        };
        expand(&mut out, format, strings, &mut argument);
    }
    out
}

enum PrintfValue {
    Int(u32),
    Float(f64),
}

/// Appends `format` to `out`, with its conversions replaced by arguments.
fn expand(
    out: &mut String,
    format: &str,
    strings: &[(u32, String)],
    argument: &mut dyn FnMut() -> Option<PrintfValue>,
) {
    let mut rest = format.chars().peekable();
    while let Some(letter) = rest.next() {
        if letter != '%' {
            out.push(letter);
            continue;
        }
        let mut precision = None;
        loop {
            match rest.next() {
                Some('%') => out.push('%'),
                Some('.') => {
                    let mut digits = String::new();
                    while let Some(digit) = rest.next_if(char::is_ascii_digit) {
                        digits.push(digit);
                    }
                    precision = digits.parse::<usize>().ok();
                    continue;
                }
                Some(c) if c.is_ascii_alphabetic() && !matches!(c, 'h' | 'l' | 'v') => {
                    let Some(value) = argument() else { return };
                    let _ = write_value(out, c, precision, &value, strings);
                }
                Some(_) => continue,
                None => {}
            }
            break;
        }
    }
}

fn write_value(
    out: &mut String,
    conversion: char,
    precision: Option<usize>,
    value: &PrintfValue,
    strings: &[(u32, String)],
) -> std::fmt::Result {
    match (conversion, value) {
        ('x', PrintfValue::Int(value)) => write!(out, "{value:x}"),
        ('X', PrintfValue::Int(value)) => write!(out, "{value:X}"),
        ('o', PrintfValue::Int(value)) => write!(out, "{value:o}"),
        ('u', PrintfValue::Int(value)) => write!(out, "{value}"),
        ('c', PrintfValue::Int(value)) => write!(out, "{}", char::from(*value as u8)),
        ('s', PrintfValue::Int(value)) => {
            let string = strings.iter().find(|(number, _)| number == value);
            write!(out, "{}", string.map_or("", |(_, text)| text))
        }
        ('e' | 'E', PrintfValue::Float(value)) => write!(out, "{value:.*e}", precision.unwrap_or(6)),
        (_, PrintfValue::Float(value)) => write!(out, "{value:.*}", precision.unwrap_or(6)),
        (_, PrintfValue::Int(value)) => write!(out, "{}", *value as i32),
    }
}
