//! Faults and null pages.

use super::*;
use crate::state::TrilinearQuality;

/// Mapped memory in which bytes 4 to 7 are a null page and bytes 8 to 11 a hole that faults.
struct Holes<'a>(&'a [u8]);

impl Memory for Holes<'_> {
    fn read(&self, address: u64, out: &mut [u8]) -> Access {
        match address - BASE {
            4..8 => Access::NullPage,
            8..12 => Access::Fault,
            at => {
                out.copy_from_slice(&self.0[at as usize..][..out.len()]);
                Access::Mapped
            }
        }
    }
}

#[test]
fn faults_and_null_pages_are_those_of_their_lane() {
    let bytes = ramp(|x, _, _| x as f32 + 5.0);
    let state = surface(SurfaceType::D2, R32, [4, 4, 1]);
    let texture = Texture::bind(&state, Platform::Gen11).unwrap();
    let mut message = Message::new(Op::LdLz);
    message.null_mask = true;
    message.lanes = 0xf;
    let u: Vec<u8> = (0..8_u32).flat_map(u32::to_le_bytes).collect();
    let mut payload = Payload::new();
    payload.push(&u).unwrap();
    let mut out = vec![0xcc; message.response().len.into()];
    let outcome = texture.execute(&message, &payload, &Sampler::none(), &Holes(&bytes), &mut out).unwrap();
    assert_eq!((outcome.faults, outcome.first_fault, outcome.null_lanes), (4, Some((2, BASE + 8)), 2));
    let word = |at: usize| u32::from_le_bytes(out[at..at + 4].try_into().unwrap());
    let red = [0, 4, 8, 12].map(|at| f32::from_bits(word(at)));
    assert_eq!(red, [5.0, 0.0, 0.0, 8.0]);
    // The texel on the null page has the format's default alpha, all channels of the faulting lane are 0, and inactive lanes are not
    // written.
    assert_eq!([word(100), word(104)], [1.0_f32.to_bits(), 0]);
    assert_eq!(word(16), 0xcccc_cccc);
    assert_eq!(word(128), !2);
}

/// All channels of a faulting lane are 0, also those that the format lacks, whichever half of the lanes are active.
#[test]
fn faults_are_zero_in_either_half() {
    let bytes = ramp(|x, _, _| x as f32 + 5.0);
    let texture = Texture::bind(&surface(SurfaceType::D2, R32, [4, 4, 1]), Platform::Gen11).unwrap();
    let u: Vec<u8> = (0..16_u32).flat_map(|lane| (lane % 4).to_le_bytes()).collect();
    let mut payload = Payload::new();
    payload.push(&u).unwrap();
    for lanes in [0x00ff, 0xff00, 0xffff, 0x0ff0_u32] {
        let message = Message { simd: 16, lanes, ..Message::new(Op::LdLz) };
        let mut out = vec![0xcc; message.response().len.into()];
        let outcome =
            texture.execute(&message, &payload, &Sampler::none(), &Holes(&bytes), &mut out).unwrap();
        assert_eq!(outcome.faults, lanes & 0x4444, "{lanes:#x}");
        for lane in 0..16 {
            let alpha = u32::from_le_bytes(out[192 + lane * 4..][..4].try_into().unwrap());
            let want = match (lanes >> lane & 1, lane % 4) {
                (0, _) => 0xcccc_cccc,
                (_, 2) => 0,
                _ => 1.0_f32.to_bits(),
            };
            assert_eq!(alpha, want, "{lanes:#x}, lane {lane}");
        }
    }
}

/// A lane that faults does not count as one that read a null page, and its result is 0.
#[test]
fn a_fault_is_more_than_a_null_page() {
    let bytes = ramp(|x, _, _| x as f32 + 5.0);
    let texture = Texture::bind(&surface(SurfaceType::D2, R32, [4, 1, 1]), Platform::Gen11).unwrap();
    let message = Message { params: 1, null_mask: true, ..Message::new(Op::SampleLz) };
    // Between texels 0 and 1, 1 and 2, 2 and 3.
    for (u, faults, null) in [(0.25_f32, 0, 0xff), (0.5, 0xff, 0), (0.75, 0xff, 0)] {
        let lanes = u.to_le_bytes().repeat(8);
        let mut payload = Payload::new();
        payload.push(&lanes).unwrap();
        let mut out = vec![0xcc; message.response().len.into()];
        let outcome =
            texture.execute(&message, &payload, &bind(&linear()), &Holes(&bytes), &mut out).unwrap();
        assert_eq!((outcome.faults, outcome.null_lanes), (faults, null), "{u}");
    }
}

