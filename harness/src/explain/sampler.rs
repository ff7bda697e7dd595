//! Units, meanings and rules of the fields of SAMPLER_STATE.

use super::rows::{About, Row};
use super::units::{Unit, code, counted};
use texwire::state::{Filter, MipFilter, SamplerState};

use Unit::{Address, Code, Fixed8, Flag, Plain, Signed8};

const FILTER: Unit = code!(Filter);
const ADDRESS: Unit = code!(AddressMode);
const ALWAYS: About = About::Always;
const KEYED: About = About::When(|dwords| sampler(dwords).chroma_key(), "only with ChromaKey Enable");
const REDUCED: About =
    About::When(|dwords| sampler(dwords).reduction_enable(), "only with Reduction Type Enable");
const ANISOTROPIC: About = About::When(
    |dwords| {
        let state = sampler(dwords);
        [state.min_filter(), state.mag_filter()].contains(&Filter::Anisotropic)
    },
    "only with an ANISOTROPIC filter",
);

pub(super) fn sampler(dwords: &[u32]) -> SamplerState {
    SamplerState { dwords: super::padded(dwords) }
}

#[rustfmt::skip]
pub(super) const ROWS: &[Row] = &[
    Row("Anisotropic Algorithm", code!(AnisoAlgorithm), "How anisotropic filtering places its probes.", ANISOTROPIC),
    Row("Texture LOD Bias", Signed8(13, "levels"), "Added to the LOD, S4.8.", ALWAYS),
    Row("Min Mode Filter", FILTER, "Filter when the texture is reduced.", ALWAYS),
    Row("Mag Mode Filter", FILTER, "Filter when the texture is enlarged.", ALWAYS),
    Row("Mip Mode Filter", code!(MipFilter), "Choice of levels.", ALWAYS),
    Row("Coarse LOD Quality Mode", Plain, "How coarse the LOD may be.", ALWAYS),
    Row("LOD PreClamp Mode", code!(LodPreclamp), "Whether the LOD is clamped before the choice of filter.", ALWAYS),
    Row("Texture Border Color Mode", code!(BorderMode), "Rules of the border colour.", ALWAYS),
    Row("CPS LOD Compensation Enable", Flag, "The LOD is compensated for coarse pixels.", ALWAYS),
    Row("Sampler Disable", Flag, "Every channel reads 0.", ALWAYS),
    Row("Cube Surface Control Mode", Code(|raw| (
        ["PROGRAMMED", "OVERRIDE"][raw as usize & 1].to_owned(),
        ["Cubes use the address modes.", "Cubes ignore the address modes of U and V and are seamless."][raw as usize & 1],
    )), "Address modes of cubes.", ALWAYS),
    Row("Shadow Function", code!(CompareFunction), "Hardware gives 0 where texel OP reference holds, 1 elsewhere.", ALWAYS),
    Row("ChromaKey Mode", code!(ChromaKeyMode), "What happens to texels that match the key.", KEYED),
    Row("ChromaKey Index", Plain, "Entry of the chroma key table.", KEYED),
    Row("ChromaKey Enable", Flag, "Texels are compared with the key.", ALWAYS),
    Row("Max LOD", Fixed8("levels"), "Highest LOD, U4.8, at most 14.", ALWAYS),
    Row("Min LOD", Fixed8("levels"), "Lowest LOD, U4.8, at most 14.", ALWAYS),
    Row("LOD Clamp Magnification Mode", Code(|raw| (
        ["MIPNONE", "MIPFILTER"][raw as usize & 1].to_owned(),
        ["Magnification uses the first level.", "Magnification uses the mip filter."][raw as usize & 1],
    )), "Level of enlarged textures.", ALWAYS),
    Row("SRGB DECODE", Code(|raw| (
        ["DECODE_EXT", "SKIP_DECODE_EXT"][raw as usize & 1].to_owned(),
        ["sRGB texels are made linear.", "sRGB texels are read as they are."][raw as usize & 1],
    )), "sRGB formats.", ALWAYS),
    Row("Return Filter Weight for Null Texels", Flag, "The filter weight of null texels is returned.", ALWAYS),
    Row("Return Filter Weight for Border Texels", Flag, "The filter weight of border texels is returned.", ALWAYS),
    Row("Force gather4 Behavior", Flag, "Every sample message is a gather4.", ALWAYS),
    Row("Border Color Pointer", Address(6), "Byte offset of the border colour from dynamic state base.", ALWAYS),
    Row("TCZ Address Control Mode", ADDRESS, "Address mode of R.", ALWAYS),
    Row("TCY Address Control Mode", ADDRESS, "Address mode of V.", ALWAYS),
    Row("TCX Address Control Mode", ADDRESS, "Address mode of U.", ALWAYS),
    Row("Reduction Type Enable", Flag, "The reduction type counts.", ALWAYS),
    Row("Non-normalized Coordinate Enable", Flag, "Coordinates are texels, not 0 to 1.", ALWAYS),
    Row("Trilinear Filter Quality", code!(TrilinearQuality), "When one level is enough.", ALWAYS),
    Row("R Address Min Filter Rounding Enable", Flag, "R is rounded before the min filter.", ALWAYS),
    Row("R Address Mag Filter Rounding Enable", Flag, "R is rounded before the mag filter.", ALWAYS),
    Row("V Address Min Filter Rounding Enable", Flag, "V is rounded before the min filter.", ALWAYS),
    Row("V Address Mag Filter Rounding Enable", Flag, "V is rounded before the mag filter.", ALWAYS),
    Row("U Address Min Filter Rounding Enable", Flag, "U is rounded before the min filter.", ALWAYS),
    Row("U Address Mag Filter Rounding Enable", Flag, "U is rounded before the mag filter.", ALWAYS),
    Row("Maximum Anisotropy", Code(|raw| (format!("{}:1", raw * 2 + 2), "")), "Largest ratio of anisotropy.", ANISOTROPIC),
    Row("Reduction Type", code!(ReductionType), "How texels become one.", REDUCED),
    Row("Allow Low Quality LOD Calculation", Flag, "The LOD may be less exact.", ALWAYS),
];

