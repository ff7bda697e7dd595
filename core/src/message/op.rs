//! The operations, as one table: parameter order, quad and sampler use, LOD source.

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
    /// 0.
    Zero,
    /// The message's gradients, per lane.
    Gradients,
    /// The base level, no LOD work at all.
    Base,
    /// The message's integer level, no sampler.
    Integer,
    /// The operation reads no texels.
    None,
}

impl LodSource {
    /// The LOD comes from derivatives: those of the subspan, or the message's gradients.
    pub const fn has_derivatives(self) -> bool {
        matches!(self, Self::Quad | Self::QuadBias | Self::Gradients)
    }
}

/// What kind of work an operation is.
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

/// The index of each parameter in a payload; past its end: an operation without it.
pub(crate) type ParamIndices = [u8; Param::Mcs3 as usize + 1];

#[allow(clippy::indexing_slicing, reason = "evaluated at compile time")]
const fn places(params: &[Param]) -> ParamIndices {
    let mut places = [u8::MAX; _];
    let mut index = 0;
    while index < params.len() {
        places[params[index] as usize] = index as u8;
        index += 1;
    }
    places
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

            /// The name, in the vISA documents' spelling.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }

            /// What kind of work it is.
            #[inline]
            pub const fn flags(self) -> OpFlags {
                match self { $(Self::$name => $flags,)* }
            }

            const fn full_params(self) -> &'static [Param] {
                match self { $(Self::$name => &[$($param),*],)* }
            }

            const fn full_places(self) -> &'static ParamIndices {
                match self { $(Self::$name => const { &places(&[$($param),*]) },)* }
            }
        }
    };
}

