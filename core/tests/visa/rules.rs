//! Instructions that break each rule.

use crate::{Table, V4, bytes};
use texwire::Platform as Gpu;
use texwire::visa::{SamplerInstruction, Version, VisaRule};

fn broken(bytes: &[u8], version: Version, platform: Gpu) -> Vec<VisaRule> {
    SamplerInstruction::decode(bytes, version).unwrap().validate(platform, &Table).collect()
}

/// For each rule, an instruction that breaks it and one next to it that is just legal.
#[test]
fn every_rule_of_sampler_instructions() {
    use Gpu::{Gen9, Gen11, XeHpc, XeHpg};
    use VisaRule::*;
    let cases: &[(&str, Gpu, &[VisaRule])] = &[
        ("sample_3d.RGBA (M1, 16) 0x0:uw S0 T6 V0040.0 V0032.0 V0033.0", Gen11, &[]),
        ("sample_3d.RGBA (M1, 16) 0x0:uw S31 T7 V0040.0 V0032.0 V0033.0", Gen9, &[]),
        ("sample_3d.RGBA (M1, 16) 0x0:uw S0 T6 V0040.0 V0032.0", Gpu::Maxwell, &[Platform]),
        ("sample_3d.RGBA (M1, 16) 0x0:uw S0 T6 V0040.0 V0032.0", Gpu::Pascal, &[Platform]),
        ("sample_3d.RGBA (M5, 16) 0x0:uw S0 T6 V0040.0 V0032.0", Gen11, &[]),
        ("sample_3d.RGBA (M3, 16) 0x0:uw S0 T6 V0040.0 V0032.0", Gen11, &[ExecPair]),
        ("sample_3d.RGBA (M3, 8) 0x0:uw S0 T6 V0040.0 V0032.0", Gen11, &[]),
        ("sample_3d.RGBA (M2, 8) 0x0:uw S0 T6 V0040.0 V0032.0", Gen11, &[ExecPair]),
        ("sample_3d.RGBA (M2, 4) 0x0:uw S0 T6 V0040.0 V0032.0", Gen11, &[ExecSize]),
        ("sample_3d.RG (M1, 32) 0x0:uw S0 T6 V0040.0 V0032.0", Gen11, &[ExecSize]),
        ("sample_3d.RG (M3, 32) 0x0:uw S0 T6 V0040.0 V0032.0", Gen11, &[ExecPair, ExecSize]),
        ("sample4.R (M1, 32) 0x0:uw S0 T6 %null.0 V0032.0", Gen11, &[]),
        ("sample4.R (M1, 4) 0x0:uw S0 T6 %null.0 V0032.0", Gen11, &[ExecSize]),
        ("sample_3d.cps.RGBA (M1, 16) 0x0:uw S0 T6 V0040.0 V0032.0", Gen11, &[]),
        ("sample_3d.cps.RGBA (M1, 16) 0x0:uw S0 T6 V0040.0 V0032.0", Gen9, &[CpsPlatform]),
        ("sample_l.cps.RGBA (M1, 16) 0x0:uw S0 T6 V0040.0 V0032.0", Gen11, &[CpsOperation]),
        ("sample_3d.cps.RGBA (M1, 4) 0x0:uw S0 T6 V0040.0 V0032.0", Gen11, &[ExecSize, CpsExecSize]),
        ("sample_3d.cps.RGBA (M1, 16) 0x0:uw S0 T6 %null.0 V0032.0", Gen11, &[CpsDestination]),
        ("lod.RG (M1, 16) 0x0:uw S0 T6 V0040.0 V0032.0", Gen11, &[]),
        ("lod.RGB (M1, 16) 0x0:uw S0 T6 V0040.0 V0032.0", Gen11, &[LodChannels]),
        ("lod.GA (M1, 16) 0x0:uw S0 T6 V0040.0 V0032.0", Gen11, &[LodChannels]),
        ("lod.RG (M1, 16) 0x1:uw S0 T6 V0040.0 V0032.0", Gen11, &[AoffimmiUseless]),
        ("sample_3d.RGBA (M1, 16) 0x8fff:uw S0 T6 V0040.0 V0032.0", Gen11, &[]),
        ("sample_3d.RGBA (M1, 16) 0x1000:uw S0 T6 V0040.0 V0032.0", Gen11, &[AoffimmiReserved]),
        ("sample_3d.RGBA (M1, 16) 0x0:f S0 T6 V0040.0 V0032.0", Gen11, &[AoffimmiType]),
        ("sample_3d.RGBA (M1, 16) 0x10000:ud S0 T6 V0040.0 V0032.0", Gen11, &[AoffimmiType]),
        ("sample_3d.RGBA (M1, 16) P1 S0 T6 V0040.0 V0032.0", Gen11, &[AoffimmiType]),
        ("sample_3d.RGBA (M1, 16) V0038(0,0)<0;1,0> S0 T6 V0040.0 V0032.0", Gen11, &[]),
        ("sample_3d.RGBA (M1, 16) V0099(0,0)<0;1,0> S0 T6 V0040.0 V0032.0", Gen11, &[UndeclaredVariable]),
        ("sample4_po.R (M1, 16) 0x0:uw S0 T6 V0040.0 V0032.0", Gen11, &[]),
        ("sample4_po.R (M1, 16) 0x0:uw S0 T6 V0040.0 V0032.0", XeHpg, &[PoPlatform]),
        ("sample4_po_c.R (M1, 8) 0x0:uw S0 T6 V0040.0 V0032.0", XeHpc, &[PoPlatform]),
        ("sample4_po.R (M1, 16) 0x0:uw S0 T6 V0040.0 V0032.0 V0033.0 V0038.0", Gen11, &[]),
        ("sample4_po.R (M1, 16) 0x0:uw S0 T6 V0040.0 V0032.0 V0033.0 V0034.0", Gen11, &[ParameterType]),
        ("sample4_i.R (M1, 16) 0x0:uw S0 T6 V0040.0 V0032.0", Gen11, &[LaterOperation]),
        ("sample4_l_c.R (M1, 16) 0x0:uw S0 T6 V0040.0 V0032.0", Gen11, &[LaterOperation]),
        ("sample_3d.RGBA (M1, 16) 0x0:uw S2 T6 V0040.0 V0032.0", Gen11, &[UndeclaredSampler]),
        ("sample_3d.RGBA (M1, 16) 0x0:uw S0 T8 V0040.0 V0032.0", Gen11, &[UndeclaredSurface]),
        ("sample_3d.RGBA (M1, 16) 0x0:uw S0 %slm V0040.0 V0032.0", Gen11, &[SlmSurface]),
        ("(P1) sample_3d.RGBA (M1, 16) 0x0:uw S0 T6 V0040.0 V0032.0", Gen11, &[]),
        ("(P2) sample_3d.RGBA (M1, 16) 0x0:uw S0 T6 V0040.0 V0032.0", Gen11, &[UndeclaredPredicate]),
        ("sample_3d.RGBA (M1, 16) 0x0:uw S0 T6 V0040.0 V0036.0", Gen11, &[ParameterType]),
        ("sample_3d.RGBA (M1, 16) 0x0:uw S0 T6 V0040.0 V0038.0", Gen11, &[ParameterType]),
        ("load_3d.RGBA (M1, 16) 0x0:uw T6 V0040.0 V0038.0 V0038.0", Gen11, &[]),
        ("load_3d.RGBA (M1, 16) 0x0:uw T6 V0040.0 V0032.0", Gen11, &[ParameterType]),
        ("sample_3d.RGBA (M1, 16) 0x0:uw S0 T6 V0040.0 V0035.0 V0035.32", Gen11, &[]),
        ("sample_3d.RGBA (M1, 16) 0x0:uw S0 T6 V0040.0 V0035.0", Gen9, &[HalfPlatform]),
        ("sample_3d.RGBA (M1, 16) 0x0:uw S0 T6 V0040.0 V0032.0 V0035.0", Gen11, &[MixedWidths]),
        ("lod.RG (M1, 16) 0x0:uw S0 T6 V0040.0 V0032.0 V0032.0 V0032.0 V0032.0", Gen11, &[]),
        (
            "lod.RG (M1, 16) 0x0:uw S0 T6 V0040.0 V0032.0 V0032.0 V0032.0 V0032.0 V0032.0",
            Gen11,
            &[TooManyParameters],
        ),
        ("sample_3d.RGBA (M1, 16) 0x0:uw S0 T6 V0040.0 V0099.0", Gen11, &[UndeclaredVariable]),
        ("sample_3d.RGBA (M1, 16) 0x0:uw S0 T6 V0040.0 V0032.32", Gen11, &[]),
        ("sample_3d.RGBA (M1, 16) 0x0:uw S0 T6 V0040.0 V0032.64", Gen11, &[RawRange]),
        ("sample_3d.RGBA (M1, 16) 0x0:uw S0 T6 V0040.0 V0032.4", Gen11, &[RawAlignment]),
        ("sample_3d.RGBA (M1, 16) 0x0:uw S0 T6 V0040.0 V0048.0", Gen11, &[]),
        ("sample_3d.RGBA (M1, 16) 0x0:uw S0 T6 V0040.0 V0044.0", Gen11, &[RawAlignment]),
        ("sample_3d.RGBA (M1, 16) 0x0:uw S0 T6 V0040.0 V0044.28", Gen11, &[]),
        ("sample_3d.RGBA (M1, 16) 0x0:uw S0 T6 V0040.0 V0042.0", Gen11, &[AliasChain]),
        ("sample_3d.RGBA (M1, 16) 0x0:uw S0 T6 V0040.0 V0045.0", Gen11, &[UndeclaredVariable]),
        ("sample_3d.RGBA (M1, 16) 0x0:uw S0 T6 V0040.0 V0046.0", Gen11, &[]),
        ("sample_3d.RGBA (M1, 16) 0x0:uw S0 T6 V0040.0 V0046.0", XeHpc, &[RawAlignment]),
        ("sample_3d.RGBA (M1, 16) 0x0:uw S0 T6 %r0.0 V0032.0", Gen11, &[DestinationReadOnly]),
        ("sample_3d.RGBA (M1, 16) 0x0:uw S0 T6 V0047.0 V0032.0", Gen11, &[DestinationType]),
        ("sample_3d.R (M1, 8) 0x0:uw S0 T6 V0037.0 V0032.0", Gen11, &[]),
        ("sample_3d.RG (M1, 8) 0x0:uw S0 T6 V0037.0 V0032.0", Gen11, &[DestinationSize]),
        ("sample_3d.pixel_null_mask.R (M1, 8) 0x0:uw S0 T6 V0037.0 V0032.0", Gen11, &[DestinationSize]),
        ("sample_3d.R (M1, 8) 0x0:uw S0 T6 V0037.0 V0032.0", XeHpc, &[DestinationSize]),
        ("resinfo.RGBA (M1, 16) T6 V0038.0 V0041.0", Gen11, &[]),
        ("resinfo.RGBA (M1, 16) T6 V0032.0 V0041.0", Gen11, &[LodType]),
        ("resinfo.RGBA (M1, 16) T6 V0038.0 V0040.0", Gen11, &[DestinationType]),
    ];
    for (text, platform, rules) in cases {
        assert_eq!(broken(&bytes(text, V4), V4, *platform), *rules, "{text} on {platform}");
    }
}

