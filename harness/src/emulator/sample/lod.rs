//! Level of detail: derivatives, biases, clamps, mip levels (sampling page, sections 2 and 11).

use super::bound::BoundJob;
use super::cube::{self, Projection};
use super::nudge::{Nudge, lod_bound};
use super::sampler::{Filter, Mip, Sampler};
use crate::emulator::surface::{Surface, SurfaceType};
use crate::engine::Precision;

/// lambda_base of a lane, and its anisotropic footprint.
#[derive(Clone, Copy, Debug)]
pub struct PixelFootprint {
    /// log2 of the scale factor, before the biases.
    pub lambda: f64,
    /// How far an f32 result may be from `lambda`.
    pub bound: f64,
    /// Number of taps of an anisotropic filter.
    pub taps: u32,
    /// The longer of the derivatives d/dx and d/dy, in coordinates: the taps lie along it.
    pub major: [f64; 3],
    /// f32 arithmetic may leave its range: `bound` does not hold.
    pub wild: bool,
    /// The LODs between which a scale factor may lie that is not the Euclidean length: log2 of the largest component of d/dx
    /// and d/dy in texels, and log2 of sqrt(2) times the larger sum of the components of either.
    pub range: [f64; 2],
}

impl PixelFootprint {
    /// The footprint of a lambda that is given, without derivatives.
    pub fn given(lambda: f64) -> Self {
        Self {
            lambda,
            bound: lod_bound(lambda, 0.0),
            taps: 1,
            major: [0.0; 3],
            wild: false,
            range: [lambda; 2],
        }
    }

    /// The footprint of the derivatives `d`, d/dx and d/dy of the coordinates, at the coordinates `at`.
    pub fn of(bound: &BoundJob<'_>, at: [f64; 3], d: [[f64; 3]; 2], nudge: &Nudge) -> Self {
        let (surface, sampler, anisotropic) = (&bound.surface, &bound.sampler, bound.anisotropic());
        let cube = surface.kind == SurfaceType::Cube;
        let size = surface.level(0).map(|s| if sampler.non_normalized && !cube { 1.0 } else { s as f64 });
        // m_x and m_y of section 2, each with the magnitudes that were subtracted to get it.
        let vectors = d.map(|d| {
            if cube {
                let (st, reach) = Projection::of(cube::direction(at)).derivative(d);
                let in_texels = |[s, t]: [f64; 2]| [s * size[0], t * size[0], 0.0];
                return (in_texels(st), in_texels(reach));
            }
            let m = std::array::from_fn(|a| if a < bound.axes() { d[a] * size[a] } else { 0.0 });
            (m, m)
        });
        let length = |v: [f64; 3]| v.iter().map(|c| c * c).sum::<f64>().sqrt();
        let [x, y] = vectors.map(|(m, _)| length(m));
        let nan = x.is_nan() || y.is_nan();
        let (longest, shortest) = (x.max(y), x.min(y));
        let reach = vectors.iter().map(|(_, reach)| length(*reach)).fold(0.0, f64::max);
        // Differences, products, squares, sum, root: fewer than 8 roundings of 2^-24.
        let relative = if longest == 0.0 && reach == 0.0 { 0.0 } else { reach / longest * 2f64.powi(-20) };
        let near = 2f64.powi(-20);
        let mut eta = 1.0;
        if longest > 0.0 && !nan {
            let ratio = longest / shortest * (1.0 + nudge.ratio.sign() * near);
            eta = if ratio.is_nan() { 1.0 } else { ratio.clamp(1.0, sampler.max_aniso) };
        }
        let by_y = (y > x) != (nudge.swap && (x - y).abs() <= longest * near);
        let rho =
            if anisotropic && sampler.filter[1] == Filter::Anisotropic { longest / eta } else { longest };
        let lambda = if nan { f64::NAN } else { rho.log2() };
        let out = |m: f64| m != 0.0 && !(2f64.powi(-60)..2f64.powi(60)).contains(&m.abs());
        let huge = |c: &f64| c.abs() > 1e15 || (*c != 0.0 && c.abs() < 1e-15);
        // Derivatives that are NaN are NaN in f32, too, and make the LOD NaN; those on a cube are projected before.
        let leaves = |c: &f64| if c.is_nan() { cube } else { out(*c) };
        let wild = vectors.iter().any(|(m, reach)| m.iter().chain(reach).any(leaves))
            || cube && (at.iter().any(huge) || d.iter().flatten().any(huge));
        let part = |of: fn(f64, f64) -> f64| {
            let along = vectors.map(|(m, _)| m.iter().fold(0.0, |all, c| of(all, c.abs())));
            along[0].max(along[1])
        };
        let shrunk = rho / longest;
        let range = [part(f64::max), part(|a, b| a + b) * 2f64.sqrt()]
            .map(|rho| if longest > 0.0 { (rho * shrunk).log2() } else { rho.log2() });
        Self {
            lambda,
            range,
            bound: lod_bound(lambda, relative),
            taps: if anisotropic { eta.ceil() as u32 } else { 1 },
            major: d[usize::from(by_y)],
            wild,
        }
    }
}

