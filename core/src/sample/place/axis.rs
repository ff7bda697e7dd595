//! Wrap modes: from a texture coordinate to texel coordinates and a weight along one axis.
//!
//! Source: Texture Coordinate Mode (Ice Lake PRM volume 2b), Vulkan and D3D texel addressing.
//!
//! [`place`] handles all lanes of a pass in floats, in one loop whose constants describe the wrap mode. If a coordinate is too far away
//! for that (or NaN), the pass is done again by [`place_exact`], with integer texel coordinates.
#![allow(clippy::indexing_slicing, reason = "arrays of LANES, indexed below LANES: no check remains")]

use crate::sample::lanes::{LANES, LaneBytes, Lanes, ones};
use crate::sample::rounding::{LOW, MAGIC, clamp, floor, integer, larger, near_floor, smaller};
use crate::sample::unspecified::{COORDINATE_LIMIT, fixed8};
use crate::state::AddressMode;

impl AddressMode {
    /// Returns whether texels outside the mip level have the border colour.
    pub(crate) const fn has_border(self) -> bool {
        matches!(self, Self::ClampBorder | Self::HalfBorder)
    }
}

/// The largest magnitude of a coordinate, in texels, that [`place`] handles.
const NEAR: f32 = 2_097_152.0;

/// Larger than any coordinate in texels: a bound that never applies, a period that no coordinate leaves.
const HUGE: f32 = 1e30;

/// The size of each lane's mip level along one axis: texels, and 1 / the period of the wrap mode (see [`AxisRule::inverse`]). One-lane
/// targets use only the texels.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AxisSize {
    pub(crate) texels: Lanes<f32>,
    pub(crate) inverse: Lanes<f32>,
}

impl AxisSize {
    pub(crate) const NONE: Self = Self { texels: [1.0; LANES], inverse: [1.0; LANES] };
}

/// The texels that each lane reads along one axis.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AxisTaps {
    /// Texel coordinates in the mip level: the texel of NEAREST, or the first and the second texel of LINEAR.
    pub(crate) texel: [Lanes<u32>; 2],
    /// LINEAR: the weight of the second texel.
    pub(crate) fraction: Lanes<f32>,
    /// Bit 0: the first texel is outside and is replaced by the border colour or, on cubes, by the texel across the edge; bit 1: the
    /// same for the second texel. Only wrap modes with a border and seamless cubes set them (and loads, along U, in a sense of their own:
    /// see [`SamplePlaneKernel`](crate::sample::levels::multisample::SamplePlaneKernel)).
    pub(crate) outside: Lanes<u32>,
}

impl AxisTaps {
    pub(crate) const NONE: Self =
        Self { texel: [[0; LANES]; 2], fraction: [0.0; LANES], outside: [0; LANES] };
}

/// How texel coordinates are folded into a mip level: one variant for each class of wrap modes that share a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WrapClass {
    /// WRAP, mip levels of any size.
    Repeat,
    /// WRAP, mip levels whose sizes are powers of two.
    RepeatPower,
    /// MIRROR, mip levels whose sizes are powers of two.
    MirrorPower,
    /// CLAMP.
    Clamp,
    /// CLAMP_BORDER and HALF_BORDER.
    Border,
    /// Any mode without a border, driven by the constants of [`AxisRule`].
    Inside,
    /// Any mode, driven by the constants of [`AxisRule`].
    ByData,
}

/// The number of [`WrapClass`] variants with kernels: one-lane targets have none and use [`place_exact`] for all modes.
pub(crate) const WRAP_CLASSES: usize = if LANES == 1 { 0 } else { 7 };

/// The wrap mode of one axis as constants; the same for every lane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AxisRule {
    pub(crate) mode: AddressMode,
    /// Coordinates are normalized: in units of the mip level's size.
    pub(crate) normalized: bool,
    /// The period in texels is `size * period[0] + period[1]`, at least 1; [`HUGE`] for modes that do not repeat.
    period: [f32; 2],
    /// How far below texel 0 the period begins, in periods: 0 for WRAP, 0.5 for all other modes.
    before: f32,
    /// Texel coordinates `x` below half of it are mirrored: they become `turn - x`.
    turn: f32,
}

