//! Surfaces in pages are what they are in one piece, wherever pages begin and end.

use super::random::Random;
use super::*;

/// Bytes in pages of a size; every third page is only read.
struct Pages<'a>(LinearMemory<'a>, usize);

impl Memory for Pages<'_> {
    fn read(&self, address: u64, out: &mut [u8]) -> Access {
        self.0.read(address, out)
    }

    fn contiguous(&self, address: u64) -> Option<(u64, &[u8])> {
        let Self(memory, size) = *self;
        let number = (address - memory.base) as usize / size;
        let page = memory.bytes.chunks(size).nth(number)?;
        (number % 3 != 2).then_some((memory.base + (number * size) as u64, page))
    }
}

#[test]
fn pages_are_the_surface() {
    use SurfaceFormat as F;
    let mut random = Random(3);
    let bytes: Vec<u8> = (0..1 << 15).map(|_| random.below(256) as u8 & 0x3f).collect();
    // The surface begins inside of it.
    let whole = LinearMemory { base: BASE - 1024, bytes: &bytes };
    let formats = [
        F::R8_UNORM,
        F::R16_UNORM,
        F::R8G8B8_UNORM,
        F::R8G8B8A8_UNORM,
        F::R16G16B16A16_UNORM,
        F::R32G32B32_FLOAT,
        F::R32G32B32A32_FLOAT,
    ];
    for format in formats {
        for (op, size) in [Op::SampleLz, Op::Gather4, Op::SampleMin]
            .iter()
            .flat_map(|op| [64, 100, 256, 1536, 4096].map(|size| (*op, size)))
        {
            let state = surface(SurfaceType::D2, format, [16, 16, 1]);
            let texture = Texture::bind(&state, Platform::Gen11).unwrap();
            let mut sampler = linear();
            sampler.set_address_modes([random.pick(&[AddressMode::Wrap, AddressMode::ClampBorder]); 3]);
            let sampler = bind(&sampler);
            let params: Vec<Vec<u8>> = (0..2)
                .map(|_| {
                    (0..16).flat_map(|_| (random.below(80) as f32 / 32.0 - 0.75).to_le_bytes()).collect()
                })
                .collect();
            let message = Message { lanes: 0xdfff, params: 2, simd: 16, ..Message::new(op) };
            let mut payload = Payload::new();
            params.iter().for_each(|lanes| payload.push(lanes).unwrap());
            let (mut one, mut other) = ([0; 256], [0; 256]);
            let expected = texture.execute(&message, &payload, &sampler, &whole, &mut one).unwrap();
            let pages = Pages(whole, size);
            let found = texture.execute(&message, &payload, &sampler, &pages, &mut other).unwrap();
            assert_eq!((one, expected), (other, found), "{format:?} {op:?} pages of {size}");
            assert_eq!(found.faults, 0, "{format:?}");
        }
    }
}
