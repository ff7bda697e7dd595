//! Prepared messages give the results and outcomes of [`Texture::execute`], which takes the general path.

use super::random::Random;
use super::*;
use crate::memory::PageTable;
use crate::message::Param;
use crate::sample::{Outcome, Prepared, Scratch};
use core::cell::RefCell;

/// Memory in pages of 256 bytes. `contiguous` hands out one page at a time; with a table in the second field, `page_table` hands out the
/// frames of those pages that the table has.
pub(super) struct Pages<'a>(pub(super) LinearMemory<'a>, pub(super) Option<&'a [u32]>);

impl Memory for Pages<'_> {
    fn read(&self, address: u64, out: &mut [u8]) -> Access {
        self.0.read(address, out)
    }

    fn contiguous(&self, address: u64) -> Option<(u64, &[u8])> {
        let start = (address - self.0.base) / 256 * 256;
        let page = self.0.bytes.chunks(256).nth(start as usize / 256)?;
        Some((self.0.base + start, page))
    }

    fn page_table(&self, _: u64, _: usize) -> Option<PageTable<'_>> {
        Some(PageTable { base: self.0.base, log2_page: 8, frames: self.1?, bytes: self.0.bytes })
    }
}

/// Memory that is handed out as one slice or, with a table in the second field, by the page table; a request for a single texel panics.
pub(super) struct HandedOut<'a>(pub(super) LinearMemory<'a>, pub(super) Option<&'a [u32]>);

impl Memory for HandedOut<'_> {
    fn read(&self, address: u64, _: &mut [u8]) -> Access {
        panic!("read at {address:#x}")
    }

    fn slice(&self, address: u64, len: usize) -> Option<&[u8]> {
        if self.1.is_none() { self.0.slice(address, len) } else { None }
    }

    fn page_table(&self, _: u64, _: usize) -> Option<PageTable<'_>> {
        Some(PageTable { base: self.0.base, log2_page: 8, frames: self.1?, bytes: self.0.bytes })
    }

    fn contiguous(&self, address: u64) -> Option<(u64, &[u8])> {
        panic!("asked for {address:#x}")
    }
}

/// Memory that supports `read` alone and records the addresses that are read.
pub(super) struct Reads<'a>(pub(super) LinearMemory<'a>, pub(super) RefCell<Vec<u64>>);

impl Reads<'_> {
    /// Returns the addresses that were read since the last call, sorted, each once.
    pub(super) fn take(&self) -> Vec<u64> {
        let mut addresses = self.1.take();
        addresses.sort_unstable();
        addresses.dedup();
        addresses
    }
}

impl Memory for Reads<'_> {
    fn read(&self, address: u64, out: &mut [u8]) -> Access {
        self.1.borrow_mut().push(address);
        self.0.read(address, out)
    }
}

/// A palette with an entry for each value of a byte.
pub(super) const PALETTE: &[u32] = &{
    let mut entries = [0; 256];
    let mut number = 0;
    while number < entries.len() {
        entries[number] = (number as u32).wrapping_mul(0x9e37_79b1);
        number += 1;
    }
    entries
};