/// The rules, each with the fields that it is about.
#[rustfmt::skip]
pub(super) const RULES: &[(&str, &[&str])] = &[
    ("reserved-bits", &["(no field)"]),
    ("field-not-on-platform", &["CPS LOD Compensation Enable", "SRGB DECODE", "Return Filter Weight for Null Texels", "Return Filter Weight for Border Texels", "Force gather4 Behavior", "Allow Low Quality LOD Calculation"]),
    ("filter-reserved", &["Min Mode Filter", "Mag Mode Filter"]),
    ("mip-filter-reserved", &["Mip Mode Filter"]),
    ("lod-preclamp-reserved", &["LOD PreClamp Mode"]),
    ("lod-range", &["Min LOD", "Max LOD"]),
    ("non-normalized-address", &["Non-normalized Coordinate Enable", "TCX Address Control Mode", "TCY Address Control Mode", "TCZ Address Control Mode"]),
    ("non-normalized-filter", &["Non-normalized Coordinate Enable", "Min Mode Filter", "Mag Mode Filter"]),
    ("non-normalized-mip", &["Non-normalized Coordinate Enable", "Mip Mode Filter"]),
    ("non-normalized-lod", &["Non-normalized Coordinate Enable", "Min LOD", "Max LOD", "Texture LOD Bias"]),
];

/// Returns the LOD clamps as in `LOD 0 to 14`, or `LOD 3 to 2.5, held at 2.5` if Min LOD is not below Max LOD, whose clamp comes last.
fn lod_clamps(least: u32, most: u32) -> String {
    let [least, most] = [least, most].map(|lod| f64::from(lod) / 256.0);
    let held = if least >= most { format!(", held at {most}") } else { String::new() };
    format!("LOD {least} to {most}{held}")
}

/// Returns a summary as in `mag LINEAR, min LINEAR, mip NEAREST, U WRAP, V CLAMP, R WRAP, LOD 0 to 14`.
pub(super) fn summary(dwords: &[u32]) -> String {
    let state = sampler(dwords);
    let name = super::shouted;
    if state.disable() {
        return "disabled: every channel reads 0".to_owned();
    }
    let [u, v, r] = state.address_modes().map(|mode| name(mode.name()));
    let mut parts = vec![
        format!("mag {}, min {}", name(state.mag_filter().name()), name(state.min_filter().name())),
        format!("mip {}", name(state.mip_filter().name())),
        if u == v && v == r { format!("address {u}") } else { format!("U {u}, V {v}, R {r}") },
        lod_clamps(state.min_lod(), state.max_lod()),
    ];
    if state.lod_bias() != 0 {
        parts.push(format!("bias {}", f64::from(state.lod_bias()) / 256.0));
    }
    if (ANISOTROPIC).holds(dwords) {
        parts.push(format!("at most {}:1", state.max_anisotropy()));
    }
    if let Some(reduction) = state.reduction() {
        parts.push(format!("reduction {}", name(reduction.name())));
    }
    if state.non_normalized() {
        parts.push("coordinates in texels".to_owned());
    }
    if state.mip_filter() == MipFilter::None && state.max_lod() > 0 && state.min_lod() > 0 {
        parts.push(counted(u64::from(state.min_lod() >> 8), "levels") + " skipped");
    }
    parts.join(", ")
}