/// The reported address is that of the first texel of the lane's footprint that faults, not of the last.
#[test]
fn the_first_fault_of_a_footprint_is_told() {
    let texture = Texture::bind(&surface(SurfaceType::D2, R32, [4, 4, 1]), Platform::Gen11).unwrap();
    let message = Message { params: 2, lanes: 0xfc, ..Message::new(Op::SampleLz) };
    let lanes = 0.5_f32.to_le_bytes().repeat(8);
    let mut payload = Payload::new();
    payload.push(&lanes).unwrap();
    payload.push(&lanes).unwrap();
    let memory = LinearMemory { base: 0, bytes: &[] };
    let outcome = texture.execute(&message, &payload, &bind(&linear()), &memory, &mut [0; 128]).unwrap();
    assert_eq!((outcome.faults, outcome.first_fault), (0xfc, Some((2, BASE + 64 + 4))));
}

/// Memory in which the texels of mip level `level` fault. In this layout levels 1 and 2 are below level 0, and level 2 is to the right of
/// level 1.
struct Without {
    level: u32,
}

impl Memory for Without {
    fn read(&self, address: u64, out: &mut [u8]) -> Access {
        let (column, row) = ((address - BASE) % 64, (address - BASE) / 64);
        out.fill(0);
        let level = if row < 4 { 0 } else { 1 + u32::from(column >= 16) };
        if level == self.level { Access::Fault } else { Access::Mapped }
    }
}

/// A lane reads exactly the mip levels that have a weight in its result, also beside lanes that read other levels.
#[test]
fn a_level_that_is_not_there_fails_where_it_has_a_weight() {
    let mut state = surface(SurfaceType::D2, R32, [4, 4, 1]);
    state.set_mip_count(3).unwrap();
    let texture = Texture::bind(&state, Platform::Gen11).unwrap();
    let mut sampler = linear();
    // With quality LOW, a LOD closer than 1/4 to a whole mip level uses that level alone (U10).
    sampler.set_mip_filter(MipFilter::Linear).set_trilinear_quality(TrilinearQuality::Low);
    let sampler = bind(&sampler);
    let message = Message { params: 3, simd: 16, lanes: 0xffff, ..Message::new(Op::SampleL) };
    let lods = [0.0_f32, 1.0, 0.5, 1.5, -1.0, 0.8, 0.2, 2.0, 1.8, 1.2, 9.0, 0.0, 1.0, 0.4, 1.6, 1.9];
    let reads = |level: u32| {
        let weighs = |lod: f32| (lod.clamp(0.0, 2.0) - level as f32).abs() < 0.7;
        (0..16).fold(0_u32, |lanes, lane| lanes | u32::from(weighs(lods[lane])) << lane)
    };
    let lods = lods.map(f32::to_le_bytes).concat();
    let at = 0.5_f32.to_le_bytes().repeat(16);
    let mut payload = Payload::new();
    [&lods, &at, &at].into_iter().for_each(|lanes| payload.push(lanes).unwrap());
    let prepared = Prepared::new(&texture, &sampler, &message).unwrap();
    for level in 0..3 {
        let memory = Without { level };
        let mut out = vec![0; message.response().len.into()];
        let done = texture.execute(&message, &payload, &sampler, &memory, &mut out).unwrap();
        assert_eq!(done.faults, reads(level), "level {level}");
        let again = prepared.execute(&mut Scratch::new(), message.lanes, &payload, &memory, &mut out);
        assert_eq!(again.unwrap(), done, "level {level}");
    }
}

/// Texels of a block on a null page are 0 in every channel, whereas a BC1 block of zeros in memory decodes to opaque texels.
#[test]
#[cfg(feature = "bc")]
fn texels_of_null_blocks_are_zero() {
    struct Null;
    impl Memory for Null {
        fn read(&self, _: u64, _: &mut [u8]) -> Access {
            Access::NullPage
        }
    }
    let texture =
        Texture::bind(&surface(SurfaceType::D2, SurfaceFormat::BC1_UNORM, [8, 8, 1]), Platform::Gen11);
    let message = Message { params: 0, ..Message::new(Op::LdLz) };
    let mut out = vec![0xcc; message.response().len.into()];
    let outcome =
        texture.unwrap().execute(&message, &Payload::new(), &Sampler::none(), &Null, &mut out).unwrap();
    assert_eq!((outcome.faults, outcome.null_lanes), (0, 0xff));
    assert!(out.iter().all(|byte| *byte == 0));
}
