//! The verdict on a lane: whether it is equal, and by which rule.

use super::lane::LaneResult;
use super::rules::DeviationRule;
use crate::emulator::memory::TexelUse;
use crate::emulator::numbers::float;
use crate::emulator::sample::nudge::{Nudge, Way};
use crate::emulator::sample::ops::{LodSource, OpWork};
use crate::emulator::sample::sampler::{Filter, Mip};
use crate::emulator::sample::{BoundJob, ExactLane, half};
use crate::emulator::surface::SurfaceType;
use crate::engine::Job;

/// The result of comparing a lane with the emulator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Equal within the rounding bound of f32.
    Equal,
    /// Equal with coordinates moved within the rounding bound: a decision at a boundary may go either way.
    Boundary,
    /// Equal within the deviation that the rule allows.
    Allowed(DeviationRule),
    /// Set aside: by this rule, no document defines the result.
    Undefined(DeviationRule),
    /// Not equal.
    Different,
}

/// Judges a lane. `exact`: the emulator's result without a nudge.
pub fn verdict(job: &Job, bound: &BoundJob<'_>, lane: usize, exact: &ExactLane, got: &LaneResult) -> Verdict {
    if let Some(parts) = parts_of_slack(job, exact, got) {
        return parts.map_or(Verdict::Equal, Verdict::Allowed);
    }
    let of_device = bound.slack().is_some();
    // If a device's result is not defined, there is no need to try other coordinates.
    let undefined = undefined(bound, lane, exact);
    if let (true, Some(rule)) = (of_device, undefined) {
        return Verdict::Undefined(rule);
    }
    let at_boundary = nudges(bound, lane)
        .find_map(|nudge| parts_of_slack(job, &bound.lane(lane, &nudge), got).map(|part| (nudge, part)));
    match (at_boundary, undefined) {
        (Some((nudge, part)), _) => boundary(bound, &nudge, part),
        (None, Some(rule)) => Verdict::Undefined(rule),
        (None, None) if of_device && in_range_of_lods(job, bound, lane, got) => {
            Verdict::Allowed(DeviationRule::Derivatives)
        }
        (None, None) if of_device => match undefined_nearby(bound, lane) {
            Some(rule) => Verdict::Undefined(rule),
            None => texel_moves(bound)
                .into_iter()
                .map(|texel| bound.lane(lane, &Nudge { texel: [texel; 2], ..Nudge::default() }))
                .map(|moved| verdict_with_neighbours(job, bound, lane, &moved, got))
                .find(|verdict| *verdict != Verdict::Different)
                .unwrap_or(Verdict::Different),
        },
        (None, None) => Verdict::Different,
    }
}

/// Judges a lane whose deviation may come from neighbouring texels of weight 0: from their roundings, or because they are NaN or infinite.
fn verdict_with_neighbours(
    job: &Job,
    bound: &BoundJob<'_>,
    lane: usize,
    exact: &ExactLane,
    got: &LaneResult,
) -> Verdict {
    let linear = bound.op.work == OpWork::Sample
        && [false, true].iter().any(|mag| bound.filter(*mag) != Filter::Nearest)
        && !bound.op.compares();
    let (finite, largest) = bound.neighbour_texels(lane);
    let slack = exact.slack.iter().sum::<f64>() + largest * 2f64.powi(-21);
    let equal = |c: usize| got.values[c].is_none_or(|value| value_equal(job, exact, c, value, slack));
    match () {
        () if !finite && only_non_finite_differ(job, exact, got) => {
            Verdict::Undefined(DeviationRule::TexelNotFinite)
        }
        () if linear && exact.fault == got.fault && (0..4).all(equal) => {
            Verdict::Allowed(DeviationRule::ValuePrecision)
        }
        () => Verdict::Different,
    }
}

/// Returns true if the lane differs in some channel, and all channels that differ are NaN or infinite: the effect of a texel of weight 0
/// that is not finite.
fn only_non_finite_differ(job: &Job, exact: &ExactLane, got: &LaneResult) -> bool {
    let off = |c: usize| {
        let value = got.values[c]?;
        let slack = exact.slack.iter().sum();
        (!value_equal(job, exact, c, value, slack)).then_some(float(value, job.half_return))
    };
    let mut off = (0..4).filter_map(off).peekable();
    off.peek().is_some() && off.all(|value| !value.is_finite())
}