pub(super) fn state(random: &mut Random) -> SurfaceState {
    use SurfaceFormat as F;
    let kinds = [SurfaceType::D2, SurfaceType::D2, SurfaceType::D3, SurfaceType::Cube, SurfaceType::D1];
    let kind = random.pick(&kinds);
    let format = random.pick(&[
        F::R8G8B8A8_UNORM,
        F::R8G8B8A8_UNORM,
        F::R32_FLOAT,
        F::R16G16_FLOAT,
        F::R8G8B8A8_UNORM_SRGB,
        F::R16_UNORM,
        F::R32_UINT,
        F::R8G8B8_UNORM,
        F::R8_UNORM,
        F::R8G8_SNORM,
        F::B5G6R5_UNORM_SRGB,
        F::R10G10B10A2_UNORM_SRGB,
        F::R9G9B9E5_SHAREDEXP,
        F::R16G16B16_UNORM,
        F::R16G16B16A16_SNORM,
        F::R32G32B32_FLOAT,
        F::R32G32B32A32_FLOAT,
        F::YCRCB_NORMAL,
        F::P8_UNORM_PALETTE0,
        F::P4A4_UNORM_PALETTE0,
        F::R64G64B64A64_FLOAT,
        F::R64G64B64_FLOAT,
        if cfg!(feature = "bc") { F::BC1_UNORM } else { F::R16_UNORM },
        if cfg!(feature = "bc") { F::BC5_SNORM } else { F::R16_UNORM },
    ]);
    let side = random.pick(&[8, 8, 7]);
    let mut state = surface(kind, format, [side, side, if kind == SurfaceType::D3 { 4 } else { 1 }]);
    state.set_mip_count(3).unwrap().set_qpitch(16).unwrap().set_cube_faces(0x3f);
    if matches!(kind, SurfaceType::D1 | SurfaceType::D2) && random.below(2) == 0 {
        state.set_array(true).set_depth(3).unwrap();
    }
    // Tiles split elements of three doubles into thirds (X- and Y-major) and elements of four doubles into halves (Y-major only).
    if random.below(2) == 0 {
        let wide = matches!(format, F::R64G64B64A64_FLOAT | F::R64G64B64_FLOAT);
        let mode = if wide && random.below(2) == 0 { TileMode::XMajor } else { TileMode::YMajor };
        let pitch = if wide { 512 } else { 128 };
        state.set_tile_mode(mode).set_pitch(pitch).unwrap().set_qpitch(32).unwrap();
    }
    state
}

fn sampler(random: &mut Random) -> Sampler {
    use AddressMode as A;
    let mut state = linear();
    let filter = random.pick(&[Filter::Linear, Filter::Linear, Filter::Nearest, Filter::Anisotropic]);
    let mode = random.pick(&[A::Wrap, A::Mirror, A::Clamp, A::ClampBorder, A::MirrorOnce, A::HalfBorder]);
    let other = random.pick(&[mode, mode, A::Clamp]);
    state
        .set_mag_filter(filter)
        .set_min_filter(if random.below(4) == 0 { Filter::Nearest } else { filter })
        .set_max_anisotropy_code(random.pick(&[1, 7]))
        .set_address_modes([mode, other, mode])
        .set_shadow_function(random.pick(&[CompareFunction::Less, CompareFunction::GreaterEqual]))
        // A bias of half a mip level makes messages without a LOD read two mip levels, too.
        .set_lod_bias(random.pick(&[0, 0, 128]))
        .set_mip_filter(random.pick(&[MipFilter::None, MipFilter::Nearest, MipFilter::Linear]));
    bind(&state).with_precision(random.pick(&[Precision::Float, Precision::Float, Precision::Fixed8]))
}

/// Returns a random value of a parameter for one lane; a few values send the message down the general path.
fn lane(random: &mut Random, param: Param, integers: bool) -> [u8; 4] {
    match (param, integers) {
        (Param::OffU | Param::OffV | Param::OffUv, _) => (random.below(1 << 12) as u32).to_le_bytes(),
        // Mip levels 0 to 5, mostly 0; the surface has three of them.
        (Param::Lod, true) => {
            let levels = random.pick(&[1, 1, 1, 1, 1, 1, 1, 6]);
            (random.below(levels) as u32).to_le_bytes()
        }
        (_, true) => {
            let most = random.pick(&[3, 3, 3, 9]);
            (random.below(most) as u32).to_le_bytes()
        }
        _ if random.below(300) == 0 => 1e9_f32.to_le_bytes(),
        _ => (random.below(80) as f32 / 32.0 - 0.75).to_le_bytes(),
    }
}

/// Returns a random value of a parameter for one lane, in the width of the message.
pub(super) fn lane_bytes(random: &mut Random, param: Param, integers: bool, width: Width) -> Vec<u8> {
    let word = lane(random, param, integers);
    let is_offset = matches!(param, Param::OffU | Param::OffV | Param::OffUv);
    match width {
        Width::Full => word.to_vec(),
        Width::Half if integers || is_offset => word[..2].to_vec(),
        Width::Half => crate::format::half::from_f32(f32::from_le_bytes(word)).to_le_bytes().to_vec(),
    }
}

