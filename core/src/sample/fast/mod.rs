//! Hot paths: common messages on linear surfaces in one mapped range, four lanes at a time.
//!
//! A path applies or it does not ([`execute`] answers `None`, the general path runs); where it
//! applies it gives the same bits. `tests` compares them.

mod blocks;
mod job;
mod kernels;
mod levels;
mod lods;
mod places;
mod registers;
mod simd;
#[cfg(test)]
#[allow(clippy::indexing_slicing, clippy::unwrap_used, clippy::panic)]
mod tests;
mod texels;

pub(super) use blocks::Blocks;
pub(super) use levels::Flat;

use super::Precision;
use super::bind::{Dim, Filter, Reduction, Sampler, Select, Source, Texture};
use super::lod::Limits;
use crate::format::{BlockCache, Codec, FormatInfo, Path};
use crate::memory::Memory;
use crate::message::{LodSource, Message, Op, OpFlags, Payload, Response, Width};
use job::Job;
use kernels::{Bilinear, Closer, Gather, Point, Volume};
use places::Mode;
use registers::{Registers, Scratch, Slots};
use simd::BYTES;
use texels::Format;

/// What is done with the footprint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kernel {
    Point,
    PointVolume,
    Bilinear,
    Volume,
    Cube,
    Closer,
    /// The source channel.
    Gather(u8),
    Fetch,
}

/// Runs a message, all channels of all lanes, but for the lanes that it answers.
type Run = fn(&Job<'_>, &mut Registers<'_>) -> u32;

/// The loops over the lanes of a message, compiled for one format.
#[derive(Clone, Copy)]
struct Kernels {
    point: Run,
    point_volume: Run,
    bilinear: Run,
    volume: Run,
    cube: Run,
    /// Depth formats alone.
    closer: Option<Run>,
    gather: Run,
    fetch: Run,
    /// Bytes of a texel, and its channels: formats with padding share a codec's path.
    bytes: usize,
    channels: u8,
}

impl Kernels {
    const fn of<F: Format>() -> Self {
        Self {
            point: job::filter::<F, Point<false>>,
            point_volume: job::filter::<F, Point<true>>,
            bilinear: job::filter::<F, Bilinear>,
            volume: job::filter::<F, Volume>,
            cube: job::cube::<F>,
            closer: None,
            gather: job::filter::<F, Gather>,
            fetch: job::fetch::<F>,
            bytes: size_of::<F::Raw>(),
            channels: F::CHANNELS,
        }
    }

    /// A format of depth.
    const fn depth<F: Format>() -> Self {
        Self { closer: Some(job::filter::<F, Closer>), ..Self::of::<F>() }
    }

    /// The kernels of a codec's path.
    #[inline(always)]
    fn find(path: Path) -> Option<&'static Self> {
        Some(match path {
            Path::Rgba8Unorm => &const { Self::of::<texels::Rgba8>() },
            Path::Bgra8Unorm => &const { Self::of::<texels::Bgra8>() },
            Path::Rgba8Srgb => &const { Self::of::<texels::Rgba8Srgb>() },
            Path::Rgba16Float => &const { Self::of::<texels::Rgba16Float>() },
            Path::R8Unorm => &const { Self::of::<texels::R8>() },
            Path::R16Unorm => &const { Self::depth::<texels::R16>() },
            Path::R24Unorm => &const { Self::depth::<texels::R24>() },
            Path::R32 => &const { Self::depth::<texels::R32Float>() },
            Path::Rgba32 => &const { Self::of::<texels::Rgba32Float>() },
            _ => return None,
        })
    }

    #[inline(always)]
    fn run(&self, kernel: Kernel) -> Option<Run> {
        Some(match kernel {
            Kernel::Point => self.point,
            Kernel::PointVolume => self.point_volume,
            Kernel::Bilinear => self.bilinear,
            Kernel::Volume => self.volume,
            Kernel::Cube => self.cube,
            Kernel::Closer => self.closer?,
            Kernel::Gather(_) => self.gather,
            Kernel::Fetch => self.fetch,
        })
    }
}

/// A cache that keeps nothing.
pub(super) const fn no_cache() -> BlockCache<0> {
    BlockCache::new()
}

/// Executes the message if a hot path fits; the lanes that are left for the general path. `out` holds the
/// response; `blocks` keeps decoded blocks.
#[inline]
pub(super) fn execute<M: Memory + ?Sized>(
    texture: &Texture<'_>,
    message: &Message,
    response: &Response,
    payload: &Payload<'_>,
    sampler: &Sampler,
    memory: &M,
    out: &mut [u8],
    blocks: &mut dyn Blocks,
) -> Option<u32> {
    let flat = texture.flat.as_ref()?;
    let data = memory.slice(flat.start, flat.len as usize)?;
    run(texture, message, payload, sampler, flat, data, response.stride.into(), out, blocks)
}

