//! A store of decoded blocks changes no result.

use super::random::Random;
use super::*;
use crate::format::{self, BlockStore, FormatDecoder};
use crate::sample::{Prepared, Scratch};
use crate::transfer::SurfaceDescription;

/// Memory that supports `read` alone: elements are copied.
struct Copied<'a>(LinearMemory<'a>);

impl Memory for Copied<'_> {
    fn read(&self, address: u64, out: &mut [u8]) -> Access {
        self.0.read(address, out)
    }
}

/// A store with room for every block, for a few or for none gives the results and outcomes of execution without a store: for block
/// formats of one, two and four words a texel, with and without borders, in memory that is handed out and in memory that is copied.
#[test]
fn a_store_changes_no_result() {
    let mut random = Random(5);
    let bytes: Vec<u8> = (0..1 << 16).map(|_| random.below(256) as u8).collect();
    let memory = LinearMemory { base: BASE, bytes: &bytes };
    let mut scratch = Scratch::filled(0x7fc1_2345);
    let names = ["BC7_UNORM", "BC6H_UF16", "ASTC_LDR_2D_8X6_FLT16"];
    for format in names.map(|name| format::from_name(name).unwrap()) {
        let shape = SurfaceDescription::texture_2d(format, 30, 22).with_levels(3).with_layers(2);
        let shape = shape.with_tile_mode(TileMode::YMajor);
        let state = SurfaceState::new(&shape.with_base_address(BASE), Platform::Gen11).unwrap();
        let size = state.required_size(Platform::Gen11).unwrap() as usize;
        let codec = FormatDecoder::new(format).unwrap();
        let blocks = size / usize::from(codec.info().bytes);
        let texture = Texture::bind(&state, Platform::Gen11).unwrap();
        for kept in [blocks, 8, 0] {
            let mut words = vec![0; kept * BlockStore::words_of(codec.info())];
            let mut store = BlockStore::new(&mut words, codec, blocks as u32);
            for number in 0..40 {
                let mut state = linear();
                state
                    .set_mag_filter(random.pick(&[Filter::Linear, Filter::Nearest]))
                    .set_mip_filter(random.pick(&[MipFilter::Nearest, MipFilter::Linear]))
                    .set_address_modes([random.pick(&[AddressMode::Wrap, AddressMode::ClampBorder]); 3]);
                let sampler = bind(&state);
                let op = random.pick(&[Op::SampleL, Op::SampleLz, Op::Gather4]);
                let message = Message { simd: 16, lanes: 0xbfff, ..Message::new(op) };
                let message = Message { params: if op == Op::SampleL { 4 } else { 3 }, ..message };
                let lanes: Vec<u8> = (0..16 * u32::from(message.params))
                    .flat_map(|_| (random.below(80) as f32 / 32.0 - 0.75).to_le_bytes())
                    .collect();
                let payload = Payload::split([&lanes, &[]], 64, message.params.into()).unwrap();
                let (mut one, mut other) = ([0xee; 256], [0xee; 256]);
                let expected = texture.execute(&message, &payload, &sampler, &memory, &mut one).unwrap();
                let stages = vectors::any(&mut random);
                let prepared = Prepared::with_stages(&texture, &sampler, &message, stages).unwrap();
                let mut run = |memory: &dyn Memory, out: &mut [u8]| {
                    prepared
                        .execute_with_blocks(&mut scratch, &mut store, message.lanes, &payload, memory, out)
                        .unwrap()
                };
                let copied = Copied(memory);
                let found = run(if number % 2 == 0 { &memory } else { &copied }, &mut other);
                assert_eq!((one, expected), (other, found), "{format:?} {kept} {message:?} {sampler:?}");
                // A batch of three payloads, two of which are executed side by side.
                let len = usize::from(message.response().len);
                let (mut batch, mut outcomes) = (vec![0xee; 3 * len], vec![]);
                let done = |outcome| outcomes.push(outcome);
                let payloads = [[&lanes[..], &[]]; 3];
                let count = prepared
                    .execute_batch_with_blocks(
                        &mut scratch,
                        &mut store,
                        message.lanes,
                        payloads,
                        &memory,
                        &mut batch,
                        done,
                    )
                    .unwrap();
                assert_eq!((count, outcomes), (3, vec![expected; 3]), "{format:?} {message:?}");
                assert!(batch.chunks(len).all(|result| *result == one[..len]), "{format:?} {message:?}");
                let mut run = |memory: &dyn Memory, out: &mut [u8]| {
                    prepared
                        .execute_with_blocks(&mut scratch, &mut store, message.lanes, &payload, memory, out)
                        .unwrap()
                };
                if kept == blocks {
                    // All blocks are in the store now, so blocks are not read from memory again.
                    let zeros = vec![0; bytes.len()];
                    run(&LinearMemory { base: BASE, bytes: &zeros }, &mut other);
                    assert_eq!(one, other, "{format:?} {message:?}");
                }
            }
        }
    }
}