/// The LOD of a lane, and the filter and mip levels that follow from it.
#[derive(Clone, Debug)]
pub struct Selection {
    /// lambda + biases, before the clamps.
    pub unclamped: f64,
    /// After every clamp.
    pub clamped: f64,
    /// Magnified: the mag filter is used.
    pub mag: bool,
    /// Mip levels of the view and their weights.
    pub levels: Vec<(u64, f64)>,
}

/// Clamps the LOD `lod`, biases included, and selects mip levels: the sequence of section 2. `message` is the message's minimum LOD,
/// `moved` is added to the clamped LOD that selects levels (an error that it may have).
pub fn select(
    surface: &Surface,
    sampler: &Sampler,
    precision: Precision,
    lod: f64,
    message: f64,
    moved: f64,
) -> Selection {
    let mut lod = lod;
    if precision == Precision::Fixed8 && lod.is_finite() {
        lod = (lod * 256.0 + 0.5).floor() / 256.0;
    }
    if lod.is_nan() {
        lod = sampler.min_lod;
    }
    let floor_lod = surface.resource_min_lod.max(message);
    let clamped = lod.max(sampler.min_lod).min(sampler.max_lod).max(floor_lod);
    let mag = if sampler.preclamp { clamped } else { lod } <= 0.0;
    let mip = if surface.is_integer() && sampler.mip == Mip::Linear { Mip::Nearest } else { sampler.mip };
    let base = mip == Mip::None || mag && !sampler.mag_mipfilter;
    let chosen = if base { sampler.min_lod.max(floor_lod).floor() } else { clamped + moved };
    let last = surface.levels - 1;
    let level = |x: f64| (x.clamp(0.0, last as f64)) as u64;
    let levels = match mip {
        Mip::None => vec![(level(chosen.floor()), 1.0)],
        Mip::Nearest => vec![(level((chosen + 0.5).floor()), 1.0)],
        Mip::Linear => {
            let (l0, l1) = (level(chosen.floor()), level(chosen.floor() + 1.0));
            match coarser_weight(sampler, chosen) {
                _ if l0 == l1 => vec![(l0, 1.0)],
                0.0 => vec![(l0, 1.0)],
                1.0 => vec![(l1, 1.0)],
                d => vec![(l0, 1.0 - d), (l1, d)],
            }
        }
    };
    Selection { unclamped: lod, clamped, mag, levels }
}

/// Returns the weight of the coarser of the two mip levels around `lod`. Near a level, lower trilinear quality gives the other level
/// no weight (U10).
pub fn coarser_weight(sampler: &Sampler, lod: f64) -> f64 {
    let zone = [0.0, 0.0625, 0.125, 0.25][sampler.quality as usize];
    match lod - lod.floor() {
        d if d < zone => 0.0,
        d if d > 1.0 - zone => 1.0,
        d => d,
    }
}