/// The verdict on a lane that is equal with a nudge.
fn boundary(bound: &BoundJob<'_>, nudge: &Nudge, part: Option<DeviationRule>) -> Verdict {
    if bound.slack().is_none() {
        return Verdict::Boundary;
    }
    Verdict::Allowed(match part {
        Some(part) => part,
        None if nudge.reference != Way::Exact => DeviationRule::Reference,
        None if nudge.lod != Way::Exact => DeviationRule::MipPrecision,
        None => DeviationRule::TexelPrecision,
    })
}

/// Returns which slack a lane needs to be equal: `Some(None)` for none, else the rule whose slack suffices (slacks add up in the order of
/// `steps`). `None`: the lane is not equal.
fn parts_of_slack(job: &Job, ours: &ExactLane, got: &LaneResult) -> Option<Option<DeviationRule>> {
    if ours.fault != got.fault || job.null_mask && ours.null != got.null {
        return None;
    }
    let equal =
        |slack: f64| (0..4).all(|c| got.values[c].is_none_or(|v| value_equal(job, ours, c, v, slack)));
    let [value, texel, lod] = ours.slack;
    if equal(0.0) {
        return Some(None);
    }
    let steps = [
        (value, DeviationRule::ValuePrecision),
        (value + texel, DeviationRule::TexelPrecision),
        (value + texel + lod, DeviationRule::MipPrecision),
    ];
    steps.into_iter().find(|(slack, _)| *slack > 0.0 && equal(*slack)).map(|(_, rule)| Some(rule))
}

/// Returns true if a channel equals the emulator's within its tolerance and `slack`.
pub(super) fn value_equal(job: &Job, ours: &ExactLane, channel: usize, value: u32, slack: f64) -> bool {
    if ours.returned[channel] == value {
        return true;
    }
    let tolerance = ours.tolerance[channel] + slack;
    if tolerance == 0.0 {
        // +0 and -0 are the same number.
        return ours.returned[channel] | value == if job.half_return { 0x8000 } else { 0x8000_0000 };
    }
    let exact = f64::from(f32::from_bits(ours.bits[channel]));
    between(job, value, exact - tolerance, exact + tolerance)
}

/// Returns true if a returned float is in an interval. The ends are rounded to the width of the return, as results are.
fn between(job: &Job, value: u32, low: f64, high: f64) -> bool {
    let end = |x: f64| {
        if job.half_return { float(u32::from(half(x)), true) } else { f64::from(x as f32) }
    };
    let value = float(value, job.half_return);
    end(low) <= value && value <= end(high)
}

/// The largest distance: of a lane that differs although no deviation is allowed, or whose deviation is NaN.
const FAR: f64 = 1e9;

/// Returns the largest deviation of a lane's channels, relative to what is allowed: 1 is the limit, [`FAR`] the maximum.
pub(super) fn distance(job: &Job, ours: &ExactLane, got: &LaneResult) -> f64 {
    let slack = ours.slack.iter().sum::<f64>();
    let off = |c: usize| {
        let value = got.values[c].filter(|value| *value != ours.returned[c])?;
        let apart = (float(value, job.half_return) - float(ours.returned[c], job.half_return)).abs();
        Some(if apart == 0.0 { 0.0 } else { apart / (ours.tolerance[c] + slack) })
    };
    (0..4).filter_map(off).fold(0.0, |most: f64, off| if off.is_nan() { FAR } else { most.max(off.min(FAR)) })
}

/// Returns true if the lane is equal for some LOD in the range that a device may compute from the derivatives ([`DeviationRule::Derivatives`]).
/// Between two LODs of that range, a trilinear result is an interpolation of theirs.
fn in_range_of_lods(job: &Job, bound: &BoundJob<'_>, lane: usize, got: &LaneResult) -> bool {
    bound.lod_range(lane).is_some_and(|range| fits_some_lod(job, bound, lane, got, range))
}