/// The part that does not depend on the caller's memory.
fn run(
    texture: &Texture<'_>,
    message: &Message,
    payload: &Payload<'_>,
    sampler: &Sampler,
    flat: &Flat,
    data: &[u8],
    stride: usize,
    out: &mut [u8],
    blocks: &mut dyn Blocks,
) -> Option<u32> {
    let slots = Slots::new(message, payload)?;
    let flags = slots.flags();
    let kernel = kernel(texture, message, flags, sampler)?;
    let info = texture.info?;
    if info.srgb && sampler.srgb_skip_decode && flags.sampler {
        return None;
    }
    let modes = match kernel {
        Kernel::Fetch | Kernel::Cube => [Mode::Clamp; 3],
        _ => {
            let [u, v, r] = sampler.wrap;
            let mode = |wrap| Mode::of(wrap, flat.powers);
            // The third says nothing on 2D.
            let (u, v) = (mode(u)?, mode(v)?);
            [u, v, if texture.dim == Dim::D3 { mode(r)? } else { u }]
        }
    };
    let program = Program::of(texture, info, kernel)?;
    let job = Job {
        texture,
        message,
        sampler,
        slots,
        flat,
        data,
        modes,
        channel: if let Kernel::Gather(channel) = kernel { channel } else { 0 },
        limits: Limits { levels: texture.levels, resource_min: texture.resource_min, message_min: 0.0 },
    };
    let lanes = message.lanes & message.all_lanes();
    let (mask, select) = if flags.gather {
        (15, [0, 1, 2, 3].map(Select::Channel))
    } else {
        (message.channels.mask(), texture.select)
    };
    let whole = lanes == message.all_lanes() && mask == 15;
    let left = if whole && (flags.gather || texture.identity) {
        let (groups, _) = out.as_chunks_mut();
        go(&job, program, blocks, &mut Registers { groups, stride: stride / BYTES })
    } else {
        let mut scratch = Scratch::new();
        let left = go(&job, program, blocks, &mut scratch.registers());
        scratch.copy(out, stride, mask, lanes, select);
        left
    };
    Some(left & lanes)
}

/// The loops that a message needs.
#[derive(Clone, Copy)]
enum Program<'a> {
    Texels(Run),
    Blocks(Codec<'a>, fn(&Job<'_>, &mut Registers<'_>, blocks::Source<'_>) -> u32),
}

impl<'a> Program<'a> {
    #[inline(always)]
    fn of(texture: &Texture<'a>, info: &FormatInfo, kernel: Kernel) -> Option<Self> {
        if let Some(kernels) = Kernels::find(info.path()) {
            let same = kernels.bytes == usize::from(info.bytes) && kernels.channels == info.channels;
            return if same { kernels.run(kernel).map(Self::Texels) } else { None };
        }
        let Source::Plain { codec, .. } = texture.source else { return None };
        if info.block_width != 4 || info.block_height != 4 || texture.dim != Dim::D2 {
            return None;
        }
        match kernel {
            Kernel::Point => Some(Self::Blocks(codec, job::points_of_blocks)),
            Kernel::Bilinear => Some(Self::Blocks(codec, job::bilinear_of_blocks)),
            _ => None,
        }
    }
}

#[inline(always)]
fn go(job: &Job<'_>, program: Program<'_>, cache: &mut dyn Blocks, out: &mut Registers<'_>) -> u32 {
    match program {
        Program::Texels(run) => run(job, out),
        Program::Blocks(codec, run) => run(
            job,
            out,
            blocks::Source { data: job.data, pitch: job.flat.pitch, codec, start: job.flat.start, cache },
        ),
    }
}

/// The kernel of a message, when everything that it assumes holds. It assumes no less than what the
/// general path permits.
#[inline(always)]
fn kernel(texture: &Texture<'_>, message: &Message, flags: OpFlags, sampler: &Sampler) -> Option<Kernel> {
    let wide = message.param_width == Width::Full && message.return_width == Width::Full;
    let groups = matches!(message.simd, 8 | 16 | 32);
    if !wide || !groups || message.cps || texture.integer || !matches!(texture.source, Source::Plain { .. }) {
        return None;
    }
    if matches!(message.op, Op::Ld | Op::LdLz) {
        return (texture.dim == Dim::D2 && texture.samples == 1).then_some(Kernel::Fetch);
    }
    let plain = sampler.precision == Precision::Float && sampler.normalized && !sampler.disable;
    if !flags.sampler || !plain {
        return None;
    }
    if flags.gather {
        let simple = message.op == Op::Gather4 && texture.dim == Dim::D2;
        return match texture.select.get(usize::from(message.gather)) {
            Some(Select::Channel(channel)) if simple => Some(Kernel::Gather(*channel)),
            _ => None,
        };
    }
    let lod = matches!(flags.lod, LodSource::Zero | LodSource::Explicit) || quad(texture, message);
    let same = sampler.mag == sampler.min && sampler.trilinear_quality == 0;
    if !lod || !same || sampler.reduction != Reduction::Mean && !flags.compare {
        return None;
    }
    match (texture.dim, sampler.mag, flags.compare) {
        (Dim::D2, Filter::Linear, true) => Some(Kernel::Closer),
        (Dim::D2, Filter::Nearest, false) => Some(Kernel::Point),
        (Dim::D3, Filter::Nearest, false) => Some(Kernel::PointVolume),
        (Dim::D2, Filter::Linear, false) => Some(Kernel::Bilinear),
        (Dim::D3, Filter::Linear, false) => Some(Kernel::Volume),
        (Dim::Cube, Filter::Linear, false) if sampler.seamless() => Some(Kernel::Cube),
        _ => None,
    }
}

/// The LOD comes from subspans in a way that is done here.
#[inline(always)]
fn quad(texture: &Texture<'_>, message: &Message) -> bool {
    texture.dim == Dim::D2 && matches!(message.op, Op::Sample | Op::SampleB | Op::SampleC | Op::SampleBC)
}