/// Returns how many parameters of an operation come before the array index of cubes.
pub(super) fn param_count(op: Op, width: Width) -> usize {
    let params = op.params(width);
    params.iter().position(|&param| param == Param::Ai).unwrap_or(params.len())
}

/// Returns the parameter that each value of a payload belongs to: those of the message one after the other, each for all lanes.
pub(super) fn lane_params(message: &Message) -> impl Iterator<Item = Param> + use<> {
    let params = &message.op.params(message.param_width)[..message.params.into()];
    let simd = message.simd.into();
    params.iter().flat_map(move |&param| [param].repeat(simd))
}

const OPS: &[Op] = &[
    Op::Sample,
    Op::SampleB,
    Op::SampleL,
    Op::SampleD,
    Op::SampleLz,
    Op::SampleLz,
    Op::SampleCLz,
    Op::SampleMin,
    Op::Gather4,
    Op::Gather4C,
    Op::Gather4Po,
    Op::Gather4PoC,
    Op::Gather4PoPacked,
    Op::Gather4PoL,
    Op::Gather4PoB,
    Op::Lod,
    Op::Ld,
    Op::LdLz,
];

fn message(random: &mut Random, op: Op) -> Message {
    let simd = random.pick(&[1, 2, 4, 8, 16, 16, 32]);
    let width = random.pick(&[Width::Full, Width::Full, Width::Half]);
    let count = param_count(op, width).min(8);
    // Sometimes the payload lacks its last parameters, the layer or the LOD.
    let count = if random.below(8) == 0 { count.min(2) } else { count };
    Message {
        simd,
        lanes: random.pick(&[u32::MAX, u32::MAX, 0x5a5a_a5a5]),
        params: count as u8,
        channels: Channels::new(random.pick(&[15, 15, 7, 9])),
        null_mask: random.below(4) == 0,
        param_width: width,
        ..Message::new(op)
    }
}

/// Returns random parameters for a message, one after the other.
fn parameters(random: &mut Random, message: &Message) -> Vec<u8> {
    let integers = matches!(message.op, Op::Ld | Op::LdLz);
    let width = message.param_width;
    lane_params(message).flat_map(|param| lane_bytes(random, param, integers, width)).collect()
}

/// Returns a payload whose parameters have half of the lanes of the message: the missing lanes read 0.
fn half_of_the_lanes(block: &[u8], stride: usize) -> Payload<'_> {
    let mut payload = Payload::new();
    block.chunks(stride).for_each(|lanes| payload.push(&lanes[..stride / 2]).unwrap());
    payload
}

/// The payloads of a batch. Two are executed side by side, except for the last one, and for pairs of which one has its parameters in two
/// blocks.
const BATCH: [usize; 11] = [1, 0, 1, 1, 0, 0, 1, 0, 1, 0, 1];

/// A prepared message, and what [`Texture::execute`] does with each of two payloads.
struct Comparison<'a> {
    texture: &'a Texture<'a>,
    sampler: &'a Sampler,
    message: Message,
    prepared: Prepared<'a>,
    results: [(Vec<u8>, Outcome); 2],
    /// The addresses that each payload reads.
    addresses: [Vec<u64>; 2],
}

