//! SAMPLER_STATE, 4 dwords, in a table of 32-byte alignment (Gen9, Gen11).

use super::field::{Offset, Raw, Signed};

codes! {
    /// Min and Mag Mode Filter, dw0 16:14 and 19:17.
    Filter {
        Nearest = 0, "The nearest texel.";
        Linear = 1, "The weighted mean of the neighbours.";
        Anisotropic = 2, "Several linear probes along the line of anisotropy.";
        Mono = 6, "The monochrome filter.";
        _ => Reserved;
    }
    /// Mip Mode Filter, dw0 21:20.
    MipFilter {
        None = 0, "Only the first level.";
        Nearest = 1, "The nearest level.";
        Linear = 3, "The weighted mean of two levels.";
        _ => Reserved;
    }
    /// LOD PreClamp Mode, dw0 28:27.
    LodPreclamp {
        None = 0, "The LOD is not clamped before the choice of filter.";
        Ogl = 2, "The LOD is clamped before the choice between min and mag filter.";
        _ => Reserved;
    }
    /// Anisotropic Algorithm, dw0 0.
    AnisoAlgorithm {
        Legacy = 0, "The old algorithm.";
        Ewa = 1, "The approximation of an elliptical weighted average.";
    }
    /// Texture Border Color Mode, dw0 29.
    BorderMode {
        Dx10 = 0, "DX10 and OpenGL.";
        Dx9 = 1, "DX9.";
    }
    /// ChromaKey Mode, dw1 4.
    ChromaKeyMode {
        KillOnAnyMatch = 0, "A texel that matches the key kills the pixel.";
        ReplaceBlack = 1, "A texel that matches the key is replaced by black.";
    }
    /// Shadow Function, dw1 3:1, in the codes of 3D_Compare_Function.
    CompareFunction {
        Always = 0, "Always.";
        Never = 1, "Never.";
        Less = 2, "Less.";
        Equal = 3, "Equal.";
        LessEqual = 4, "Less or equal.";
        Greater = 5, "Greater.";
        NotEqual = 6, "Not equal.";
        GreaterEqual = 7, "Greater or equal.";
    }
    /// Reduction Type, dw3 23:22.
    ReductionType {
        Standard = 0, "The filter's weighted mean.";
        Comparison = 1, "The weighted mean of comparison results.";
        Minimum = 2, "The least of the texels that have a weight.";
        Maximum = 3, "The greatest of the texels that have a weight.";
    }
    /// Trilinear Filter Quality, dw3 12:11.
    TrilinearQuality {
        Full = 0, "Both levels always.";
        High = 1, "One level when the LOD is close to it.";
        Medium = 2, "One level in a wider range.";
        Low = 3, "One level in the widest range.";
    }
    /// Address control mode of a coordinate, in the codes of Texture Coordinate Mode.
    AddressMode {
        Wrap = 0, "Repeats.";
        Mirror = 1, "Repeats, every second one mirrored.";
        Clamp = 2, "The edge texel goes on.";
        Cube = 3, "Goes on in the neighbouring face of a cube.";
        ClampBorder = 4, "The border colour is around the surface.";
        MirrorOnce = 5, "Mirrored at 0, then clamped.";
        HalfBorder = 6, "The border is half a texel wide of edge.";
        Mirror101 = 7, "Mirrored without repeating the edge texel.";
    }
}