impl AxisRule {
    #[inline(never)]
    pub(crate) const fn new(mode: AddressMode, normalized: bool) -> Self {
        let (period, turn) = match mode {
            AddressMode::Wrap => ([1.0, 0.0], -HUGE),
            AddressMode::Mirror => ([2.0, 0.0], -1.0),
            AddressMode::Mirror101 => ([2.0, -2.0], 0.0),
            AddressMode::MirrorOnce => ([0.0, HUGE], -1.0),
            AddressMode::Clamp | AddressMode::Cube | AddressMode::ClampBorder | AddressMode::HalfBorder => {
                ([0.0, HUGE], -HUGE)
            }
        };
        Self {
            mode,
            normalized,
            period,
            before: if matches!(mode, AddressMode::Wrap) { 0.0 } else { 0.5 },
            turn,
        }
    }

    /// Returns 1 / the period of the wrap mode in a mip level of `texels` texels.
    pub(crate) fn inverse(&self, texels: u32) -> f32 {
        let [of_size, more] = self.period;
        1.0 / larger(texels as i32 as f32 * of_size + more, 1.0)
    }

    /// Returns the fold for this mode on a surface whose mip level 0 has `size` texels along the axis.
    pub(crate) const fn fold(&self, size: u32) -> WrapClass {
        if LANES == 1 {
            return WrapClass::ByData;
        }
        match self.mode {
            AddressMode::Clamp | AddressMode::Cube => WrapClass::Clamp,
            AddressMode::ClampBorder | AddressMode::HalfBorder => WrapClass::Border,
            // A power of two at mip level 0 is one at every smaller level.
            AddressMode::Wrap if size.is_power_of_two() => WrapClass::RepeatPower,
            AddressMode::Wrap => WrapClass::Repeat,
            AddressMode::Mirror if size.is_power_of_two() => WrapClass::MirrorPower,
            AddressMode::Mirror | AddressMode::MirrorOnce | AddressMode::Mirror101 => WrapClass::Inside,
        }
    }

    /// Returns a coordinate in texels made finite (U04), clamped to the mip level of `n` texels for HALF_BORDER, and rounded as `fixed`
    /// says (see [`Subtexel::fixed`]).
    fn hold(&self, scaled: f32, n: f32, fixed: Option<bool>) -> f32 {
        let finite = if scaled.is_nan() {
            if matches!(self.mode, AddressMode::ClampBorder) { -COORDINATE_LIMIT } else { 0.0 }
        } else {
            clamp(scaled, -COORDINATE_LIMIT, COORDINATE_LIMIT)
        };
        let held = if self.mode == AddressMode::HalfBorder { clamp(finite, 0.0, n) } else { finite };
        match fixed {
            Some(round) => fixed8(held, round),
            None => held,
        }
    }

    /// Returns the two texel coordinates of LINEAR (or twice the one of NEAREST), not yet folded into the mip level of `n`
    /// texels, and the weight of the second one.
    fn texels(&self, subtexel: &Subtexel, [coordinate, rounding, n]: [f32; 3]) -> ([i32; 2], f32) {
        let scaled = if self.normalized { coordinate * n } else { coordinate };
        let x = self.hold(scaled, n, subtexel.fixed);
        let offset = rounding.to_bits().wrapping_sub(MAGIC.to_bits()) as i32;
        if subtexel.linear {
            let (whole, below) = floor(x - 0.5);
            let first = whole.wrapping_add(offset);
            return ([first, first.wrapping_add(1)], x - 0.5 - below);
        }
        let (whole, _) = floor(x);
        let whole =
            if self.mode == AddressMode::HalfBorder { whole.min((n as i32).wrapping_sub(1)) } else { whole };
        ([whole.wrapping_add(offset); 2], 0.0)
    }
}