/// Returns true for a device's lane whose LOD comes from derivatives if it is equal for some LOD at all. Callers know that it is not equal
/// for the LODs that the derivatives may give.
pub(super) fn at_another_lod(job: &Job, bound: &BoundJob<'_>, lane: usize, got: &LaneResult) -> bool {
    let derived =
        bound.op.work == OpWork::Sample && matches!(bound.op.lod, LodSource::Quad | LodSource::Gradients);
    let everything = [f64::NEG_INFINITY, f64::INFINITY];
    bound.slack().is_some() && derived && fits_some_lod(job, bound, lane, got, everything)
}

/// Returns the LODs of a range at which the result changes its form: both ends, and each level and a little above it.
fn lods_in(bound: &BoundJob<'_>, [low, high]: [f64; 2]) -> Vec<f64> {
    let last = bound.surface.levels as f64;
    // Beyond the first and the last level, only the LOD itself changes.
    let ends =
        if bound.op.work == OpWork::Lod { [f64::NEG_INFINITY, f64::INFINITY] } else { [-2.0, last + 1.0] };
    let (low, high) = (low.clamp(ends[0], ends[1]), high.clamp(ends[0], ends[1]));
    let inside = (-2..=bound.surface.levels as i64).map(|level| level as f64).flat_map(|at| [at, at + 0.001]);
    let mut lods: Vec<f64> =
        [low, high].into_iter().chain(inside.filter(|at| low < *at && *at < high)).collect();
    lods.sort_by(f64::total_cmp);
    lods
}

/// Returns true if a lane is equal for some LOD of a range.
fn fits_some_lod(job: &Job, bound: &BoundJob<'_>, lane: usize, got: &LaneResult, range: [f64; 2]) -> bool {
    let lods = lods_in(bound, range);
    // The LOD is also moved after its clamps: they may leave it half-way between two levels, where its own precision decides.
    let mut moves = texel_moves(bound).into_iter().flat_map(|texel| MOVES.map(|way| (texel, way)));
    moves.any(|(texel, way)| {
        let at = |lod_is| {
            let nudge = Nudge { texel: [texel; 2], lod: way, lod_is: Some(lod_is), ..Nudge::default() };
            (bound.lane(lane, &nudge), without_non_finite(job, bound, lane, got, &nudge))
        };
        let lanes: Vec<_> = lods.iter().map(|lod| at(*lod)).collect();
        lanes.iter().any(|(one, got)| parts_of_slack(job, one, got).is_some())
            || lanes.windows(2).any(|pair| between_lanes(job, &pair[0].0, &pair[1].0, &pair[0].1))
    })
}

/// Removes the channels that are NaN or infinite from a result if the texels of the footprint are NaN or infinite too
/// ([`DeviationRule::TexelNotFinite`]).
fn without_non_finite(
    job: &Job,
    bound: &BoundJob<'_>,
    lane: usize,
    got: &LaneResult,
    nudge: &Nudge,
) -> LaneResult {
    let mut got = *got;
    let non_finite = |value: &u32| !float(*value, job.half_return).is_finite();
    if !bound.surface.is_integer()
        && got.values.iter().flatten().any(non_finite)
        && undefined_texels(bound, lane, nudge) == Some(DeviationRule::TexelNotFinite)
    {
        got.values = got.values.map(|value| value.filter(|value| !non_finite(value)));
    }
    got
}

/// Returns true if each channel of `got` lies between those of `a` and `b`.
fn between_lanes(job: &Job, a: &ExactLane, b: &ExactLane, got: &LaneResult) -> bool {
    let slack = |lane: &ExactLane, c: usize| lane.tolerance[c] + lane.slack.iter().sum::<f64>();
    let slack = |c: usize| slack(a, c).max(slack(b, c));
    let channel = |c: usize| {
        let slack = slack(c);
        let ends = [a, b].map(|lane| f64::from(f32::from_bits(lane.bits[c])));
        let (low, high) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
        got.values[c].is_none_or(|value| between(job, value, low - slack, high + slack))
    };
    a.fault == got.fault && b.fault == got.fault && (0..4).any(|c| slack(c) > 0.0) && (0..4).all(channel)
}

