//! Explains Intel's state structures: the core's tables of fields, with units and meanings.

use super::rows::{self, About, Row};
use super::units::{Unit, pattern};
use super::{Explained, FieldLine, in_hex, padded, sampler, surface};
use texwire::Platform;
use texwire::state::{
    BindingTableEntry, BorderColor, Field, InterfaceDescriptor, SamplerState, SurfaceState,
};

/// A state structure that `explain --state` knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "command", derive(clap::ValueEnum))]
pub enum StateKind {
    /// RENDER_SURFACE_STATE, 16 dwords
    Surface,
    /// SAMPLER_STATE, 4 dwords
    Sampler,
    /// SAMPLER_BORDER_COLOR_STATE, 4 dwords
    Border,
    /// BINDING_TABLE_STATE, a dword an entry
    BindingTable,
    /// INTERFACE_DESCRIPTOR_DATA, 8 dwords
    InterfaceDescriptor,
    /// NVIDIA texture header (TIC), 8 dwords
    #[cfg_attr(feature = "command", value(alias = "tic"))]
    NvHeader,
    /// NVIDIA sampler entry (TSC), 8 dwords
    #[cfg_attr(feature = "command", value(alias = "tsc"))]
    NvSampler,
}

impl StateKind {
    /// Returns the number of dwords of one structure.
    pub const fn dwords(self) -> usize {
        match self {
            Self::Surface => 16,
            Self::Sampler | Self::Border => 4,
            Self::BindingTable => 1,
            Self::InterfaceDescriptor | Self::NvHeader | Self::NvSampler => 8,
        }
    }

    /// Returns the structure's name in the manual.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Surface => "RENDER_SURFACE_STATE",
            Self::Sampler => "SAMPLER_STATE",
            Self::Border => "SAMPLER_BORDER_COLOR_STATE",
            Self::BindingTable => "BINDING_TABLE_STATE",
            Self::InterfaceDescriptor => "INTERFACE_DESCRIPTOR_DATA",
            Self::NvHeader => "texture header",
            Self::NvSampler => "sampler entry",
        }
    }
}

#[rustfmt::skip]
pub(super) const BORDER: &[Row] = &[
    Row("Border Color 32bit Red", Unit::Pattern, "Red: a float, or an integer for integer formats.", About::Always),
    Row("Border Color 32bit Green", Unit::Pattern, "Green.", About::Always),
    Row("Border Color 32bit Blue", Unit::Pattern, "Blue.", About::Always),
    Row("Border Color 32bit Alpha", Unit::Pattern, "Alpha.", About::Always),
];
pub(super) const BINDING: &[Row] = &[Row(
    "Surface State Pointer",
    Unit::Address(6),
    "Byte offset of the surface state from surface state base.",
    About::Always,
)];
#[rustfmt::skip]
pub(super) const INTERFACE: &[Row] = &[
    Row("Sampler Count", Unit::Count("samplers"), "Compilers store the plain count; the PRM speaks of groups of four.", About::Always),
    Row("Sampler State Pointer", Unit::Address(5), "Byte offset of the sampler table from dynamic state base.", About::Always),
    Row("Binding Table Entry Count", Unit::Count("entries"), "Entries of the binding table.", About::Always),
    Row("Binding Table Pointer", Unit::Address(5), "Byte offset of the binding table from surface state base.", About::Always),
];