/// Does what [`place`] does, for any coordinate, with integer texel coordinates: for one-lane targets, and for passes with a lane that is
/// [`NEEDS_GENERAL`]. Returns the OR of [`AxisTaps::outside`] over all lanes.
pub(crate) fn place_exact(
    rule: &AxisRule,
    subtexel: &Subtexel,
    coordinate: &Lanes<f32>,
    rounding: &Lanes<f32>,
    size: &AxisSize,
    out: &mut AxisTaps,
) -> u32 {
    let mut any = 0;
    for i in 0..LANES {
        let n = size.texels[i];
        let (taps, fraction) = rule.texels(subtexel, [coordinate[i], rounding[i], n]);
        let [(first, is_outside), (second, is_second_outside)] =
            taps.map(|tap| resolve(rule.mode, tap, n as i32));
        (out.texel[0][i], out.texel[1][i], out.fraction[i]) = (first, second, fraction);
        out.outside[i] = u32::from(is_outside) | u32::from(is_second_outside) << 1;
        any |= out.outside[i];
    }
    any
}

/// Folds texel coordinate `i` into a mip level of `size` texels. Returns the texel, and whether `i` is outside: then the border
/// colour, or the texel across the edge of a cube face, replaces the texel.
#[inline(never)]
pub(crate) fn resolve(mode: AddressMode, i: i32, size: i32) -> (u32, bool) {
    let n = size.clamp(1, 1 << 28);
    let last = n.wrapping_sub(1);
    let mirrored = |period: i32, turn: i32| {
        let k = i.rem_euclid(period.max(1));
        if k < n { k } else { turn.wrapping_sub(k) }
    };
    let texel = match mode {
        AddressMode::Wrap => i.rem_euclid(n),
        AddressMode::Mirror => mirrored(n.wrapping_mul(2), n.wrapping_mul(2).wrapping_sub(1)),
        AddressMode::Mirror101 => mirrored(last.wrapping_mul(2), last.wrapping_mul(2)),
        AddressMode::Clamp | AddressMode::Cube => i.clamp(0, last),
        AddressMode::MirrorOnce => (if i < 0 { !i } else { i }).min(last),
        AddressMode::ClampBorder | AddressMode::HalfBorder => {
            let held = i.clamp(0, last);
            return (held as u32, held != i);
        }
    };
    (texel as u32, false)
}

/// How a filter treats the position of a coordinate inside its texel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Subtexel {
    /// True: LINEAR, two texels; false: the texel that contains the coordinate.
    pub(crate) linear: bool,
    /// `Some(true)`: coordinates are rounded half up to 1/256 texel; `Some(false)`: rounded down to 1/256 texel; `None`: exact.
    pub(crate) fixed: Option<bool>,
    /// Added to the coordinate, in units of 1/256 texel, before it is rounded down: 0.5 to round half up, else 0.
    pub(crate) half: f32,
}

impl Subtexel {
    pub(crate) const fn new(linear: bool, fixed: Option<bool>) -> Self {
        Self { linear, fixed, half: if matches!(fixed, Some(true)) { 0.5 } else { 0.0 } }
    }
}

/// Fills in the texels of all lanes along one axis. Returns [`NEEDS_GENERAL`] if the coordinate of any lane is more than [`NEAR`] texels
/// away or NaN (that lane's texels are then unspecified), else the OR of [`AxisTaps::outside`] over all lanes.
pub(crate) type AxisKernel =
    fn(&AxisRule, &Subtexel, at: &Lanes<LaneBytes>, rounding: &Lanes<f32>, &AxisSize, &mut AxisTaps) -> u32;

/// What a kernel returns that could not handle every lane: see [`AxisKernel`].
pub(crate) const NEEDS_GENERAL: u32 = 1 << 31;