state! {
    /// SAMPLER_STATE.
    ///
    /// | dword | bits |
    /// |---|---|
    /// | 0 | 31 disable, 30 CPS compensation (Gen11), 29 border mode, 28:27 LOD preclamp, 26:22 coarse LOD quality, 21:20 mip filter, 19:17 mag, 16:14 min, 13:1 LOD bias, 0 anisotropic algorithm |
    /// | 1 | 31:20 min LOD, 19:8 max LOD, 7:4 chroma key, 3:1 shadow function, 0 cube control |
    /// | 2 | 23:6 border colour offset, 5 force gather4, 3 and 2 filter weights, 1 sRGB skip decode (all Gen11), 0 LOD clamp mag mode |
    /// | 3 | 24 low quality LOD (Gen11), 23:22 reduction, 21:19 max anisotropy, 18:13 address rounding, 12:11 trilinear quality, 10 non-normalized, 9 reduction enable, 8:0 address modes |
    SamplerState: 4 dwords;

    aniso_algorithm / set_aniso_algorithm: Raw<AnisoAlgorithm> => 0[0..=0], "Anisotropic Algorithm" = "How anisotropic filtering places its probes.";
    lod_bias / set_lod_bias: Signed<13> => 0[13..=1], "Texture LOD Bias" = "Added to the LOD, S4.8: 256 is one level.";
    min_filter / set_min_filter: Raw<Filter> => 0[16..=14], "Min Mode Filter" = "The filter of reduced surfaces.";
    mag_filter / set_mag_filter: Raw<Filter> => 0[19..=17], "Mag Mode Filter" = "The filter of enlarged surfaces.";
    mip_filter / set_mip_filter: Raw<MipFilter> => 0[21..=20], "Mip Mode Filter" = "The choice of levels.";
    coarse_lod_quality / set_coarse_lod_quality: Raw<u32> => 0[26..=22], "Coarse LOD Quality Mode" = "How coarse the LOD may be.";
    lod_preclamp / set_lod_preclamp: Raw<LodPreclamp> => 0[28..=27], "LOD PreClamp Mode" = "Whether the LOD is clamped before the choice of filter.";
    border_mode / set_border_mode: Raw<BorderMode> => 0[29..=29], "Texture Border Color Mode" = "The rules of the border colour.";
    cps_lod_compensation / set_cps_lod_compensation: Raw<bool> => 0[30..=30], "CPS LOD Compensation Enable" since Gen11 = "The LOD is compensated for coarse pixels.";
    disable / set_disable: Raw<bool> => 0[31..=31], "Sampler Disable" = "Every channel reads 0.";
    cube_control_override / set_cube_control_override: Raw<bool> => 1[0..=0], "Cube Surface Control Mode" = "Cubes ignore the address modes of U and V and are seamless.";
    shadow_function / set_shadow_function: Raw<CompareFunction> => 1[3..=1], "Shadow Function" = "The comparison of texel and reference; hardware gives 0 where `texel OP reference` holds and 1 elsewhere.";
    chroma_key_mode / set_chroma_key_mode: Raw<ChromaKeyMode> => 1[4..=4], "ChromaKey Mode" = "What happens to texels that match the key.";
    chroma_key_index / set_chroma_key_index: Raw<u32> => 1[6..=5], "ChromaKey Index" = "The key in the chroma key table.";
    chroma_key / set_chroma_key: Raw<bool> => 1[7..=7], "ChromaKey Enable" = "Texels are compared with the key.";
    max_lod / set_max_lod: Raw<u32> => 1[19..=8], "Max LOD" = "The highest LOD, U4.8, at most 14.0.";
    min_lod / set_min_lod: Raw<u32> => 1[31..=20], "Min LOD" = "The lowest LOD, U4.8, at most 14.0.";
    lod_clamp_mag_mip_filter / set_lod_clamp_mag_mip_filter: Raw<bool> => 2[0..=0], "LOD Clamp Magnification Mode" = "Magnification uses the mip filter, not the first level.";
    srgb_skip_decode / set_srgb_skip_decode: Raw<bool> => 2[1..=1], "SRGB DECODE" since Gen11 = "sRGB texels are not made linear.";
    null_texel_weight / set_null_texel_weight: Raw<bool> => 2[2..=2], "Return Filter Weight for Null Texels" since Gen11 = "The filter weight of null texels is returned.";
    border_texel_weight / set_border_texel_weight: Raw<bool> => 2[3..=3], "Return Filter Weight for Border Texels" since Gen11 = "The filter weight of border texels is returned.";
    force_gather4 / set_force_gather4: Raw<bool> => 2[5..=5], "Force gather4 Behavior" since Gen11 = "Every sample message is a gather4.";
    border_offset / set_border_offset: Offset<u32, 6> => 2[23..=6], "Border Color Pointer" = "The border colour's byte offset from dynamic state base, a multiple of 64.";
    address_r / set_address_r: Raw<AddressMode> => 3[2..=0], "TCZ Address Control Mode" = "The address mode of R.";
    address_v / set_address_v: Raw<AddressMode> => 3[5..=3], "TCY Address Control Mode" = "The address mode of V.";
    address_u / set_address_u: Raw<AddressMode> => 3[8..=6], "TCX Address Control Mode" = "The address mode of U.";
    reduction_enable / set_reduction_enable: Raw<bool> => 3[9..=9], "Reduction Type Enable" = "The reduction type counts.";
    non_normalized / set_non_normalized: Raw<bool> => 3[10..=10], "Non-normalized Coordinate Enable" = "Coordinates are texels, not 0..1.";
    trilinear_quality / set_trilinear_quality: Raw<TrilinearQuality> => 3[12..=11], "Trilinear Filter Quality" = "When one level is enough.";
    round_r_min / set_round_r_min: Raw<bool> => 3[13..=13], "R Address Min Filter Rounding Enable" = "R is rounded before the min filter.";
    round_r_mag / set_round_r_mag: Raw<bool> => 3[14..=14], "R Address Mag Filter Rounding Enable" = "R is rounded before the mag filter.";
    round_v_min / set_round_v_min: Raw<bool> => 3[15..=15], "V Address Min Filter Rounding Enable" = "V is rounded before the min filter.";
    round_v_mag / set_round_v_mag: Raw<bool> => 3[16..=16], "V Address Mag Filter Rounding Enable" = "V is rounded before the mag filter.";
    round_u_min / set_round_u_min: Raw<bool> => 3[17..=17], "U Address Min Filter Rounding Enable" = "U is rounded before the min filter.";
    round_u_mag / set_round_u_mag: Raw<bool> => 3[18..=18], "U Address Mag Filter Rounding Enable" = "U is rounded before the mag filter.";
    max_anisotropy_code / set_max_anisotropy_code: Raw<u32> => 3[21..=19], "Maximum Anisotropy" = "The code of [`max_anisotropy`](Self::max_anisotropy).";
    reduction_type / set_reduction_type: Raw<ReductionType> => 3[23..=22], "Reduction Type" = "The reduction, when [`reduction_enable`](Self::reduction_enable).";
    low_quality_lod / set_low_quality_lod: Raw<bool> => 3[24..=24], "Allow Low Quality LOD Calculation" since Gen11 = "The LOD may be less exact.";
}

