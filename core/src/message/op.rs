//! The table of operations: parameter order, LOD source, and whether an operation compares, gathers, uses a sampler or takes offsets.

use super::Width;
use Param::*;

/// A parameter of a message: one value per lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Param {
    /// Normalized x coordinate (ld: integer texel).
    U,
    /// Normalized y coordinate; 1D array: the array index.
    V,
    /// Normalized z coordinate; 2D array: the array index.
    R,
    /// Array index of a cube array.
    Ai,
    /// Minimum LOD.
    Mlod,
    /// LOD bias.
    Bias,
    /// LOD (float; integer for ld and resinfo).
    Lod,
    /// Reference value of the comparison.
    Ref,
    /// du/dx.
    DuDx,
    /// du/dy.
    DuDy,
    /// dv/dx.
    DvDx,
    /// dv/dy.
    DvDy,
    /// dr/dx.
    DrDx,
    /// dr/dy.
    DrDy,
    /// Programmable offset in U, integer.
    OffU,
    /// Programmable offset in V, integer.
    OffV,
    /// Programmable offsets in U and V, packed.
    OffUv,
    /// Programmable offsets in U and V, packed, with the R coordinate or array index.
    OffUvR,
    /// LOD with packed programmable offsets.
    LodOffUv,
    /// LOD bias with packed programmable offsets.
    BiasOffUv,
    /// Sample index.
    Si,
    /// MCS value, word 0 (the low dword of the 32-bit form).
    Mcs0,
    /// MCS value, word 1 (the high dword of the 32-bit form).
    Mcs1,
    /// MCS value, word 2 (16-bit form).
    Mcs2,
    /// MCS value, word 3 (16-bit form).
    Mcs3,
}

/// Where an operation takes its LOD from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum LodSource {
    /// Derivatives of the subspan.
    Quad,
    /// Derivatives of the subspan plus the message's bias.
    QuadBias,
    /// The message's LOD.
    Explicit,
    /// LOD 0.
    Zero,
    /// The message's gradients, per lane.
    Gradients,
    /// The base level; no LOD is computed.
    Base,
    /// The message's integer level; no sampler is used.
    Integer,
    /// The operation reads no texels.
    None,
}

impl LodSource {
    /// Returns true if the LOD comes from derivatives: those of the subspan, or the message's gradients.
    pub const fn has_derivatives(self) -> bool {
        matches!(self, Self::Quad | Self::QuadBias | Self::Gradients)
    }
}

/// The properties of an operation that decide how it executes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct OpFlags {
    /// Where the LOD comes from.
    pub lod: LodSource,
    /// Compares with [`Param::Ref`].
    pub compare: bool,
    /// Returns the four texels of the bilinear footprint.
    pub gather: bool,
    /// Uses a SAMPLER_STATE.
    pub sampler: bool,
    /// Accepts immediate texel offsets.
    pub offsets: bool,
}

const fn flags(lod: LodSource) -> OpFlags {
    OpFlags { lod, compare: false, gather: false, sampler: true, offsets: true }
}
const fn compare(lod: LodSource) -> OpFlags {
    OpFlags { compare: true, ..flags(lod) }
}
const fn gather(lod: LodSource) -> OpFlags {
    OpFlags { gather: true, ..flags(lod) }
}
const fn gather_compare(lod: LodSource) -> OpFlags {
    OpFlags { compare: true, ..gather(lod) }
}
const fn load(lod: LodSource) -> OpFlags {
    OpFlags { sampler: false, ..flags(lod) }
}
const fn query() -> OpFlags {
    OpFlags { sampler: false, offsets: false, ..flags(LodSource::None) }
}

/// The position of each parameter in the payload, indexed by [`Param`]; `u8::MAX` if the operation does not have the parameter.
pub(crate) type ParamIndices = [u8; Param::Mcs3 as usize + 1];

#[allow(clippy::indexing_slicing, reason = "evaluated at compile time")]
const fn param_indices(params: &[Param]) -> ParamIndices {
    let mut indices = [u8::MAX; _];
    let mut index = 0;
    while index < params.len() {
        indices[params[index] as usize] = index as u8;
        index += 1;
    }
    indices
}

