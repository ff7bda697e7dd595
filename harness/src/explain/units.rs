//! Shows the bits of fields as text: the value with its unit, and the name and sentence of codes.

use texwire::enums::SurfaceFormat;
use texwire::state::{FieldCodec, Raw};

/// A function that returns the name of a code and a sentence about it.
pub(super) type Named = fn(u64) -> (String, &'static str);

/// How a raw field encodes its value.
#[derive(Clone, Copy)]
pub(super) enum Unit {
    /// Off or on.
    Flag,
    /// A number, with its unit.
    Count(&'static str),
    /// The field is the number minus 1.
    Minus1(&'static str),
    /// The field is a quarter of the number.
    Quarter(&'static str),
    /// A fixed-point number with 8 fractional bits.
    Fixed8(&'static str),
    /// A fixed-point number with 8 fractional bits, in two's complement of this many bits.
    Signed8(u32, &'static str),
    /// Unsigned with one fractional bit.
    Fixed1(&'static str),
    /// An address or offset without this many low bits.
    Address(u32),
    /// The field is the base-2 logarithm of the number.
    Log2(&'static str),
    /// A code with a name.
    Code(Named),
    /// A 32-bit pattern that is a float or an integer, depending on the format.
    Pattern,
    /// A number without a unit: an index, or a code that needs no name.
    Plain,
}

/// The unit of a field that has the codes of a core enumeration, with their names and sentences.
macro_rules! code {
    ($type:ident) => {
        $crate::explain::units::Unit::Code(|raw| {
            let code =
                <texwire::state::Raw<texwire::state::$type> as texwire::state::FieldCodec>::decode(raw);
            ($crate::explain::shouted(code.name()), code.text())
        })
    };
}
pub(super) use code;

impl Unit {
    /// Returns the value as text, and the sentence of its code (empty if it has none).
    pub(super) fn show(self, raw: u64) -> (String, &'static str) {
        let fixed = |value: i64, unit: &str| counted_float(value as f64 / 256.0, unit);
        let text = match self {
            Self::Flag => if raw == 0 { "no" } else { "yes" }.to_owned(),
            Self::Count(unit) => counted(raw, unit),
            Self::Minus1(unit) => counted(raw + 1, unit),
            Self::Quarter(unit) => counted(raw * 4, unit),
            Self::Fixed8(unit) => fixed(raw as i64, unit),
            Self::Signed8(width, unit) => {
                fixed(i64::from(texwire::bits::sign_extend(raw as u32, width)), unit)
            }
            Self::Fixed1(unit) => counted_float(raw as f64 / 2.0, unit),
            Self::Address(shift) => format!("{:#x}", raw << shift),
            Self::Log2(unit) => counted(1 << raw.min(63), unit),
            Self::Code(named) => return named(raw),
            Self::Pattern => pattern(raw as u32),
            Self::Plain => raw.to_string(),
        };
        (text, "")
    }
}

/// Returns a number with its unit: `1 texel`, `2 texels`. `unit` is the plural.
pub(super) fn counted(number: u64, unit: &str) -> String {
    let unit = if number == 1 { singular(unit) } else { unit };
    format!("{number} {unit}").trim_end().to_owned()
}

fn counted_float(number: f64, unit: &str) -> String {
    let unit = if number == 1.0 { singular(unit) } else { unit };
    format!("{number} {unit}").trim_end().to_owned()
}

fn singular(unit: &str) -> &str {
    match unit {
        "entries" => "entry",
        _ => unit.strip_suffix('s').unwrap_or(unit),
    }
}

/// Returns a 32-bit pattern as text: the float and the integer that it may be.
pub(super) fn pattern(bits: u32) -> String {
    let float = f32::from_bits(bits);
    match bits {
        0 => "0".to_owned(),
        _ if float.is_normal() && (1e-6..1e9).contains(&float.abs()) => format!("{float} or {bits}"),
        _ if float.is_nan() || float.is_infinite() => format!("{float} or {bits}"),
        _ => format!("{bits} or {float:e}"),
    }
}

/// Returns the name of a surface format, and a sentence about how its elements are read.
pub(super) fn format(raw: u64) -> (String, &'static str) {
    let format = <Raw<SurfaceFormat> as FieldCodec>::decode(raw);
    let name = texwire::format::name(format).map_or_else(|| "undefined".to_owned(), str::to_owned);
    let Some(info) = texwire::format::info(format) else {
        return (name, "A code that the SURFACE_FORMAT table or this crate does not have.");
    };
    let said = match (info.is_block(), info.kind) {
        (true, _) => "Blocks of texels.",
        (false, texwire::format::TexelKind::Float) => "Texels read as floats.",
        (false, _) => "Texels read as integers.",
    };
    (name, said)
}
