//! Level of detail: from derivatives to levels.
//!
//! The scale factor is the longer of the two derivative vectors in texels (Vulkan, scale factor;
//! D3D11 functional specification), exact; the clamps follow the sequence of the Intel PRM with
//! D3D/OpenGL semantics.

use super::bind::{Mip, Sampler, Texture};
use super::lanes::{ALL, LANES, Lanes, map, mask, once};
use super::{Precision, address, guess};

/// What the derivatives say: the LOD, and for an anisotropic filter how to walk along the longer one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Footprint {
    /// log2 of the scale factor, before any bias.
    pub(super) lambda: f32,
    /// Number of anisotropic taps, at least 1.
    pub(super) taps: u8,
    /// The longer derivative, in coordinates.
    pub(super) major: [f32; 3],
}

impl Footprint {
    /// A LOD that comes without derivatives.
    pub(super) const fn explicit(lambda: f32) -> Self {
        Self { lambda, taps: 1, major: [0.0; 3] }
    }

    /// From d/dx and d/dy in normalized coordinates; `size` in texels, 0 for an axis that does not take part.
    ///
    /// `dx`, `dy` are in coordinates of the message (`major` is one of them), `fx`, `fy` the same on the
    /// surface (they differ for cubes). `ratio` is the largest anisotropy, 1 = isotropic; `reduce`: taps
    /// along the longer derivative lower the LOD.
    #[inline]
    pub(super) fn new(
        d: [[f32; 3]; 2],
        on_surface: [[f32; 3]; 2],
        size: [f32; 3],
        ratio: f32,
        reduce: bool,
    ) -> Self {
        let [dx, dy] = d;
        let [fx, fy] = on_surface;
        let m = [fx, fy].map(|[a, b, c]| {
            let [w, h, z] = size;
            [a * w, b * h, c * z]
        });
        let scale = scale(&m);
        let [x2, y2] = m.map(|v| {
            let [a, b, c] = v.map(|v| v * scale);
            a * a + b * b + c * c
        });
        let (long, short, major) = if x2 >= y2 { (x2, y2, dx) } else { (y2, x2, dy) };
        // log2(sqrt(x)) = log2(x) / 2; the scale was a power of two.
        let lambda = 0.5 * libm::log2f(long) - scale_log2(scale);
        if ratio <= 1.0 {
            return Self { lambda, taps: 1, major: [0.0; 3] };
        }
        let eta = libm::sqrtf(long / short);
        // A zero footprint gives NaN: no anisotropy.
        let eta = if eta >= 1.0 { address::clamp(eta, 1.0, ratio) } else { 1.0 };
        let taps = libm::ceilf(eta) as u8;
        let lambda = if reduce { lambda - libm::log2f(eta) } else { lambda };
        Self { lambda, taps: taps.max(1), major }
    }
}

/// What is known of the footprints of lanes; often it is the same for those that come next.
#[derive(Clone, Copy, Debug)]
pub(super) struct Footprints {
    /// The first lane of the subspan that they belong to.
    pub(super) first: usize,
    pub(super) lanes: Lanes<Footprint>,
}

impl Footprints {
    /// No subspan's; no anisotropy.
    pub(super) const NONE: Self = Self { first: usize::MAX, lanes: [Footprint::explicit(0.0); LANES] };
}

const BIG: f32 = 18_446_744_073_709_551_616.0; // 2^64

/// A power of two that keeps the squares inside the range of f32.
fn scale(m: &[[f32; 3]; 2]) -> f32 {
    let largest = m.iter().flatten().fold(0.0_f32, |a, b| if b.abs() > a { b.abs() } else { a });
    if largest > 1e18 {
        1.0 / BIG
    } else if largest < 1e-15 {
        BIG
    } else {
        1.0
    }
}

fn scale_log2(scale: f32) -> f32 {
    if scale > 1.0 {
        64.0
    } else if scale < 1.0 {
        -64.0
    } else {
        0.0
    }
}

/// The levels that a LOD selects, relative to the view.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Levels {
    /// The magnification filter applies.
    pub(super) mag: bool,
    /// The (finer) level.
    pub(super) first: u32,
    /// The coarser level.
    pub(super) second: u32,
    /// Weight of the coarser level; 0 = the first alone.
    pub(super) fraction: f32,
    /// The LOD after all clamps.
    pub(super) clamped: f32,
}

/// A level of each lane.
#[derive(Clone, Copy, Debug)]
pub(super) struct Level {
    pub(super) number: Lanes<u32>,
    /// Width, height and depth in texels.
    pub(super) size: [Lanes<i32>; 3],
}

impl Level {
    /// No level.
    const NONE: Self = Self { number: [0; LANES], size: [[0; LANES]; 3] };

    /// Levels of the view of a texture.
    #[inline(never)]
    pub(super) fn new(texture: &Texture<'_>, number: Lanes<u32>) -> Self {
        let size = once(number, |number| texture.level_size(number).map(|size| size as i32));
        let axes = [map(size, |[w, _, _]| w), map(size, |[_, h, _]| h), map(size, |[_, _, d]| d)];
        Self { number, size: axes }
    }

    /// The same level for every lane.
    #[inline(always)]
    fn all(&mut self, texture: &Texture<'_>, number: u32) {
        self.number = [number; LANES];
        for (axis, size) in self.size.iter_mut().zip(texture.level_size(number)) {
            *axis = [size as i32; LANES];
        }
    }
}