impl Comparison<'_> {
    /// Compares each payload by itself. Texels that the border replaces and inactive lanes read no memory, as in [`Texture::execute`].
    fn single(
        &self,
        scratch: &mut Scratch,
        payloads: &[Payload<'_>; 2],
        memory: &dyn Memory,
        reads: &Reads<'_>,
    ) {
        let Self { texture, sampler, message, .. } = self;
        for ((payload, expected), addresses) in payloads.iter().zip(&self.results).zip(&self.addresses) {
            let mut out = vec![0xee; message.response().len.into()];
            let found = self.prepared.execute(scratch, message.lanes, payload, memory, &mut out).unwrap();
            assert_eq!(*expected, (out, found), "{message:?} {texture:?} {sampler:?}");
            let found = reads.take();
            assert!(found.is_empty() || found == *addresses, "{message:?} {texture:?} {sampler:?}");
        }
    }

    /// Compares a batch of the payloads in the order [`BATCH`], each in the two blocks that `payloads` has for it.
    fn batch(&self, scratch: &mut Scratch, payloads: [[&[u8]; 2]; BATCH.len()], memory: &dyn Memory) {
        let Self { texture, sampler, message, .. } = self;
        let mut out = vec![0xee; BATCH.len() * usize::from(message.response().len)];
        let mut outcomes = vec![];
        let done = |outcome| outcomes.push(outcome);
        let count = self.prepared.execute_batch(scratch, message.lanes, payloads, memory, &mut out, done);
        let all = BATCH.map(|number| self.results[number].1).to_vec();
        assert_eq!((count, outcomes), (Ok(BATCH.len()), all), "{message:?} {texture:?} {sampler:?}");
        let expected = BATCH.map(|number| &self.results[number].0[..]).concat();
        assert_eq!(out, expected, "{message:?} {texture:?} {sampler:?}");
    }
}

#[test]
fn prepared_messages_are_the_general_ones() {
    let mut random = Random(11);
    let bytes: Vec<u8> = (0..1 << 17).map(|_| random.below(256) as u8 & 0x3f).collect();
    let whole = LinearMemory { base: BASE, bytes: &bytes };
    let frames: Vec<u32> = (0..512).map(|page| if page % 64 == 13 { u32::MAX } else { page }).collect();
    let (pages, table) = (Pages(whole, None), Pages(whole, Some(&frames)));
    let mut scratch = Scratch::filled(0x7fc1_2345);
    let (mut direct, mut compared) = (0, 0);
    for _ in 0..3000 {
        let op = random.pick(OPS);
        // Sometimes the palette lacks its last entries.
        let palette = &PALETTE[..random.pick(&[256, 256, 200, 16, 9])];
        let texture = Texture::with_palette(&state(&mut random), Platform::Gen11, palette).unwrap();
        let sampler = sampler(&mut random);
        let message = message(&mut random, op);
        let stages = vectors::any(&mut random);
        let Ok(prepared) = Prepared::with_stages(&texture, &sampler, &message, stages) else { continue };
        direct += u32::from(prepared.direct.iter().flatten().count() != 0);
        let count = usize::from(message.params);
        let stride = message.param_width.bytes() * usize::from(message.simd);
        let blocks = [(); 2].map(|()| parameters(&mut random, &message));
        // The payload is one block of registers, or two.
        let cut = stride * random.pick(&[count, 1]);
        let short = random.below(16) == 0;
        let payloads_cut_at = |cut| {
            blocks.each_ref().map(|block| Payload::split(block.split_at(cut).into(), stride, count).unwrap())
        };
        let payloads = if short {
            blocks.each_ref().map(|block| half_of_the_lanes(block, stride))
        } else {
            payloads_cut_at(cut)
        };
        // How the payload is split into blocks does not change the result.
        let general = if short { payloads } else { payloads_cut_at(stride * count) };
        let execute = |payload: &Payload<'_>, memory: &dyn Memory| {
            let mut out = vec![0xee; message.response().len.into()];
            let outcome = texture.execute(&message, payload, &sampler, memory, &mut out).unwrap();
            (out, outcome)
        };
        let reads = Reads(whole, RefCell::default());
        let comparison = Comparison {
            texture: &texture,
            sampler: &sampler,
            results: general.each_ref().map(|payload| execute(payload, &whole)),
            addresses: payloads.each_ref().map(|payload| {
                execute(payload, &reads);
                reads.take()
            }),
            message,
            prepared,
        };
        for memory in [&whole as &dyn Memory, &pages, &table, &reads] {
            comparison.single(&mut scratch, &payloads, memory, &reads);
            if !short {
                let cut_payload = |number: usize| {
                    let cut = if random.below(4) == 0 { stride } else { cut };
                    blocks[number].split_at(cut).into()
                };
                comparison.batch(&mut scratch, BATCH.map(cut_payload), memory);
            }
        }
        compared += 1;
    }
    assert!(compared > 2000, "{compared}");
    if crate::sample::lanes::LANES == 16 {
        assert!(direct > compared / 2, "{direct} of {compared}");
    }
}

