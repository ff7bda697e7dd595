//! The operations: parameter order and kind of work (sampling page, section 10; gen-message page, section 5; message pages of vISA).

/// Where the LOD comes from (sampling page, section 2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LodSource {
    /// The derivatives of the subspan.
    Quad,
    /// The `lod` parameter.
    Explicit,
    /// 0 plus the sampler's bias.
    Zero,
    /// The gradient parameters.
    Gradients,
    /// Level 0 of the view.
    Base,
}

/// What an operation does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpWork {
    /// Filters texels of one or two mip levels.
    Sample,
    /// Returns one component of each of the four texels of a footprint.
    Gather,
    /// Returns the LOD.
    Lod,
    /// Reads one texel at integer coordinates.
    Load,
    /// `ld2dms*`, `ld2dss`: a sample of a texel.
    LoadSample,
    /// `ld_mcs`.
    LoadMcs,
    /// `resinfo`.
    Resinfo,
    /// `sampleinfo`.
    Sampleinfo,
}

/// An operation.
#[derive(Clone, Copy, Debug)]
pub struct Op {
    /// Its name, as jobs spell it.
    pub name: &'static str,
    /// What it does.
    pub work: OpWork,
    /// Where the LOD comes from.
    pub lod: LodSource,
    /// Parameters in payload order.
    pub params: &'static str,
}

impl Op {
    /// Returns true if the operation compares texels with its parameter `ref`.
    pub fn compares(&self) -> bool {
        self.params.starts_with("ref")
    }

    /// Returns true if the operation uses the sampler state.
    pub fn uses_sampler(&self) -> bool {
        matches!(self.work, OpWork::Sample | OpWork::Gather | OpWork::Lod)
    }

    /// Finds the operation `name`. `half`: the parameters are 16-bit; `ld2dms_w` then has four MCS words.
    pub fn find(name: &str, half: bool) -> Option<Self> {
        let op = OPS.iter().find(|op| op.name == name).copied()?;
        let words = "si mcs0 mcs1 mcs2 mcs3 u v r lod";
        Some(if half && name == "ld2dms_w" { Op { params: words, ..op } } else { op })
    }
}

const fn op(name: &'static str, work: OpWork, lod: LodSource, params: &'static str) -> Op {
    Op { name, work, lod, params }
}

/// Every operation that is executed.
#[rustfmt::skip]
pub const OPS: &[Op] = &[
    op("sample", OpWork::Sample, LodSource::Quad, "u v r ai mlod"),
    op("sample_b", OpWork::Sample, LodSource::Quad, "bias u v r ai mlod"),
    op("sample_l", OpWork::Sample, LodSource::Explicit, "lod u v r ai"),
    op("sample_c", OpWork::Sample, LodSource::Quad, "ref u v r ai mlod"),
    op("sample_d", OpWork::Sample, LodSource::Gradients, "u dudx dudy v dvdx dvdy r drdx drdy ai mlod"),
    op("sample_b_c", OpWork::Sample, LodSource::Quad, "ref bias u v r ai"),
    op("sample_l_c", OpWork::Sample, LodSource::Explicit, "ref lod u v r ai"),
    op("sample_d_c", OpWork::Sample, LodSource::Gradients, "ref u dudx dudy v dvdx dvdy r drdx drdy ai"),
    op("sample_lz", OpWork::Sample, LodSource::Zero, "u v r ai"),
    op("sample_c_lz", OpWork::Sample, LodSource::Zero, "ref u v r ai"),
    op("sample+killpix", OpWork::Sample, LodSource::Quad, "u v r"),
    op("sample_min", OpWork::Sample, LodSource::Quad, "u v"),
    op("sample_max", OpWork::Sample, LodSource::Quad, "u v"),
    op("LOD", OpWork::Lod, LodSource::Quad, "u v r ai"),
    op("gather4", OpWork::Gather, LodSource::Base, "u v r ai"),
    op("gather4_c", OpWork::Gather, LodSource::Base, "ref u v r ai"),
    op("gather4_po", OpWork::Gather, LodSource::Base, "u v offu offv r"),
    op("gather4_po_c", OpWork::Gather, LodSource::Base, "ref u v offu offv r"),
    op("gather4_l", OpWork::Gather, LodSource::Explicit, "lod u v r ai"),
    op("gather4_b", OpWork::Gather, LodSource::Quad, "bias u v r ai"),
    op("gather4_i", OpWork::Gather, LodSource::Quad, "u v r ai"),
    op("gather4_i_c", OpWork::Gather, LodSource::Quad, "ref u v r ai"),
    op("gather4_l_c", OpWork::Gather, LodSource::Explicit, "ref lod u v r ai"),
    op("gather4_po_packed", OpWork::Gather, LodSource::Base, "u v r offuv"),
    op("gather4_po_c_packed", OpWork::Gather, LodSource::Base, "ref u v r offuvr"),
    op("gather4_po_l", OpWork::Gather, LodSource::Explicit, "lodoffuv u v r"),
    op("gather4_po_b", OpWork::Gather, LodSource::Quad, "biasoffuv u v r"),
    op("gather4_po_i", OpWork::Gather, LodSource::Quad, "u v r offuv"),
    op("gather4_po_i_c", OpWork::Gather, LodSource::Quad, "ref u v r offuvr"),
    op("gather4_po_l_c", OpWork::Gather, LodSource::Explicit, "ref lodoffuv u v r"),
    op("ld", OpWork::Load, LodSource::Base, "u v lod r"),
    op("ld_lz", OpWork::Load, LodSource::Base, "u v r"),
    op("ld_mcs", OpWork::LoadMcs, LodSource::Base, "u v r lod"),
    op("ld2dms_w", OpWork::LoadSample, LodSource::Base, "si mcs0 mcs1 u v r lod"),
    op("ld2dms", OpWork::LoadSample, LodSource::Base, "si mcs0 u v r lod"),
    op("ld2dss", OpWork::LoadSample, LodSource::Base, "si u v r lod"),
    op("resinfo", OpWork::Resinfo, LodSource::Base, "lod"),
    op("sampleinfo", OpWork::Sampleinfo, LodSource::Base, ""),
];