ops! {
    /// Implicit LOD.
    Sample = "sample", flags(LodSource::Quad), [U V R Ai Mlod];
    /// Implicit LOD plus a bias.
    SampleB = "sample_b", flags(LodSource::QuadBias), [Bias U V R Ai Mlod];
    /// Explicit LOD.
    SampleL = "sample_l", flags(LodSource::Explicit), [Lod U V R Ai];
    /// Implicit LOD, comparison.
    SampleC = "sample_c", compare(LodSource::Quad), [Ref U V R Ai Mlod];
    /// Gradients.
    SampleD = "sample_d", flags(LodSource::Gradients), [U DuDx DuDy V DvDx DvDy R DrDx DrDy Ai Mlod];
    /// Implicit LOD plus a bias, comparison.
    SampleBC = "sample_b_c", compare(LodSource::QuadBias), [Ref Bias U V R Ai];
    /// Explicit LOD, comparison.
    SampleLC = "sample_l_c", compare(LodSource::Explicit), [Ref Lod U V R Ai];
    /// Gradients, comparison.
    SampleDC = "sample_d_c", compare(LodSource::Gradients), [Ref U DuDx DuDy V DvDx DvDy R DrDx DrDy Ai];
    /// LOD 0.
    SampleLz = "sample_lz", flags(LodSource::Zero), [U V R Ai];
    /// LOD 0, comparison.
    SampleCLz = "sample_c_lz", compare(LodSource::Zero), [Ref U V R Ai];
    /// Implicit LOD; a register with the kill mask may follow ([`Message::kill_mask`](super::Message::kill_mask)).
    SampleKillpix = "sample+killpix", flags(LodSource::Quad), [U V R];
    /// Minimum of the footprint, of 2D surfaces: `sample` with reduction MINIMUM (named by the tools, not described).
    SampleMin = "sample_min", flags(LodSource::Quad), [U V];
    /// Maximum of the footprint, of 2D surfaces: `sample` with reduction MAXIMUM.
    SampleMax = "sample_max", flags(LodSource::Quad), [U V];
    /// The LOD that `sample` would use: red clamped, green unclamped.
    Lod = "LOD", OpFlags { offsets: false, ..flags(LodSource::Quad) }, [U V R Ai];

    /// Texel fetch.
    Ld = "ld", load(LodSource::Integer), [U V Lod R];
    /// Texel fetch, level 0.
    LdLz = "ld_lz", load(LodSource::Base), [U V R];
    /// Multisample control surface fetch.
    LdMcs = "ld_mcs", load(LodSource::Integer), [U V R Lod];
    /// Multisample fetch with an MCS value of any length.
    Ld2dmsW = "ld2dms_w", load(LodSource::Integer), [Si Mcs0 Mcs1 U V R Lod];
    /// Multisample fetch with a one-dword MCS value.
    Ld2dms = "ld2dms", load(LodSource::Integer), [Si Mcs0 U V R Lod];
    /// Multisample fetch of a plane.
    Ld2dss = "ld2dss", load(LodSource::Integer), [Si U V R Lod];

    /// Four texels of the base level.
    Gather4 = "gather4", gather(LodSource::Base), [U V R Ai];
    /// Four comparisons.
    Gather4C = "gather4_c", gather_compare(LodSource::Base), [Ref U V R Ai];
    /// Programmable offsets.
    Gather4Po = "gather4_po", gather(LodSource::Base), [U V OffU OffV R];
    /// Programmable offsets, comparison.
    Gather4PoC = "gather4_po_c", gather_compare(LodSource::Base), [Ref U V OffU OffV R];
    /// Explicit LOD.
    Gather4L = "gather4_l", gather(LodSource::Explicit), [Lod U V R Ai];
    /// Implicit LOD plus a bias.
    Gather4B = "gather4_b", gather(LodSource::QuadBias), [Bias U V R Ai];
    /// Implicit LOD.
    Gather4I = "gather4_i", gather(LodSource::Quad), [U V R Ai];
    /// Implicit LOD, comparison.
    Gather4IC = "gather4_i_c", gather_compare(LodSource::Quad), [Ref U V R Ai];
    /// Explicit LOD, comparison.
    Gather4LC = "gather4_l_c", gather_compare(LodSource::Explicit), [Ref Lod U V R Ai];
    /// Packed programmable offsets.
    Gather4PoPacked = "gather4_po_packed", gather(LodSource::Base), [U V R OffUv];
    /// Packed programmable offsets, comparison.
    Gather4PoCPacked = "gather4_po_c_packed", gather_compare(LodSource::Base), [Ref U V R OffUvR];
    /// Explicit LOD, packed programmable offsets.
    Gather4PoL = "gather4_po_l", gather(LodSource::Explicit), [LodOffUv U V R];
    /// Implicit LOD plus a bias, packed programmable offsets.
    Gather4PoB = "gather4_po_b", gather(LodSource::QuadBias), [BiasOffUv U V R];
    /// Implicit LOD, packed programmable offsets.
    Gather4PoI = "gather4_po_i", gather(LodSource::Quad), [U V R OffUv];
    /// Implicit LOD, packed programmable offsets, comparison.
    Gather4PoIC = "gather4_po_i_c", gather_compare(LodSource::Quad), [Ref U V R OffUvR];
    /// Explicit LOD, packed programmable offsets, comparison.
    Gather4PoLC = "gather4_po_l_c", gather_compare(LodSource::Explicit), [Ref LodOffUv U V R];

    /// Size of a level.
    Resinfo = "resinfo", query(), [Lod];
    /// Number of samples.
    Sampleinfo = "sampleinfo", query(), [];

    /// NVIDIA TXQ: size of a level and number of levels.
    TxqDimension = "txq_dimension", query(), [Lod];
    /// NVIDIA TXQ: sample count.
    TxqTextureType = "txq_texture_type", query(), [];
    /// NVIDIA TXQ: position of a sample.
    TxqSamplerPos = "txq_sampler_pos", query(), [Si];
}

const LD2DMS_W_HALF: &[Param] = &[Si, Mcs0, Mcs1, Mcs2, Mcs3, U, V, R, Lod];

impl Op {
    /// Where each parameter is in the payload, the inverse of [`params`](Self::params).
    pub(crate) const fn places(self, width: Width) -> &'static ParamIndices {
        match (self, width) {
            (Self::Ld2dmsW, Width::Half) => const { &places(LD2DMS_W_HALF) },
            _ => self.full_places(),
        }
    }

    /// The parameters in payload order. Trailing ones may be left out and are then 0.
    ///
    /// Only `ld2dms_w` depends on the width: its MCS value is two dwords or four words.
    pub const fn params(self, width: Width) -> &'static [Param] {
        match (self, width) {
            (Self::Ld2dmsW, Width::Half) => LD2DMS_W_HALF,
            _ => self.full_params(),
        }
    }

    /// The parameter is an integer: coordinates of loads, programmable offsets. The others are floats.
    pub(crate) const fn takes_integer(self, param: Param) -> bool {
        let offset = matches!(param, Param::OffU | Param::OffV | Param::OffUv | Param::OffUvR);
        offset || !self.flags().sampler
    }

    /// The operation needs the coordinates of all four lanes of a subspan, active or not.
    pub const fn needs_quad(self) -> bool {
        matches!(self.flags().lod, LodSource::Quad | LodSource::QuadBias)
    }

    /// The operation with this [`name`](Self::name).
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|op| op.name() == name)
    }
}
