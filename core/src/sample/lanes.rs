//! How many lanes a stage handles at once, and the arrays that hold one value for each of them.

/// Lanes of a pass, which go through the stages together: a SIMD16 message on hosts, a single lane where the stack is small.
///
/// This is the one constant that shapes the scratch. `--cfg texwire_lanes="4"` (or `"1"`, `"16"`) overrides it, so
/// that hosts can test the array lengths of small targets.
pub(super) const LANES: usize = if cfg!(texwire_lanes = "16") {
    16
} else if cfg!(texwire_lanes = "4") {
    4
} else if cfg!(texwire_lanes = "1") || size_of::<usize>() < 8 {
    1
} else {
    16
};

/// Lanes of half a pass: a SIMD8 message on hosts.
pub(super) const HALF: usize = LANES.div_ceil(2);

/// 1 where a pass has several lanes, else 0: the length of array fields that targets with one lane have no room for.
pub(super) const MULTI_LANE: usize = if LANES == 1 { 0 } else { 1 };

/// Texels of the largest footprint: trilinear filtering of a volume reads 2 x 2 x 2.
pub(super) const TAPS: usize = 8;

/// The number of footprint sizes: 1, 2, 4 and 8 texels.
pub(super) const FOOTPRINTS: usize = 4;

/// The execution mask of all lanes of a pass.
pub(super) const ALL: u32 = (1 << LANES) - 1;

/// The bit of each lane in an execution mask.
#[allow(clippy::indexing_slicing, reason = "evaluated at compile time")]
pub(super) const BITS: Lanes<u32> = {
    let mut bits = [0; LANES];
    let mut lane = 0;
    while lane < LANES {
        bits[lane] = 1 << lane;
        lane += 1;
    }
    bits
};

/// One value for each lane.
pub(super) type Lanes<T> = [T; LANES];

/// One value for each lane of each channel: red, green, blue, alpha.
pub(super) type ChannelLanes = [Lanes<u32>; 4];

/// A float in a payload: its little-endian bytes (of loads: an integer).
pub(super) type LaneBytes = [u8; 4];

/// One value for each lane of each texel of a footprint: texel 0 of all lanes, then texel 1, and so on.
///
/// The order of texels is x fastest, then y, then z.
pub(super) type TapLanes<T> = [Lanes<T>; TAPS];

/// Iterates over the numbers of the lanes whose bits are set, in order.
#[inline]
pub(super) fn numbers(mask: u32) -> impl Iterator<Item = usize> {
    let mut left = mask & ALL;
    core::iter::from_fn(move || {
        let lane = if LANES == 1 { 0 } else { left.trailing_zeros() };
        let found = left != 0;
        left &= left.wrapping_sub(1);
        found.then_some(lane as usize)
    })
}

/// Returns the value of a lane; 0 past the last lane.
#[inline(always)]
pub(super) fn lane<T: Copy + Default>(lanes: &Lanes<T>, lane: usize) -> T {
    lanes.get(lane).copied().unwrap_or_default()
}

/// Sets the value of a lane; does nothing past the last lane.
#[inline(always)]
pub(super) fn set<T: Copy>(lanes: &mut Lanes<T>, lane: usize, value: T) {
    if let Some(out) = lanes.get_mut(lane) {
        *out = value;
    }
}

/// Returns the mask of the lanes whose flag is not 0.
#[inline]
pub(super) fn mask(flags: &Lanes<u32>) -> u32 {
    let mut mask = 0;
    for (lane, flag) in flags.iter().enumerate() {
        mask |= ones(*flag != 0) & 1 << lane;
    }
    mask
}

/// Returns all ones if `choice` is true, else all zeros. Stages select values with such masks, because compilers turn many an `if`
/// into branches and not into vectors.
#[inline(always)]
pub(super) fn ones(choice: bool) -> u32 {
    u32::from(choice).wrapping_neg()
}

/// Returns all ones, hidden from the optimiser. A select between the old value of an array element and a new one becomes stores of
/// single lanes, which take 20 cycles and more with AVX2 on AMD's processors, if compilers know that all bits of its mask are equal.
/// Masks are combined with this value so that compilers cannot know it.
#[inline(always)]
pub(super) fn opaque_ones() -> u32 {
    if LANES == 1 { u32::MAX } else { core::hint::black_box(u32::MAX) }
}