impl SamplerState {
    /// The largest ratio of anisotropy: 2, 4, ... 16.
    pub fn max_anisotropy(&self) -> u32 {
        (self.max_anisotropy_code() + 1) * 2
    }

    /// Writes [`max_anisotropy`](Self::max_anisotropy); ratios outside of 2..=16 are clamped, odd ones rounded down.
    pub fn set_max_anisotropy(&mut self, ratio: u32) -> &mut Self {
        self.set_max_anisotropy_code(ratio.clamp(2, 16) / 2 - 1)
    }

    /// The reduction, if it is enabled.
    pub fn reduction(&self) -> Option<ReductionType> {
        self.reduction_enable().then(|| self.reduction_type())
    }

    /// Writes [`reduction`](Self::reduction); `None` disables the reduction and leaves its type as it is.
    pub fn set_reduction(&mut self, reduction: Option<ReductionType>) -> &mut Self {
        if let Some(reduction) = reduction {
            self.set_reduction_type(reduction);
        }
        self.set_reduction_enable(reduction.is_some())
    }

    /// The address modes of U, V, R.
    pub fn address_modes(&self) -> [AddressMode; 3] {
        [self.address_u(), self.address_v(), self.address_r()]
    }

    /// Writes [`address_modes`](Self::address_modes).
    pub fn set_address_modes(&mut self, [u, v, r]: [AddressMode; 3]) -> &mut Self {
        self.set_address_u(u).set_address_v(v).set_address_r(r)
    }

    /// Returns whether U, V, R are rounded before the mag filter.
    pub fn mag_rounding(&self) -> [bool; 3] {
        [self.round_u_mag(), self.round_v_mag(), self.round_r_mag()]
    }

    /// Returns whether U, V, R are rounded before the min filter.
    pub fn min_rounding(&self) -> [bool; 3] {
        [self.round_u_min(), self.round_v_min(), self.round_r_min()]
    }

    /// Writes the six rounding bits.
    pub fn set_rounding(&mut self, on: bool) -> &mut Self {
        self.set_round_u_mag(on)
            .set_round_v_mag(on)
            .set_round_r_mag(on)
            .set_round_u_min(on)
            .set_round_v_min(on)
            .set_round_r_min(on)
    }
}
