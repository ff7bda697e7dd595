//! Bytes as hexadecimal text; errors name the column.

/// Returns bytes as lower-case hex.
pub fn encode(bytes: &[u8]) -> String {
    let digit = |value: u8| char::from(b"0123456789abcdef"[usize::from(value)]);
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

/// Parses hex; white space is ignored.
///
/// # Errors
/// A character that is not a digit, or an odd number of digits; the sentence names the column, counted without white space.
pub fn decode(text: &str) -> Result<Vec<u8>, String> {
    let digits: Vec<char> = text.chars().filter(|c| !c.is_whitespace()).collect();
    let (pairs, []) = digits.as_chunks::<2>() else {
        return Err(format!("hex at column {}: an odd number of digits", digits.len()));
    };
    let value = |digit: char| digit.to_digit(16).and_then(|value| u8::try_from(value).ok());
    let byte = |(index, &[high, low]): (usize, &[char; 2])| match (value(high), value(low)) {
        (Some(high), Some(low)) => Ok(high << 4 | low),
        _ => Err(format!("hex at column {}: `{high}{low}` is no byte", index * 2 + 1)),
    };
    pairs.iter().enumerate().map(byte).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_come_back_and_errors_name_the_column() {
        assert_eq!(decode("00 7F\nff").unwrap(), [0, 0x7f, 0xff]);
        assert_eq!(encode(&[0, 0x7f, 0xff]), "007fff");
        assert_eq!(decode("00+f").unwrap_err(), "hex at column 3: `+f` is no byte");
        assert_eq!(decode("123").unwrap_err(), "hex at column 3: an odd number of digits");
    }
}