/// Returns the rule by which no document defines the lane's result; `None` if it is defined.
fn undefined(bound: &BoundJob<'_>, lane: usize, exact: &ExactLane) -> Option<DeviationRule> {
    if bound.slack().is_some() {
        let sampled = matches!(bound.op.work, OpWork::Sample | OpWork::Gather | OpWork::Lod);
        let derived = matches!(bound.op.lod, LodSource::Quad | LodSource::Gradients);
        if sampled && !bound.is_finite(lane) {
            return Some(DeviationRule::NotFinite);
        }
        if sampled && bound.is_far(lane) {
            return Some(DeviationRule::FarCoordinate);
        }
        if sampled && bound.is_denormal(lane) {
            return Some(DeviationRule::Denormal);
        }
        if bound.on_several_faces(lane) {
            return Some(DeviationRule::SeveralFaces);
        }
        if bound.reduces_levels() {
            return Some(DeviationRule::ReducedLevels);
        }
        if sampled && bound.op.work != OpWork::Lod {
            if let Some(rule) = undefined_texels(bound, lane, &Nudge::default()) {
                return Some(rule);
            }
        }
        if derived && [false, true].iter().any(|mag| bound.filter(*mag) == Filter::Anisotropic) {
            return Some(DeviationRule::Anisotropy);
        }
    }
    exact.unconditioned.then_some(DeviationRule::IllConditioned)
}

/// Returns the rule by which no document defines what a device makes of the texels of the lane's footprint.
fn undefined_texels(bound: &BoundJob<'_>, lane: usize, nudge: &Nudge) -> Option<DeviationRule> {
    let (_, texels) = bound.traced(lane, nudge);
    let denormal = |value: f64| value != 0.0 && value.abs() < f64::from(f32::MIN_POSITIVE);
    let compared = |texel: &TexelUse| denormal(texel.value[0]);
    match () {
        () if texels.iter().any(|texel| texel.value.iter().any(|value| !(*value as f32).is_finite())) => {
            Some(DeviationRule::TexelNotFinite)
        }
        () if bound.op.compares() && (texels.iter().any(compared) || denormal(bound.reference(lane))) => {
            Some(DeviationRule::Denormal)
        }
        // At the corner of a cube a footprint has three texels: the missing corner is not in the list.
        () if bound.surface.kind == SurfaceType::Cube && (texels.len() % 4 == 3 || texels.len() == 6) => {
            Some(DeviationRule::CubeCorner)
        }
        () => None,
    }
}

/// As [`undefined_texels`], for every footprint that the slack or the range of the lane's LOD permits.
fn undefined_nearby(bound: &BoundJob<'_>, lane: usize) -> Option<DeviationRule> {
    if !matches!(bound.op.work, OpWork::Sample | OpWork::Gather) {
        return None;
    }
    let derived = bound.lod_range(lane).map(|range| lods_in(bound, range)).unwrap_or_default();
    let lods = [None].into_iter().chain(derived.into_iter().map(Some));
    let mut moved = lods.flat_map(|lod_is| {
        let places = texel_moves(bound).into_iter().flat_map(|texel| MOVES.map(|lod| (texel, lod)));
        places.map(move |(texel, lod)| Nudge { texel: [texel; 2], lod, lod_is, ..Nudge::default() })
    });
    moved.find_map(|nudge| undefined_texels(bound, lane, &nudge))
}

/// Returns all combinations of moves of the axes.
fn texel_moves(bound: &BoundJob<'_>) -> Vec<[Way; 3]> {
    let axes = bound.axes();
    // With a slack, the rounding of f32 is too small to matter, so that `Way::Rounded` is tried only for MIN and MAX, where it matters
    // whether a weight is exactly 0.
    let ways = if bound.slack().is_some() && !bound.reduces() { &MOVES[..] } else { &WAYS[..] };
    let of = |code: usize, a: usize| ways[code / ways.len().pow(a as u32) % ways.len()];
    let way = |code: usize, a: usize| if a < axes { of(code, a) } else { Way::Exact };
    (0..ways.len().pow(axes as u32)).map(|code| std::array::from_fn(|a| way(code, a))).collect()
}