/// The variants of [`WrapClass`] as const generic arguments of kernels.
pub(crate) const REPEAT: u8 = WrapClass::Repeat as u8;
pub(crate) const REPEAT_POWER: u8 = WrapClass::RepeatPower as u8;
pub(crate) const MIRROR_POWER: u8 = WrapClass::MirrorPower as u8;
pub(crate) const CLAMP: u8 = WrapClass::Clamp as u8;
pub(crate) const BORDER: u8 = WrapClass::Border as u8;
pub(crate) const INSIDE: u8 = WrapClass::Inside as u8;
pub(crate) const BY_DATA: u8 = WrapClass::ByData as u8;

/// The texels that one lane reads along one axis: see [`AxisTaps`].
#[derive(Clone, Copy)]
pub(super) struct LaneTaps {
    pub(crate) texel: [u32; 2],
    pub(crate) fraction: f32,
    pub(crate) outside: u32,
    /// The coordinate is more than [`NEAR`] texels away or NaN: the texels are unspecified.
    pub(crate) far: bool,
}

/// Returns the texels of lane `i` along one axis, for the coordinates `at`. `half`: see [`Subtexel::half`]; `rounding`: see
/// [`rounding`](crate::sample::rounding::rounding).
#[inline(always)]
pub(super) fn lane_taps<const WRAP_CLASS: u8, const LINEAR: bool, const FIXED: bool>(
    rule: &AxisRule,
    half: f32,
    (at, rounding, size): (&Lanes<LaneBytes>, &Lanes<f32>, &AxisSize),
    i: usize,
) -> LaneTaps {
    let (rounding, n, inverse) = (rounding[i], size.texels[i], size.inverse[i]);
    let mut x = f32::from_le_bytes(at[i]) * if rule.normalized { n } else { 1.0 };
    // True for infinities and NaN too: their bits are larger than those of `NEAR`.
    let far = x.to_bits() & 0x7fff_ffff > NEAR.to_bits();
    let has_border = WRAP_CLASS == BORDER || WRAP_CLASS == BY_DATA;
    // HALF_BORDER clamps the coordinate to the level (U16).
    let is_held = has_border && rule.mode == AddressMode::HalfBorder;
    if is_held {
        x = smaller(larger(x, 0.0), n);
    }
    // The first texel is the whole number nearest to `x`, in the low bits of a sum with MAGIC, or the number before it.
    let (nearest, is_before, part) = if FIXED {
        let nearest = x + rounding;
        let parts = (x - (nearest - rounding)) * 256.0 + half;
        if LINEAR {
            let part = near_floor(parts);
            // The texel that begins at the nearest whole number is the first one only from its centre (128/256) on.
            let is_before = part < 128.0;
            (nearest, is_before, if is_before { part * (1.0 / 256.0) + 0.5 } else { 0.0 })
        } else {
            (nearest, parts < 0.0, 0.0)
        }
    } else {
        if LINEAR {
            x -= 0.5;
        }
        let nearest = x + rounding;
        (nearest, nearest - rounding > x, 0.0)
    };
    // Subtracted as an integer, so that few operations have to wait for it.
    let first = nearest.to_bits().wrapping_add(ones(is_before));
    let whole = f32::from_bits(first);
    let fraction = if LINEAR && !FIXED { x - (whole - rounding) } else { part };
    if WRAP_CLASS == REPEAT_POWER || WRAP_CLASS == MIRROR_POWER {
        // The low bits are the coordinate modulo a power of two, of negative ones too: the low bits of MAGIC are zeros.
        let (texels, low) = (integer(n), (n + (MAGIC - 1.0)).to_bits() & LOW);
        let fold = |texel: u32| {
            let turned = if WRAP_CLASS == MIRROR_POWER { ones(texel & texels != 0) } else { 0 };
            (texel ^ turned) & low
        };
        return LaneTaps { texel: [fold(first), fold(first.wrapping_add(1))], fraction, outside: 0, far };
    }
    let last = n - 1.0;
    // HALF_BORDER clamps the index to the level, then adds the offset (U16): both sums have MAGIC and the offset in them.
    let whole = if is_held && !LINEAR { smaller(whole, last + rounding) } else { whole };
    let (first, second) = match WRAP_CLASS {
        REPEAT => {
            let first = remainder(whole - MAGIC, n, inverse, 0.0);
            (first, if first < last { first + 1.0 } else { 0.0 })
        }
        CLAMP | BORDER => (whole, whole + 1.0),
        _ => {
            let period = larger(n * rule.period[0] + rule.period[1], 1.0);
            // Mirrors coordinates below 0: see [`AxisRule::turn`].
            let turned = |x: f32| larger(x, rule.turn - x);
            let first = remainder(whole - MAGIC, period, inverse, rule.before);
            let next = first + 1.0;
            // The next texel is the end of the period with WRAP alone, or where the mip level has a single texel.
            let second = if next < period { next } else { 0.0 };
            (turned(first), if LINEAR { turned(second) } else { 0.0 })
        }
    };
    let are_sums = WRAP_CLASS == CLAMP || WRAP_CLASS == BORDER;
    let (low, high) = if are_sums { (MAGIC, MAGIC + last) } else { (0.0, last) };
    let inside = if WRAP_CLASS == REPEAT {
        [first, second]
    } else {
        // The clamps differ in order: otherwise compilers make a vector of both texels, which they then split again.
        [larger(smaller(first, high), low), smaller(larger(second, low), high)]
    };
    let outside = if has_border {
        let [is_first, is_second] = [ones(inside[0] != first), ones(LINEAR && inside[1] != second)];
        (is_first & 1 | is_second & 2) & ones(WRAP_CLASS == BORDER || rule.mode.has_border())
    } else {
        0
    };
    let texel = inside.map(|x| if are_sums { x.to_bits() & LOW } else { integer(x) });
    LaneTaps { texel, fraction, outside, far }
}

