//! Proofs about the codecs of formats: whole elements of up to 16 bits, and single channels of wider ones.

use super::surface::{LANES, SampledMessage, Setup};
use crate::emulator::formats::{Codec, Format};
use crate::emulator::sample::float_bits;
use crate::generators::placed::named_formats;
use crate::generators::surface::PALETTE;
use std::sync::LazyLock;
use texwire::enums::SurfaceFormat;
use texwire::format::{FormatDecoder, TexelKind};
use texwire::message::Op;
use texwire::transfer::SurfaceDescription;

/// Inputs of one format, numbered from `first` on.
struct FormatInputs {
    first: u64,
    format: SurfaceFormat,
    /// The lowest bit and the width of the channel that the input sets; all of the element for narrow formats.
    bits: (usize, usize),
    /// The byte with which the rest of the element is filled.
    rest: u8,
}

/// The inputs of all formats, and their number.
static DOMAIN: LazyLock<(Vec<FormatInputs>, u64)> = LazyLock::new(|| {
    let (mut formats, mut first) = (Vec::new(), 0);
    for format in named_formats() {
        let Ok(oracle) = Format::of(format.0.into()) else { continue };
        let mut add = |bits: (usize, usize), rest| {
            formats.push(FormatInputs { first, format, bits, rest });
            first += 1 << bits.1;
        };
        let fields = match &oracle.codec {
            Codec::Components(_) if oracle.bytes <= 2 => {
                add((0, oracle.bytes * 8), 0);
                continue;
            }
            Codec::Components(list) => {
                list.iter().filter(|c| c.bits <= 16).map(|c| (c.low, c.bits)).collect()
            }
            // Shared-exponent formats: each mantissa, and the exponent. Packed 4:2:2 formats: each byte (luma and chroma).
            Codec::SharedExponent => vec![(0, 9), (9, 9), (18, 9), (27, 5)],
            Codec::Packed422(_) => vec![(0, 8), (8, 8), (16, 8), (24, 8)],
            Codec::Planar(_) | Codec::Bc | Codec::Etc | Codec::Astc | Codec::Fxt1 => vec![],
        };
        for field in fields {
            [0, 0xff].into_iter().for_each(|rest| add(field, rest));
        }
    }
    (formats, first)
});

pub(super) fn size() -> u64 {
    DOMAIN.1
}

impl FormatInputs {
    fn element(&self, input: u64, bytes: usize) -> Vec<u8> {
        let mut element = vec![self.rest; bytes];
        for bit in 0..self.bits.1 {
            let at = self.bits.0 + bit;
            let on = ((input - self.first) >> bit & 1) as u8;
            element[at / 8] = element[at / 8] & !(1 << (at % 8)) | on << (at % 8);
        }
        element
    }
}

pub(super) fn judge(inputs: &mut dyn Iterator<Item = u64>) -> Result<(), String> {
    let formats = &DOMAIN.0;
    let mut inputs = inputs.peekable();
    while let Some(input) = inputs.peek() {
        let at = formats.partition_point(|inputs| inputs.first <= *input) - 1;
        let end = formats.get(at + 1).map_or(u64::MAX, |inputs| inputs.first);
        let mut judge = FormatComparison::new(&formats[at])?;
        while let Some(input) = inputs.next_if(|input| *input < end) {
            judge.add(input)?;
        }
        judge.loaded()?;
    }
    Ok(())
}

/// Compares the core's decoder and loads with the oracle.
struct FormatComparison<'a> {
    inputs: &'a FormatInputs,
    oracle: Format,
    codec: FormatDecoder<'static>,
    /// A load message; `None` if an element has several texels.
    sampled: Option<SampledMessage>,
    /// Elements that are to be loaded by the next message, with the oracle's texels.
    waiting: Vec<(Vec<u8>, [u32; 4])>,
}

impl<'a> FormatComparison<'a> {
    fn new(inputs: &'a FormatInputs) -> Result<Self, String> {
        let oracle = Format::of(inputs.format.0.into())?;
        let codec = FormatDecoder::with_palette(inputs.format, &PALETTE).map_err(|why| why.to_string())?;
        let setup = Setup {
            palette: &PALETTE,
            ..Setup::new(Op::LdLz, SurfaceDescription::texture_2d(inputs.format, LANES as u32, 1))
        };
        let mut sampled = if oracle.block == (1, 1) { Some(setup.bind()?) } else { None };
        if let Some(sampled) = &mut sampled {
            (0..LANES).for_each(|lane| sampled.set(0, lane, lane as u32));
        }
        Ok(Self { inputs, oracle, codec, sampled, waiting: Vec::new() })
    }

    fn texel(&self, element: &[u8], x: usize, skip_srgb: bool) -> [u32; 4] {
        let texel = self.oracle.decode(element, x, 0, &PALETTE, skip_srgb);
        let float = self.codec.info().kind == TexelKind::Float;
        texel.map(|value| if float { float_bits(value) } else { value as i64 as u32 })
    }

    fn add(&mut self, input: u64) -> Result<(), String> {
        let element = self.inputs.element(input, self.oracle.bytes);
        let same = |got: [u32; 4], want: [u32; 4], path: &str| {
            let canonical = got.map(|bits| match self.codec.info().kind {
                TexelKind::Float if f32::from_bits(bits).is_nan() => 0x7fc0_0000,
                _ => bits,
            });
            if canonical == want {
                return Ok(());
            }
            let name = self.oracle.name;
            Err(format!("{name} {element:02x?} ({path}): the core has {got:x?}, the emulator {want:x?}"))
        };
        for x in 0..self.oracle.block.0 {
            let want = self.texel(&element, x, false);
            same(self.codec.decode(&element, x as u32, 0), want, "decoder")?;
            if self.oracle.srgb {
                let linear = self.codec.without_srgb().decode(&element, x as u32, 0);
                same(linear, self.texel(&element, x, true), "decoder without sRGB")?;
            }
        }
        if self.sampled.is_some() {
            let want = self.texel(&element, 0, false);
            self.waiting.push((element, want));
            if self.waiting.len() == LANES {
                self.loaded()?;
            }
        }
        Ok(())
    }

    /// Loads the waiting elements with one message, and compares the results.
    fn loaded(&mut self) -> Result<(), String> {
        let Some(sampled) = &mut self.sampled else { return Ok(()) };
        let bytes = self.oracle.bytes;
        for (lane, (element, _)) in self.waiting.iter().enumerate() {
            sampled.memory[lane * bytes..][..bytes].copy_from_slice(element);
        }
        sampled.execute()?;
        for (lane, (element, want)) in self.waiting.drain(..).enumerate() {
            let got = std::array::from_fn(|channel| sampled.result(channel, lane));
            if got != want {
                let name = self.oracle.name;
                return Err(format!(
                    "{name} {element:02x?} (ld): the core has {got:x?}, the emulator {want:x?}"
                ));
            }
        }
        Ok(())
    }
}