/// The levels that the lanes' LODs choose.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice {
    /// The finer and the coarser level, and the weight of the latter.
    pub(super) first: Level,
    pub(super) second: Level,
    pub(super) fraction: Lanes<f32>,
    /// Lanes that are magnified, that read the finer level, and the coarser.
    pub(super) mag: u32,
    pub(super) finer: u32,
    pub(super) coarser: u32,
}

impl Choice {
    /// Nothing chosen yet.
    pub(super) const NONE: Self = Self {
        first: Level::NONE,
        second: Level::NONE,
        fraction: [0.0; LANES],
        mag: 0,
        finer: 0,
        coarser: 0,
    };

    /// A choice for each lane.
    #[inline(never)]
    pub(super) fn each(&mut self, texture: &Texture<'_>, levels: Lanes<Levels>) {
        self.first = Level::new(texture, map(levels, |levels| levels.first));
        self.fraction = map(levels, |levels| levels.fraction);
        self.mag = mask(levels, |levels| levels.mag);
        self.finer = mask(levels, |levels| levels.fraction < 1.0);
        self.coarser = mask(levels, |levels| levels.fraction > 0.0);
        if self.coarser != 0 {
            self.second = Level::new(texture, map(levels, |levels| levels.second));
        }
    }

    /// The same choice for all of them.
    #[inline]
    pub(super) fn all(&mut self, texture: &Texture<'_>, levels: &Levels) {
        let those = |all: bool| if all { ALL } else { 0 };
        self.first.all(texture, levels.first);
        self.fraction = [levels.fraction; LANES];
        self.mag = those(levels.mag);
        self.finer = those(levels.fraction < 1.0);
        self.coarser = those(levels.fraction > 0.0);
        if self.coarser != 0 {
            self.second.all(texture, levels.second);
        }
    }
}

/// Levels, and the LODs (and minimum LODs) that chose them: often those of the lanes that come next, too.
#[derive(Debug)]
pub(super) struct Chosen {
    pub(super) key: Option<[Lanes<u32>; 2]>,
    pub(super) levels: Choice,
}

impl Chosen {
    /// Nothing yet.
    pub(super) const NONE: Self = Self { key: None, levels: Choice::NONE };

    /// True if `key` is not what chose the levels: from now on it is.
    #[inline]
    pub(super) fn differs(&mut self, key: [Lanes<u32>; 2]) -> bool {
        let differs = self.key.as_ref().is_none_or(|own| *own != key);
        if differs {
            self.key = Some(key);
        }
        differs
    }
}

/// What a surface adds to the LOD rules.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// Levels of the view, at least 1.
    pub(super) levels: u32,
    /// Resource Min LOD.
    pub(super) resource_min: f32,
    /// The message's minimum LOD.
    pub(super) message_min: f32,
}

/// Adds the sampler's bias (and quantises under [`Precision::Fixed8`]). NaN becomes the minimum.
pub(super) fn biased(sampler: &Sampler, lambda: f32) -> f32 {
    let lod = lambda + sampler.lod_bias;
    let lod = if lod.is_nan() { sampler.min_lod } else { lod };
    match sampler.precision {
        Precision::Float => lod,
        Precision::Fixed8 => guess::fixed8(lod, true),
    }
}

/// The clamps, the magnification decision and the mip filter. `lod` includes every bias.
#[inline]
pub(super) fn select(sampler: &Sampler, mip: Mip, limits: Limits, lod: f32) -> Levels {
    let low = if lod >= sampler.min_lod { lod } else { sampler.min_lod };
    let held = if low > sampler.max_lod { sampler.max_lod } else { low };
    let floor =
        if limits.message_min > limits.resource_min { limits.message_min } else { limits.resource_min };
    let clamped = if held < floor { floor } else { held };

    let deciding = if sampler.preclamp { clamped } else { lod };
    let mag = deciding <= 0.0;
    let last = limits.levels.saturating_sub(1);
    let within = address::clamp(clamped, 0.0, last as f32);

    // Magnified or without mip filter the hardware goes to the floor of the minimum, unless LOD
    // Clamp Magnification Mode keeps the mip filter in charge.
    let mip = if mag && !sampler.magnify_by_mip_filter { Mip::None } else { mip };
    let (first, fraction) = match mip {
        Mip::None => {
            let low = if sampler.min_lod >= floor { sampler.min_lod } else { floor };
            (address::clamp(low, 0.0, last as f32) as u32, 0.0)
        }
        Mip::Nearest => (address::floor(within + 0.5).0 as u32, 0.0),
        Mip::Linear => {
            let (level, whole) = address::floor(within);
            (level as u32, guess::trilinear(sampler.trilinear_quality, within - whole))
        }
    };
    let first = first.min(last);
    let second = first.saturating_add(1).min(last);
    Levels { mag, first, second, fraction, clamped: within }
}

/// The nearest level of a LOD: what the gather4 forms with a LOD read.
pub(super) fn nearest(sampler: &Sampler, limits: Limits, lod: f32) -> Levels {
    let sampler = Sampler { magnify_by_mip_filter: true, ..*sampler };
    select(&sampler, Mip::Nearest, limits, lod)
}