/// Rules about bits that the text form does not have.
#[test]
fn rules_of_stray_bits() {
    let with = |text: &str, version, at: usize, bits: u8| {
        let mut bytes = bytes(text, version);
        bytes[at] |= bits;
        broken(&bytes, version, Gpu::Gen11)
    };
    let sample = "sample_3d.R (M1, 16) 0x0:uw S0 T6 V0040.0 V0032.0";
    let load = "load_3d.R (M1, 16) 0x0:uw T6 V0040.0 V0038.0";
    assert_eq!(with(sample, V4, 2, 0x08), [VisaRule::OpReserved]);
    assert_eq!(with(sample, V4, 2, 0x80), [VisaRule::OpReserved]);
    assert_eq!(with(load, V4, 2, 0x02), [VisaRule::FlagElsewhere]);
    assert_eq!(with(load, V4, 2, 0x04), [VisaRule::FlagElsewhere]);
    assert_eq!(
        with("(P1) sample_3d.R (M1, 16) 0x0:uw S0 T6 V0040.0 V0032.0", V4, 5, 0x10),
        [VisaRule::PredReserved]
    );
    assert_eq!(with(sample, V4, 6, 0x10), [VisaRule::ChannelsReserved]);
    let old = Version::new(3, 6);
    assert_eq!(with(load, old, 1, 0x40), [VisaRule::FlagElsewhere]);
    assert_eq!(with(load, old, 1, 0x80), [VisaRule::FlagElsewhere]);
    assert_eq!(with(load, old, 1, 0x20), []);
}
