//! The operations: parameter order and kind of work (sampling page, section 10; gen-message page, section 5; message pages of vISA).

/// Where the LOD comes from (sampling page, section 2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lod {
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
pub enum Work {
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
    pub work: Work,
    /// Where the LOD comes from.
    pub lod: Lod,
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
        matches!(self.work, Work::Sample | Work::Gather | Work::Lod)
    }

    /// Finds the operation `name`. `half`: the parameters are 16-bit; `ld2dms_w` then has four MCS words.
    pub fn find(name: &str, half: bool) -> Option<Self> {
        let op = OPS.iter().find(|op| op.name == name).copied()?;
        let words = "si mcs0 mcs1 mcs2 mcs3 u v r lod";
        Some(if half && name == "ld2dms_w" { Op { params: words, ..op } } else { op })
    }
}

const fn op(name: &'static str, work: Work, lod: Lod, params: &'static str) -> Op {
    Op { name, work, lod, params }
}

/// Every operation that is executed.
#[rustfmt::skip]
pub const OPS: &[Op] = &[
    op("sample", Work::Sample, Lod::Quad, "u v r ai mlod"),
    op("sample_b", Work::Sample, Lod::Quad, "bias u v r ai mlod"),
    op("sample_l", Work::Sample, Lod::Explicit, "lod u v r ai"),
    op("sample_c", Work::Sample, Lod::Quad, "ref u v r ai mlod"),
    op("sample_d", Work::Sample, Lod::Gradients, "u dudx dudy v dvdx dvdy r drdx drdy ai mlod"),
    op("sample_b_c", Work::Sample, Lod::Quad, "ref bias u v r ai"),
    op("sample_l_c", Work::Sample, Lod::Explicit, "ref lod u v r ai"),
    op("sample_d_c", Work::Sample, Lod::Gradients, "ref u dudx dudy v dvdx dvdy r drdx drdy ai"),
    op("sample_lz", Work::Sample, Lod::Zero, "u v r ai"),
    op("sample_c_lz", Work::Sample, Lod::Zero, "ref u v r ai"),
    op("sample+killpix", Work::Sample, Lod::Quad, "u v r"),
    op("sample_min", Work::Sample, Lod::Quad, "u v"),
    op("sample_max", Work::Sample, Lod::Quad, "u v"),
    op("LOD", Work::Lod, Lod::Quad, "u v r ai"),
    op("gather4", Work::Gather, Lod::Base, "u v r ai"),
    op("gather4_c", Work::Gather, Lod::Base, "ref u v r ai"),
    op("gather4_po", Work::Gather, Lod::Base, "u v offu offv r"),
    op("gather4_po_c", Work::Gather, Lod::Base, "ref u v offu offv r"),
    op("gather4_l", Work::Gather, Lod::Explicit, "lod u v r ai"),
    op("gather4_b", Work::Gather, Lod::Quad, "bias u v r ai"),
    op("gather4_i", Work::Gather, Lod::Quad, "u v r ai"),
    op("gather4_i_c", Work::Gather, Lod::Quad, "ref u v r ai"),
    op("gather4_l_c", Work::Gather, Lod::Explicit, "ref lod u v r ai"),
    op("gather4_po_packed", Work::Gather, Lod::Base, "u v r offuv"),
    op("gather4_po_c_packed", Work::Gather, Lod::Base, "ref u v r offuvr"),
    op("gather4_po_l", Work::Gather, Lod::Explicit, "lodoffuv u v r"),
    op("gather4_po_b", Work::Gather, Lod::Quad, "biasoffuv u v r"),
    op("gather4_po_i", Work::Gather, Lod::Quad, "u v r offuv"),
    op("gather4_po_i_c", Work::Gather, Lod::Quad, "ref u v r offuvr"),
    op("gather4_po_l_c", Work::Gather, Lod::Explicit, "ref lodoffuv u v r"),
    op("ld", Work::Load, Lod::Base, "u v lod r"),
    op("ld_lz", Work::Load, Lod::Base, "u v r"),
    op("ld_mcs", Work::LoadMcs, Lod::Base, "u v r lod"),
    op("ld2dms_w", Work::LoadSample, Lod::Base, "si mcs0 mcs1 u v r lod"),
    op("ld2dms", Work::LoadSample, Lod::Base, "si mcs0 u v r lod"),
    op("ld2dss", Work::LoadSample, Lod::Base, "si u v r lod"),
    op("resinfo", Work::Resinfo, Lod::Base, "lod"),
    op("sampleinfo", Work::Sampleinfo, Lod::Base, ""),
];