/// Texels in pages that the page table has are found by the table: `read` and `contiguous` are not called.
#[test]
fn pages_of_a_table_are_not_asked_for() {
    if crate::sample::lanes::LANES < 16 {
        return;
    }
    let bytes: Vec<u8> = (0..1024_u32).map(|at| (at / 256) as u8).collect();
    // Two pages of four rows each: page 0 is in frame 2, page 1 in frame 1.
    let memory = HandedOut(LinearMemory { base: BASE, bytes: &bytes }, Some(&[2, 1]));
    let state = surface(SurfaceType::D2, SurfaceFormat::R8_UINT, [8, 8, 1]);
    let texture = Texture::bind(&state, Platform::Gen11).unwrap();
    let message = Message { params: 2, simd: 16, ..Message::new(Op::LdLz) };
    let prepared = Prepared::new(&texture, &Sampler::none(), &message).unwrap();
    let [u, v]: [Vec<u8>; 2] = [0, 1].map(|axis| {
        (0..16_u32).flat_map(|lane| if axis == 0 { lane % 8 } else { lane / 2 }.to_le_bytes()).collect()
    });
    let payload = Payload::split([&u, &v], 64, 2).unwrap();
    let mut out = vec![0; message.response().len.into()];
    prepared.execute(&mut Scratch::new(), u32::MAX, &payload, &memory, &mut out).unwrap();
    let red: Vec<u8> = out[..64].iter().step_by(4).copied().collect();
    assert_eq!(red, [2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1]);
}

/// Sample indices and MCS values of 16 bits are zero-extended, coordinates are sign-extended (U03); four words are one MCS value.
#[test]
fn words_of_samples_are_widened_without_a_sign() {
    let mut random = Random(9);
    let bytes: Vec<u8> = (0..1 << 14).map(|_| random.below(256) as u8 & 0x3f).collect();
    let memory = LinearMemory { base: BASE, bytes: &bytes };
    let mut state = surface(SurfaceType::D2, R32, [4, 4, 1]);
    state.set_samples(8).unwrap();
    let texture = Texture::bind(&state, Platform::Gen11).unwrap();
    let mut results = vec![];
    for op in [Op::Ld2dms, Op::Ld2dmsW, Op::Ld2dmsW, Op::Ld2dss, Op::LdMcs].repeat(50) {
        let params = op.params(Width::Half);
        // A message may end inside an MCS value.
        let params = if random.below(3) == 0 { &params[..random.pick(&[2, 3, 4])] } else { params };
        let message =
            Message { params: params.len() as u8, param_width: Width::Half, simd: 16, ..Message::new(op) };
        let lane = |param: &Param| match param {
            Param::Si => random.pick(&[0, 2, 3, 4, 7, 8, 0x8000, 0xffff]),
            Param::Mcs0 | Param::Mcs1 | Param::Mcs2 | Param::Mcs3 => random.below(1 << 16) as u16,
            Param::Lod | Param::R => 0,
            _ => random.pick(&[0, 1, 3, 0xffff, 0x8000]),
        };
        let lanes: Vec<u16> = params.iter().flat_map(|param| [param; 16]).map(lane).collect();
        let block: Vec<u8> = lanes.iter().flat_map(|word| word.to_le_bytes()).collect();
        let payload = Payload::split([&block, &[]], 32, params.len()).unwrap();
        let stages = vectors::any(&mut random);
        let prepared = Prepared::with_stages(&texture, &Sampler::none(), &message, stages).unwrap();
        let len = usize::from(message.response().len);
        let (mut one, mut other) = (vec![0xee; len], vec![0xee; len]);
        let expected = texture.execute(&message, &payload, &Sampler::none(), &memory, &mut one).unwrap();
        let found =
            prepared.execute(&mut Scratch::new(), message.lanes, &payload, &memory, &mut other).unwrap();
        assert_eq!((&one, expected), (&other, found), "{op:?} {lanes:?}");
        results.push(one);
    }
    results.dedup();
    assert!(results.len() > 100, "{}", results.len());
}