macro_rules! ops {
    ($($(#[$doc:meta])* $name:ident = $text:literal, $flags:expr, [$($param:ident)*];)*) => {
        /// A sampler operation, of any wire.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[cfg_attr(feature = "defmt", derive(defmt::Format))]
        #[non_exhaustive]
        pub enum Op { $($(#[$doc])* $name,)* }

        impl Op {
            /// Every operation.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// Returns the name, in the spelling of the vISA documents.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }

            /// Returns the properties that decide how the operation executes.
            #[inline]
            pub const fn flags(self) -> OpFlags {
                match self { $(Self::$name => $flags,)* }
            }

            const fn full_params(self) -> &'static [Param] {
                match self { $(Self::$name => &[$($param),*],)* }
            }

            const fn full_param_indices(self) -> &'static ParamIndices {
                match self { $(Self::$name => const { &param_indices(&[$($param),*]) },)* }
            }
        }
    };
}

ops! {
    /// Samples with implicit LOD.
    Sample = "sample", flags(LodSource::Quad), [U V R Ai Mlod];
    /// Samples with implicit LOD plus a bias.
    SampleB = "sample_b", flags(LodSource::QuadBias), [Bias U V R Ai Mlod];
    /// Samples with explicit LOD.
    SampleL = "sample_l", flags(LodSource::Explicit), [Lod U V R Ai];
    /// Samples with implicit LOD and comparison.
    SampleC = "sample_c", compare(LodSource::Quad), [Ref U V R Ai Mlod];
    /// Samples with gradients.
    SampleD = "sample_d", flags(LodSource::Gradients), [U DuDx DuDy V DvDx DvDy R DrDx DrDy Ai Mlod];
    /// Samples with implicit LOD plus a bias, and comparison.
    SampleBC = "sample_b_c", compare(LodSource::QuadBias), [Ref Bias U V R Ai];
    /// Samples with explicit LOD and comparison.
    SampleLC = "sample_l_c", compare(LodSource::Explicit), [Ref Lod U V R Ai];
    /// Samples with gradients and comparison.
    SampleDC = "sample_d_c", compare(LodSource::Gradients), [Ref U DuDx DuDy V DvDx DvDy R DrDx DrDy Ai];
    /// Samples with LOD 0.
    SampleLz = "sample_lz", flags(LodSource::Zero), [U V R Ai];
    /// Samples with LOD 0 and comparison.
    SampleCLz = "sample_c_lz", compare(LodSource::Zero), [Ref U V R Ai];
    /// Samples with implicit LOD; a register with the kill mask may follow the channels
    /// ([`Message::kill_mask`](super::Message::kill_mask)).
    SampleKillpix = "sample+killpix", flags(LodSource::Quad), [U V R];
    /// Returns the minimum of the footprint, of 2D surfaces: `sample` with reduction MINIMUM (the tools name it, no source describes it).
    SampleMin = "sample_min", flags(LodSource::Quad), [U V];
    /// Returns the maximum of the footprint, of 2D surfaces: `sample` with reduction MAXIMUM.
    SampleMax = "sample_max", flags(LodSource::Quad), [U V];
    /// Returns the LOD that `sample` would use: clamped in red, unclamped in green.
    Lod = "LOD", OpFlags { offsets: false, ..flags(LodSource::Quad) }, [U V R Ai];

    /// Fetches a texel.
    Ld = "ld", load(LodSource::Integer), [U V Lod R];
    /// Fetches a texel of level 0.
    LdLz = "ld_lz", load(LodSource::Base), [U V R];
    /// Fetches a value of the multisample control surface.
    LdMcs = "ld_mcs", load(LodSource::Integer), [U V R Lod];
    /// Fetches a texel of a multisampled surface, with an MCS value of any length.
    Ld2dmsW = "ld2dms_w", load(LodSource::Integer), [Si Mcs0 Mcs1 U V R Lod];
    /// Fetches a texel of a multisampled surface, with an MCS value of one dword.
    Ld2dms = "ld2dms", load(LodSource::Integer), [Si Mcs0 U V R Lod];
    /// Fetches a texel of one plane of a multisampled surface.
    Ld2dss = "ld2dss", load(LodSource::Integer), [Si U V R Lod];

    /// Gathers the four texels of the bilinear footprint, of the base level.
    Gather4 = "gather4", gather(LodSource::Base), [U V R Ai];
    /// Gathers four comparisons.
    Gather4C = "gather4_c", gather_compare(LodSource::Base), [Ref U V R Ai];
    /// Gathers with programmable offsets.
    Gather4Po = "gather4_po", gather(LodSource::Base), [U V OffU OffV R];
    /// Gathers with programmable offsets and comparison.
    Gather4PoC = "gather4_po_c", gather_compare(LodSource::Base), [Ref U V OffU OffV R];
    /// Gathers with explicit LOD.
    Gather4L = "gather4_l", gather(LodSource::Explicit), [Lod U V R Ai];
    /// Gathers with implicit LOD plus a bias.
    Gather4B = "gather4_b", gather(LodSource::QuadBias), [Bias U V R Ai];
    /// Gathers with implicit LOD.
    Gather4I = "gather4_i", gather(LodSource::Quad), [U V R Ai];
    /// Gathers with implicit LOD and comparison.
    Gather4IC = "gather4_i_c", gather_compare(LodSource::Quad), [Ref U V R Ai];
    /// Gathers with explicit LOD and comparison.
    Gather4LC = "gather4_l_c", gather_compare(LodSource::Explicit), [Ref Lod U V R Ai];
    /// Gathers with packed programmable offsets.
    Gather4PoPacked = "gather4_po_packed", gather(LodSource::Base), [U V R OffUv];
    /// Gathers with packed programmable offsets and comparison.
    Gather4PoCPacked = "gather4_po_c_packed", gather_compare(LodSource::Base), [Ref U V R OffUvR];
    /// Gathers with explicit LOD and packed programmable offsets.
    Gather4PoL = "gather4_po_l", gather(LodSource::Explicit), [LodOffUv U V R];
    /// Gathers with implicit LOD plus a bias, and packed programmable offsets.
    Gather4PoB = "gather4_po_b", gather(LodSource::QuadBias), [BiasOffUv U V R];
    /// Gathers with implicit LOD and packed programmable offsets.
    Gather4PoI = "gather4_po_i", gather(LodSource::Quad), [U V R OffUv];
    /// Gathers with implicit LOD, packed programmable offsets and comparison.
    Gather4PoIC = "gather4_po_i_c", gather_compare(LodSource::Quad), [Ref U V R OffUvR];
    /// Gathers with explicit LOD, packed programmable offsets and comparison.
    Gather4PoLC = "gather4_po_l_c", gather_compare(LodSource::Explicit), [Ref LodOffUv U V R];

    /// Returns the size of a level.
    Resinfo = "resinfo", query(), [Lod];
    /// Returns the number of samples.
    Sampleinfo = "sampleinfo", query(), [];

    /// NVIDIA TXQ: returns the size of a level and the number of levels.
    TxqDimension = "txq_dimension", query(), [Lod];
    /// NVIDIA TXQ: returns the sample count.
    TxqTextureType = "txq_texture_type", query(), [];
    /// NVIDIA TXQ: returns the position of a sample.
    TxqSamplerPos = "txq_sampler_pos", query(), [Si];
}

const LD2DMS_W_HALF: &[Param] = &[Si, Mcs0, Mcs1, Mcs2, Mcs3, U, V, R, Lod];

impl Op {
    /// Returns the position of each parameter in the payload: the inverse of [`params`](Self::params).
    pub(crate) const fn param_indices(self, width: Width) -> &'static ParamIndices {
        match (self, width) {
            (Self::Ld2dmsW, Width::Half) => const { &param_indices(LD2DMS_W_HALF) },
            _ => self.full_param_indices(),
        }
    }

    /// Returns the parameters in payload order. A message may leave out trailing parameters, which are then 0.
    ///
    /// Only `ld2dms_w` depends on the width: its MCS value is two dwords or four words.
    pub const fn params(self, width: Width) -> &'static [Param] {
        match (self, width) {
            (Self::Ld2dmsW, Width::Half) => LD2DMS_W_HALF,
            _ => self.full_params(),
        }
    }

    /// Returns true if the parameter is an integer: programmable offsets (not those packed with the LOD or bias), and every parameter of an
    /// operation without a sampler (loads and queries). All other parameters are floats.
    pub(crate) const fn takes_integer(self, param: Param) -> bool {
        let offset = matches!(param, Param::OffU | Param::OffV | Param::OffUv | Param::OffUvR);
        offset || !self.flags().sampler
    }

    /// Returns true if the operation needs the coordinates of all four lanes of a subspan, active or not.
    pub const fn needs_quad(self) -> bool {
        matches!(self.flags().lod, LodSource::Quad | LodSource::QuadBias)
    }

    /// Returns the operation with this [`name`](Self::name).
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|op| op.name() == name)
    }
}