/// Explains one of Intel's structures; dwords that are missing read as 0.
///
/// NVIDIA's structures are explained as of class `Maxwell2`: [`super::texture_header`] and [`super::texture_sampler`] take a class.
pub fn state(kind: StateKind, dwords: &[u32], platform: Platform) -> Explained {
    match kind {
        StateKind::Surface => {
            let mut explained =
                fields(kind.name(), SurfaceState::FIELDS, surface::ROWS, dwords, surface::summary(dwords));
            surface::notes(dwords, &mut explained);
            explained.judge(surface::surface(dwords).validate(platform), surface::RULES);
            explained
        }
        StateKind::Sampler => {
            let mut explained =
                fields(kind.name(), SamplerState::FIELDS, sampler::ROWS, dwords, sampler::summary(dwords));
            explained.judge(sampler::sampler(dwords).validate(platform), sampler::RULES);
            explained
        }
        StateKind::Border => {
            let shown: Vec<String> = dwords.iter().take(4).map(|&dword| pattern(dword)).collect();
            fields(
                kind.name(),
                BorderColor::FIELDS,
                BORDER,
                dwords,
                format!("R, G, B, A {}", shown.join(", ")),
            )
        }
        StateKind::BindingTable => {
            let entry = BindingTableEntry { dwords: padded(dwords) };
            let summary = format!("surface state at {:#x}", entry.surface_offset());
            let mut explained = fields(kind.name(), BindingTableEntry::FIELDS, BINDING, dwords, summary);
            if entry.low_bits() != 0 {
                explained.breaks(
                    "reserved-bits",
                    "Bits 5:0 of a binding table entry are 0.",
                    &["(no field)"],
                );
            }
            explained
        }
        StateKind::InterfaceDescriptor => {
            let it = InterfaceDescriptor { dwords: padded(dwords) };
            let summary = format!(
                "{} samplers at {:#x}, {} surfaces at {:#x}",
                it.sampler_count(),
                it.sampler_table(),
                it.binding_count(),
                it.binding_table()
            );
            let mut explained = fields(kind.name(), InterfaceDescriptor::FIELDS, INTERFACE, dwords, summary);
            explained.fields.retain(|line| line.name != "(no field)");
            explained
                .notes
                .push("dwords 0 to 2 and 5 to 7 have no pointers of samplers or surfaces".to_owned());
            explained
        }
        StateKind::NvHeader => super::texture_header(texwire::state::nv::Class::Maxwell2, dwords),
        StateKind::NvSampler => super::texture_sampler(texwire::state::nv::Class::Maxwell2, dwords),
    }
}

fn fields(what: &str, table: &[Field], rows: &[Row], dwords: &[u32], summary: String) -> Explained {
    let mut explained = Explained::new(what, summary);
    explained.raw = in_hex(dwords);
    explained.fields = table.iter().map(|field| line(field, rows, dwords)).collect();
    explained.fields.extend(strays(table, dwords));
    explained
}

/// Returns a line for each dword with bits that are set although no field has them.
fn strays(table: &[Field], dwords: &[u32]) -> Vec<FieldLine> {
    let mut rest = dwords.to_vec();
    rest.resize(dwords.len().max(2) + 2, 0);
    table.iter().for_each(|field| field.put(&mut rest, 0));
    let set = rest.iter().enumerate().filter(|(_, bits)| **bits != 0);
    let line = |(dword, bits): (usize, &u32)| {
        let (hi, lo) = (31 - bits.leading_zeros() as u8, bits.trailing_zeros() as u8);
        let place = rows::bits(dword as u8, hi, lo);
        let value = format!("{bits:#010x}");
        FieldLine::new(&place, "(no field)", u64::from(bits >> lo), &value, "Bits that no field has.")
    };
    set.map(line).collect()
}

fn line(field: &Field, rows: &[Row], dwords: &[u32]) -> FieldLine {
    let raw = field.get(dwords);
    let bits = rows::bits(field.dword, field.hi, field.lo);
    let Some(Row(_, unit, meaning, about)) = rows.iter().find(|row| row.0 == field.name) else {
        return FieldLine::new(&bits, field.name, raw, &raw.to_string(), "");
    };
    let (mut value, sentence) = unit.show(raw);
    let mut meaning =
        if sentence.is_empty() { (*meaning).to_owned() } else { format!("{meaning} {sentence}") };
    match about {
        About::When(holds, when) if !holds(dwords) => {
            value = "-".to_owned();
            meaning = format!("Not used here: {when}.");
        }
        About::Buffer(size) => {
            if let Some(size) = size(dwords) {
                value = raw.to_string();
                meaning = format!("Part of the size of the buffer, {size}.");
            }
        }
        About::When(..) | About::Always => {}
    }
    FieldLine::new(&bits, field.name, raw, &value, &meaning)
}
