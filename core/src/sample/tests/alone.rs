//! A lane has the same result and the same faults whether it is the only active lane or other lanes are active too. This also holds where
//! a subspan derives its LOD from all of its lanes but the scratch of the target holds fewer lanes than a subspan.

use super::random::Random;
use super::*;
use crate::message::Param;
use crate::sample::Outcome;

impl Random {
    fn param(&mut self, param: Param) -> f32 {
        match param {
            Param::Lod => self.pick(&[-1.0, 0.0, 0.5, 1.0, 1.75, 9.0]),
            Param::U | Param::V | Param::R => self.below(80) as f32 / 32.0 - 1.25,
            Param::Ref => 5.0,
            // Biases, and gradients of zero, one or eight texels, equal in both directions or not.
            _ => self.pick(&[0.0, 0.0, 0.125, 0.125, 1.0]),
        }
    }
}

/// Linear memory with holes: on average one dword in as many as the second field says faults.
struct Patchy<'a>(LinearMemory<'a>, u64);

impl Memory for Patchy<'_> {
    fn read(&self, address: u64, out: &mut [u8]) -> Access {
        let Self(memory, every) = self;
        let hole = |at: u64| (at / 4).wrapping_mul(0x9e37_79b9) >> 7 & 0xffff < 0xffff / every;
        if (address..address + out.len() as u64).any(hole) {
            Access::Fault
        } else {
            memory.read(address, out)
        }
    }
}

type Ran = ([[u32; 8]; 4], Outcome);

fn ran(texture: &Texture<'_>, lanes: u32, op: Op, params: &[Vec<u8>], with: (&Sampler, &Patchy<'_>)) -> Ran {
    let cps = matches!(op, Op::Sample | Op::SampleB);
    let message = Message { lanes, params: params.len() as u8, cps, ..Message::new(op) };
    let mut payload = Payload::new();
    params.iter().for_each(|lanes| payload.push(lanes).unwrap());
    let mut out = [0; 128];
    let outcome = texture.execute(&message, &payload, with.0, with.1, &mut out).unwrap();
    let word = |at: usize| u32::from_le_bytes(*out[at..].first_chunk().unwrap());
    (core::array::from_fn(|c| core::array::from_fn(|lane| word(c * 32 + lane * 4))), outcome)
}

fn sampler(random: &mut Random, op: Op) -> Sampler {
    use Filter::{Anisotropic, Linear, Nearest};
    let mut state = linear();
    state
        .set_mag_filter(random.pick(&[Nearest, Linear, Anisotropic]))
        .set_min_filter(random.pick(&[Nearest, Linear, Anisotropic]))
        .set_mip_filter(random.pick(&[MipFilter::Nearest, MipFilter::Linear]))
        .set_max_anisotropy_code(3)
        .set_cube_control_override(random.below(2) == 0)
        .set_shadow_function(CompareFunction::Less)
        .set_address_modes([random.pick(&[AddressMode::Wrap, AddressMode::Clamp]); 3]);
    if op != Op::SampleLC {
        state.set_reduction(random.pick(&[None, Some(ReductionType::Minimum), Some(ReductionType::Maximum)]));
    }
    bind(&state).with_cps_lod(random.pick(&[0.0, 0.75]))
}

#[test]
fn a_lane_is_as_if_alone() {
    let mut random = Random(1);
    let bytes = ramp(|x, y, z| ((x * 7 + y * 13 + z * 29) % 11) as f32);
    let memory = LinearMemory { base: BASE, bytes: &bytes };
    let (mut faults, mut whole_subspans) = (0, 0);
    for _ in 0..600 {
        let kind = random.pick(&[SurfaceType::D2, SurfaceType::D3, SurfaceType::Cube]);
        let mut state = surface(kind, R32, [8, 8, if kind == SurfaceType::D3 { 4 } else { 1 }]);
        state.set_mip_count(3).unwrap().set_qpitch(16).unwrap().set_cube_faces(0x3f);
        let texture = Texture::bind(&state, Platform::Gen11).unwrap();
        let op =
            random.pick(&[Op::Sample, Op::SampleB, Op::SampleL, Op::SampleLC, Op::SampleD, Op::SampleLz]);
        let sampler = sampler(&mut random, op);
        let memory = Patchy(memory, random.pick(&[16, 64, u64::MAX]));
        let count = op.params(Width::Full).iter().position(|&param| param == Param::Ai).unwrap();
        let params: Vec<Vec<u8>> = op.params(Width::Full)[..count]
            .iter()
            .map(|&param| (0..8).flat_map(|_| random.param(param).to_le_bytes()).collect())
            .collect();
        let alone =
            [0, 1, 2, 3, 4, 5, 6, 7].map(|lane| ran(&texture, 1 << lane, op, &params, (&sampler, &memory)));
        for lanes in [0xff, 0x5a, 0x81] {
            let (texels, outcome) = ran(&texture, lanes, op, &params, (&sampler, &memory));
            let on = || (0..8).filter(|lane| lanes >> lane & 1 == 1);
            for lane in on() {
                let (own, with) = (alone[lane].0.map(|c| c[lane]), texels.map(|c| c[lane]));
                assert_eq!(own, with, "lane {lane} of {lanes:#x} {op:?} {state:?} {sampler:?}");
            }
            let failed: u32 = on().map(|lane| alone[lane].1.faults).sum();
            let first = on().find_map(|lane| alone[lane].1.first_fault);
            assert_eq!((outcome.faults, outcome.first_fault), (failed, first), "{op:?} {sampler:?}");
            faults += u32::from(failed != 0);
            whole_subspans += u32::from(lanes == 0xff && failed == 0);
        }
    }
    assert!(faults > 200 && whole_subspans > 200, "{faults} {whole_subspans}");
}