const WAYS: [Way; 4] = [Way::Exact, Way::Up, Way::Down, Way::Rounded];
const MOVES: [Way; 3] = [Way::Exact, Way::Up, Way::Down];

/// Returns every nudge that may lead to another decision of a lane, the most likely ones first.
fn nudges(bound: &BoundJob<'_>, lane: usize) -> impl Iterator<Item = Nudge> {
    let texels = texel_moves(bound);
    let cube = bound.surface.kind == SurfaceType::Cube;
    let corners = if cube && bound.op.compares() { WAYS.to_vec() } else { vec![Way::Exact] };
    let (a, b, c, d, e) = (texels.clone(), texels.clone(), texels.clone(), texels.clone(), texels);
    let together = WAYS.into_iter().flat_map(move |lod| {
        let corners = corners.clone();
        a.clone().into_iter().flat_map(move |t| {
            corners.clone().into_iter().map(move |corner| Nudge {
                texel: [t, t],
                lod,
                corner,
                ..Nudge::default()
            })
        })
    });
    let footprints = MOVES.into_iter().flat_map(|ratio| {
        [false, true].into_iter().flat_map(move |swap| {
            WAYS.into_iter().flat_map(move |lod| {
                WAYS.into_iter().map(move |w| Nudge {
                    texel: [[w; 3]; 2],
                    lod,
                    ratio,
                    swap,
                    ..Nudge::default()
                })
            })
        })
    });
    let ranges = [f64::NEG_INFINITY, f64::INFINITY, f64::NAN].into_iter().flat_map(move |lod| {
        b.clone().into_iter().map(move |t| Nudge { texel: [t, t], lod_is: Some(lod), ..Nudge::default() })
    });
    // Devices make scale factors of their own of any derivatives.
    let wild = match bound.slack() {
        Some(_) => matches!(bound.op.lod, LodSource::Quad | LodSource::Gradients),
        None => bound.lambda(lane, &Nudge::default()).wild,
    };
    let two_levels = bound.op.work == OpWork::Sample && bound.sampler.mip == Mip::Linear;
    let apart = c.into_iter().filter(move |_| two_levels).flat_map(move |first| {
        let d = d.clone();
        d.into_iter().map(move |second| Nudge { texel: [first, second], ..Nudge::default() })
    });
    let slack = bound.slack().is_some_and(|slack| slack.reference > 0.0) && bound.op.compares();
    let references = [Way::Up, Way::Down].into_iter().filter(move |_| slack).flat_map(move |reference| {
        let e = e.clone();
        MOVES.into_iter().flat_map(move |lod| {
            e.clone().into_iter().map(move |t| Nudge { texel: [t, t], lod, reference, ..Nudge::default() })
        })
    });
    together.chain(footprints).chain(ranges.filter(move |_| wild)).chain(references).chain(apart)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::emulator::state::{set_sampler, set_surface};

    /// Derivatives of four texels have a LOD of 2: that of derivatives of 0, and its clamped LOD, is another one.
    #[test]
    fn a_lod_without_derivatives_differs() {
        let lanes = [0.0_f32, 0.25, 0.0, 0.0].map(f32::to_bits);
        let mut job = Job { simd: 4, lanes: 15, params: vec![lanes.to_vec()], ..Job::new("LOD") };
        set_surface(&mut job.surface, "Width", 15);
        set_surface(&mut job.surface, "MIP Count / LOD", 4);
        set_sampler(&mut job.sampler, "Max LOD", 0xe00);
        let bound = BoundJob::of(&job).unwrap().unwrap();
        let exact = bound.lane(0, &Nudge::default());
        let verdict_on = |lods: [f32; 2]| {
            let [clamped, unclamped] = lods.map(|lod| Some(lod.to_bits()));
            let got = LaneResult { values: [clamped, unclamped, None, None], null: false, fault: false };
            verdict(&job, &bound, 0, &exact, &got)
        };
        assert_eq!(verdict_on([2.0, 2.0]), Verdict::Equal);
        assert_eq!(verdict_on([0.0, f32::NEG_INFINITY]), Verdict::Different);
    }
}
