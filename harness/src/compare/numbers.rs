//! Floats of reports: numbers, or text for what JSON has no number for.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

#[derive(Deserialize)]
#[serde(untagged)]
enum NumberOrText {
    Number(f64),
    Text(String),
}

/// Writes a number; `"inf"`, `"-inf"` and `"NaN"` as text, because JSON would have null for each of them.
pub(crate) fn serialize<S: Serializer>(value: &f64, to: S) -> Result<S::Ok, S::Error> {
    if value.is_finite() { value.serialize(to) } else { value.to_string().serialize(to) }
}

/// Reads what [`serialize`] writes.
pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    match NumberOrText::deserialize(from)? {
        NumberOrText::Number(value) => Ok(value),
        NumberOrText::Text(text) => text.parse().map_err(|_| {
            serde::de::Error::custom(format!("`{text}` is no number (expected inf, -inf or NaN)"))
        }),
    }
}