/// See [`AxisKernel`].
#[inline(always)]
pub(crate) fn place<const WRAP_CLASS: u8, const LINEAR: bool, const FIXED: bool>(
    rule: &AxisRule,
    subtexel: &Subtexel,
    at: &Lanes<LaneBytes>,
    rounding: &Lanes<f32>,
    size: &AxisSize,
    out: &mut AxisTaps,
) -> u32 {
    let half = subtexel.half;
    let (mut far, mut any) = (false, 0);
    for i in 0..LANES {
        let taps = lane_taps::<WRAP_CLASS, LINEAR, FIXED>(rule, half, (at, rounding, size), i);
        far |= taps.far;
        out.texel[0][i] = taps.texel[0];
        if LINEAR {
            out.texel[1][i] = taps.texel[1];
            out.fraction[i] = taps.fraction;
        }
        if WRAP_CLASS == BORDER || WRAP_CLASS == BY_DATA {
            out.outside[i] = taps.outside;
            any |= taps.outside;
        }
    }
    far_or(far, any)
}

/// Returns the result of a kernel: [`NEEDS_GENERAL`] if a lane is far, else the bits in `outside` (see [`AxisKernel`]).
#[inline(always)]
pub(super) fn far_or(far: bool, outside: u32) -> u32 {
    if far { NEEDS_GENERAL } else { outside }
}

/// Returns `x` modulo `period`, without a division, in the range that begins `before` periods below 0. Exact for whole numbers, |x| up to
/// 2^22 and periods up to 2^16; a period of [`HUGE`] leaves `x` unchanged.
///
/// The rounded quotient is that of `x + 0.5`: it cannot be a tie or be rounded past one, for it stays at least `inverse / 2` away.
#[inline(always)]
fn remainder(x: f32, period: f32, inverse: f32, before: f32) -> f32 {
    let centre = 0.5 * inverse + (before - 0.5);
    let quotient = ((x * inverse + centre) + MAGIC) - MAGIC;
    x - quotient * period
}