#[test]
fn a_batch_without_room_says_how_many_bytes_it_needs() {
    let texture =
        Texture::bind(&surface(SurfaceType::D2, SurfaceFormat::R32_FLOAT, [4, 4, 1]), Platform::Gen11);
    let message = Message { params: 0, ..Message::new(Op::SampleLz) };
    let prepared = Prepared::new(&texture.unwrap(), &Sampler::none(), &message).unwrap();
    let memory = LinearMemory { base: BASE, bytes: &[0; 1024] };
    let result = usize::from(message.response().len);
    let mut out = vec![0; 2 * result];
    let payloads = [[&[][..], &[]]; 3];
    let error =
        prepared.execute_batch(&mut Scratch::new(), 1, payloads, &memory, &mut out, |_| {}).unwrap_err();
    let needed = 3 * result as u64;
    assert_eq!((error.kind(), error.what(), error.found()), (Kind::Capacity, What::Writeback, needed));
}

#[test]
fn a_batch_ends_at_a_payload_that_is_too_short() {
    let texture =
        Texture::bind(&surface(SurfaceType::D2, SurfaceFormat::R32_FLOAT, [4, 4, 1]), Platform::Gen11);
    let message = Message { params: 2, ..Message::new(Op::SampleLz) };
    let prepared = Prepared::new(&texture.unwrap(), &Sampler::none(), &message).unwrap();
    let memory = LinearMemory { base: BASE, bytes: &[0x3f; 1024] };
    let len = usize::from(message.response().len);
    let whole = vec![0; 2 * 4 * usize::from(message.simd)];
    for short in 0..4 {
        let mut out = vec![0xee; 5 * len];
        let payloads =
            (0..5).map(|number| if number == short { [&whole[4..], &[]] } else { [&whole[..], &[]] });
        let mut outcomes = 0;
        let done = |_| outcomes += 1;
        let lanes = message.all_lanes();
        let error = prepared
            .execute_batch(&mut Scratch::new(), lanes, payloads, &memory, &mut out, done)
            .unwrap_err();
        assert_eq!((error.kind(), error.what(), outcomes), (Kind::Truncated, What::Payload, short));
        let (written, rest) = out.split_at(short * len);
        assert!(rest.iter().all(|byte| *byte == 0xee));
        assert!(written.chunks(len).all(|result| result[..4] == 0x3f3f_3f3f_u32.to_le_bytes()));
    }
}

/// Parameters may be given as whole registers: what these have past the message's lanes is not read (U07).
#[test]
fn lanes_past_the_width_are_not_read() {
    let mut random = Random(7);
    let mut state = surface(SurfaceType::D2, SurfaceFormat::R32_FLOAT, [8, 8, 1]);
    state.set_mip_count(3).unwrap();
    let texture = Texture::bind(&state, Platform::Gen11).unwrap();
    let sampler = bind(linear().set_mip_filter(MipFilter::Linear));
    let memory = LinearMemory { base: BASE, bytes: &ramp(|x, y, _| (x * 8 + y) as f32) };
    for op in [Op::Lod, Op::Sample, Op::SampleB] {
        for (simd, param_width) in [1, 2, 4, 8, 16, 32]
            .into_iter()
            .flat_map(|simd| [Width::Full, Width::Half].map(|width| (simd, width)))
        {
            let message = Message {
                simd,
                param_width,
                params: param_count(op, param_width).min(3) as u8,
                ..Message::new(op)
            };
            let registers = parameters(&mut random, &Message { simd: 32, ..message });
            let mut payload = Payload::new();
            for lanes in registers.chunks(32 * param_width.bytes()) {
                payload.push(lanes).unwrap();
            }
            let [mut expected, mut got] = [(); 2].map(|()| vec![0; message.response().len.into()]);
            texture.execute(&message, &payload, &sampler, &memory, &mut expected).unwrap();
            let prepared = Prepared::new(&texture, &sampler, &message).unwrap();
            prepared.execute(&mut Scratch::new(), message.lanes, &payload, &memory, &mut got).unwrap();
            assert_eq!(got, expected, "{op:?}, {simd} lanes, {param_width:?}");
        }
    }
}
