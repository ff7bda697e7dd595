//! Decodes SAMPLER_STATE (gen-state page, section 3).

use crate::emulator::state::{sampler as field, signed};

/// Mag or min filter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Filter {
    Nearest,
    Linear,
    Anisotropic,
}

/// Mip filter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Mip {
    None,
    Nearest,
    Linear,
}

/// How a filter combines its texels (Reduction Type).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Reduction {
    Standard,
    Minimum,
    Maximum,
}

/// A decoded sampler.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Sampler {
    pub disable: bool,
    /// LOD PreClamp Mode is OGL.
    pub preclamp: bool,
    pub mip: Mip,
    /// ChromaKey is enabled, in the mode that kills lanes.
    pub keyed: bool,
    /// The filters for magnification and minification, in this order.
    pub filter: [Filter; 2],
    pub bias: f64,
    pub min_lod: f64,
    pub max_lod: f64,
    pub shadow: u64,
    pub cube_override: bool,
    pub skip_srgb: bool,
    /// LOD Clamp Magnification Mode is MIPFILTER.
    pub mag_mipfilter: bool,
    pub reduction: Reduction,
    pub max_aniso: f64,
    /// The address rounding enables of U, V, R: those of the mag filter, then those of the min filter.
    pub rounding: [[bool; 3]; 2],
    pub quality: u64,
    pub non_normalized: bool,
    /// Texture Coordinate Modes of U, V, R.
    pub modes: [u64; 3],
}

impl Sampler {
    /// Decodes a state and refuses what is not supported.
    ///
    /// # Errors
    /// A reserved or unsupported code.
    pub fn of(state: &[u32; 4]) -> Result<Self, String> {
        let get = |name| field(state, name);
        let filter = |name| match get(name) {
            0 => Ok(Filter::Nearest),
            1 => Ok(Filter::Linear),
            2 => Ok(Filter::Anisotropic),
            6 => Err(format!("{name} MONO is not supported")),
            code => Err(format!("reserved {name} {code}")),
        };
        let rounding = |which: &str| {
            ["U", "V", "R"]
                .map(|axis| field(state, &format!("{axis} Address {which} Filter Rounding Enable")) == 1)
        };
        for (name, why) in [
            ("Return Filter Weight for Null Texels", "what it returns is not published"),
            ("Return Filter Weight for Border Texels", "what it returns is not published"),
            ("Force gather4 Behavior", "what it forces is not published"),
        ] {
            if get(name) == 1 {
                return Err(format!("{name}: {why}"));
            }
        }
        if (get("ChromaKey Enable"), get("ChromaKey Mode")) == (1, 1) {
            return Err("ChromaKey replaces texels: how channels are compared is not published".into());
        }
        Ok(Self {
            keyed: get("ChromaKey Enable") == 1,
            disable: get("Sampler Disable") == 1,
            preclamp: get("LOD PreClamp Mode") == 2,
            mip: match get("Mip Mode Filter") {
                0 => Mip::None,
                1 => Mip::Nearest,
                3 => Mip::Linear,
                code => return Err(format!("reserved Mip Mode Filter {code}")),
            },
            filter: [filter("Mag Mode Filter")?, filter("Min Mode Filter")?],
            bias: signed(get("Texture LOD Bias"), 13) as f64 / 256.0,
            min_lod: get("Min LOD") as f64 / 256.0,
            max_lod: get("Max LOD") as f64 / 256.0,
            shadow: get("Shadow Function"),
            cube_override: get("Cube Surface Control Mode") == 1,
            skip_srgb: get("SRGB DECODE") == 1,
            mag_mipfilter: get("LOD Clamp Magnification Mode") == 1,
            reduction: match (get("Reduction Type Enable"), get("Reduction Type")) {
                (1, 2) => Reduction::Minimum,
                (1, 3) => Reduction::Maximum,
                _ => Reduction::Standard,
            },
            max_aniso: 2.0 * (get("Maximum Anisotropy") as f64 + 1.0),
            rounding: [rounding("Mag"), rounding("Min")],
            quality: get("Trilinear Filter Quality"),
            non_normalized: get("Non-normalized Coordinate Enable") == 1,
            modes: ["TCX", "TCY", "TCZ"].map(|axis| field(state, &format!("{axis} Address Control Mode"))),
        })
    }

    /// Compares a texel as the hardware does: returns 0.0 when (texel OP reference) is true, else 1.0 (sampling page, section 5).
    pub fn shadow(&self, texel: f64, reference: f64) -> f64 {
        let lit = match self.shadow {
            0 => true,
            1 => false,
            2 => texel < reference,
            3 => texel == reference,
            4 => texel <= reference,
            5 => texel > reference,
            6 => texel != reference,
            _ => texel >= reference,
        };
        if lit { 0.0 } else { 1.0 }
    }
}