/// One store serves samplers that read sRGB texels with the curve and without it, also of formats whose stored texels have gone through
/// the curve.
#[test]
fn a_store_does_not_choose_the_curve() {
    let mut random = Random(5);
    let bytes: Vec<u8> = (0..1 << 12).map(|_| random.below(256) as u8).collect();
    let memory = LinearMemory { base: BASE, bytes: &bytes };
    for name in ["ASTC_LDR_2D_4X4_U8SRGB", "BC7_UNORM_SRGB"] {
        let format = format::from_name(name).unwrap();
        let texture = Texture::bind(&surface(SurfaceType::D2, format, [64, 4, 1]), Platform::Gen11).unwrap();
        let codec = FormatDecoder::new(format).unwrap();
        let mut words = vec![0; 16 * BlockStore::words_of(codec.info())];
        let mut store = BlockStore::new(&mut words, codec, 16);
        let message = Message { params: 2, simd: 16, lanes: 0xffff, ..Message::new(Op::SampleLz) };
        let lanes: Vec<u8> =
            (0..32_u8).flat_map(|lane| (f32::from(lane % 16) / 16.0).to_le_bytes()).collect();
        let payload = Payload::split([&lanes, &[]], 64, 2).unwrap();
        for skip in [false, true, false] {
            let sampler = bind(linear().set_srgb_skip_decode(skip));
            let prepared = Prepared::new(&texture, &sampler, &message).unwrap();
            let (mut scratch, mut one, mut other, mut batch) = (Scratch::new(), [0; 256], [0; 256], [0; 256]);
            prepared.execute(&mut scratch, 0xffff, &payload, &memory, &mut one).unwrap();
            prepared
                .execute_with_blocks(&mut scratch, &mut store, 0xffff, &payload, &memory, &mut other)
                .unwrap();
            let payloads = [[&lanes[..], &[]]];
            prepared
                .execute_batch_with_blocks(
                    &mut scratch,
                    &mut store,
                    0xffff,
                    payloads,
                    &memory,
                    &mut batch,
                    |_| {},
                )
                .unwrap();
            assert_eq!((other, batch), (one, one), "{name} {skip}");
        }
    }
}

/// Two texels of a 4:2:2 video format share an element, which unlike a compressed block is one row high; each of them is read as itself.
#[test]
fn texels_of_an_element_are_told_apart() {
    let bytes: Vec<u8> = (0..1 << 12_u32).map(|at| if at % 2 == 0 { (at * 8) as u8 } else { 128 }).collect();
    let texture = surface(SurfaceType::D2, SurfaceFormat::YCRCB_NORMAL, [8, 8, 1]);
    let mut state = linear();
    state.set_mag_filter(Filter::Nearest).set_min_filter(Filter::Nearest);
    let luma = |x: u32| {
        let at = f(&[(x as f32 + 0.5) / 8.0, 0.0]);
        f32::from_bits(run(&texture, &bind(&state), &bytes, Op::SampleLz, &at)[1]) * 255.0
    };
    assert_eq!([0, 1, 2, 3, 6, 7].map(luma), [0.0, 16.0, 32.0, 48.0, 96.0, 112.0]);
}
