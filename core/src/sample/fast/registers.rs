//! Registers of a message: parameters in, results out.

use super::super::bind::Select;
use super::super::execute::canonical;
use super::simd::{BYTES, F4, LANES, Lanes};
use crate::format::Texel;
use crate::message::{Message, Op, Param, Payload, Width};

/// The bytes of a group's lanes.
pub(super) type Group = [u8; BYTES];

/// Which parameter of an operation is which; [`NONE`] is none of them.
#[derive(Clone, Copy)]
struct Places {
    coordinates: [u8; 3],
    layer: u8,
    lod: u8,
    bias: u8,
    reference: u8,
    min_lod: u8,
}

const NONE: u8 = u8::MAX;

impl Places {
    const fn of(op: Op) -> Self {
        let mut places = Self {
            coordinates: [NONE; 3],
            layer: NONE,
            lod: NONE,
            bias: NONE,
            reference: NONE,
            min_lod: NONE,
        };
        let mut rest = op.params(Width::Full);
        let mut place = 0;
        while let [param, tail @ ..] = rest {
            let [u, v, r] = &mut places.coordinates;
            match param {
                Param::U => *u = place,
                Param::V => *v = place,
                Param::R => *r = place,
                Param::Ai => places.layer = place,
                Param::Lod => places.lod = place,
                Param::Bias => places.bias = place,
                Param::Ref => places.reference = place,
                Param::Mlod => places.min_lod = place,
                _ => {}
            }
            place += 1;
            rest = tail;
        }
        places
    }
}

/// A parameter that is not there.
static ABSENT: [u8; 32 * 4] = [0; 32 * 4];

/// The places of every operation, in the order of [`Op::ALL`].
static PLACES: [Places; Op::ALL.len()] = {
    let mut table = [Places::of(Op::Sample); Op::ALL.len()];
    let (mut ops, mut rest): (&[Op], &mut [Places]) = (Op::ALL, &mut table);
    while let ([op, more @ ..], [first, tail @ ..]) = (ops, rest) {
        *first = Places::of(*op);
        (ops, rest) = (more, tail);
    }
    table
};

/// The parameters that the hot paths know.
#[derive(Clone, Copy)]
pub(super) struct Slots<'a> {
    payload: &'a Payload<'a>,
    places: &'static Places,
    params: u8,
    /// Groups of a message.
    pub(super) groups: usize,
}

impl<'a> Slots<'a> {
    /// `None` when a parameter is shorter than the message's lanes, or is one that the hot paths do not know.
    #[inline(always)]
    pub(super) fn new(message: &Message, payload: &'a Payload<'a>) -> Option<Self> {
        let places = PLACES.get(message.op as usize)?;
        let params = message.params;
        let enough = usize::from(message.simd).wrapping_mul(4);
        let long = |lanes: &[u8]| lanes.len() >= enough || lanes.is_empty();
        let fits = places.min_lod >= params && (0..params).all(|index| long(payload.slot(index.into())));
        fits.then_some(Self { payload, places, params, groups: usize::from(message.simd) / LANES })
    }

    /// The groups of a parameter; 0 when the message has no such parameter.
    #[inline(always)]
    fn lanes(&self, place: u8) -> &'a [Group] {
        let lanes = if place < self.params { self.payload.slot(place.into()) } else { &[] };
        let (groups, _) = if lanes.is_empty() { &ABSENT } else { lanes }.as_chunks();
        groups.get(..self.groups).unwrap_or(groups)
    }

    /// U, V, R.
    #[inline(always)]
    pub(super) fn coordinate(&self, axis: Axis) -> &'a [Group] {
        let [u, v, r] = self.places.coordinates;
        self.lanes(match axis {
            Axis::U => u,
            Axis::V => v,
            Axis::R => r,
        })
    }

    /// Array index of a cube.
    pub(super) fn layer(&self) -> &'a [Group] {
        self.lanes(self.places.layer)
    }

    pub(super) fn lod(&self) -> &'a [Group] {
        self.lanes(self.places.lod)
    }

    pub(super) fn bias(&self) -> &'a [Group] {
        self.lanes(self.places.bias)
    }

    #[inline(always)]
    pub(super) fn reference(&self) -> &'a [Group] {
        self.lanes(self.places.reference)
    }
}

/// An axis of the coordinates.
#[derive(Clone, Copy)]
pub(super) enum Axis {
    U,
    V,
    R,
}

/// The groups of each result channel; none of a channel that is not returned.
pub(super) struct Target<'o>([&'o mut [Group]; 4]);

impl<'o> Target<'o> {
    /// Cuts the response `out` into channels of `stride` bytes; those in `mask` are there.
    #[inline(always)]
    pub(super) fn new(mut out: &'o mut [u8], stride: u16, mask: u8) -> Self {
        let mut channels: [&mut [Group]; 4] = Default::default();
        for (channel, target) in (0..).zip(&mut channels) {
            if mask >> channel & 1 == 1
                && let Some((first, rest)) = core::mem::take(&mut out).split_at_mut_checked(stride.into())
            {
                (*target, _) = first.as_chunks_mut();
                out = rest;
            }
        }
        Self(channels)
    }

    /// The first groups of all channels.
    #[inline(always)]
    pub(super) fn groups(&mut self, n: usize) -> Option<Target<'_>> {
        let [r, g, b, a] = &mut self.0;
        Some(Target([r.get_mut(..n)?, g.get_mut(..n)?, b.get_mut(..n)?, a.get_mut(..n)?]))
    }

    /// One group of all channels.
    #[inline(always)]
    pub(super) fn group(&mut self, group: usize) -> Option<One<'_>> {
        let [r, g, b, a] = &mut self.0;
        Some(One([r.get_mut(group)?, g.get_mut(group)?, b.get_mut(group)?, a.get_mut(group)?]))
    }

    /// Writes a group. `nan`: results can be NaN.
    #[inline(always)]
    pub(super) fn store(&mut self, group: usize, values: &[F4; 4], nan: bool) {
        if let Some(mut one) = self.group(group) {
            one.store(values, nan);
        }
    }

    /// Writes one lane.
    #[cold]
    pub(super) fn store_lane(&mut self, lane: usize, texel: Texel) {
        for (target, bits) in self.0.iter_mut().zip(texel) {
            if let Some(target) = target.as_flattened_mut().as_chunks_mut::<4>().0.get_mut(lane) {
                *target = canonical(bits).to_le_bytes();
            }
        }
    }
}

/// One group of a result.
pub(super) struct One<'o>([&'o mut Group; 4]);

impl One<'_> {
    #[inline(always)]
    pub(super) fn store(&mut self, values: &[F4; 4], nan: bool) {
        for (target, lanes) in self.0.iter_mut().zip(values) {
            let bits = lanes.map(f32::to_bits);
            if nan { bits.map(canonical) } else { bits }.write(target);
        }
    }
}

/// All lanes and channels of a result, on their way to registers that take some of them.
pub(super) struct Scratch([[Group; 32 / LANES]; 4]);

impl Scratch {
    pub(super) const fn new() -> Self {
        Self([[[0; BYTES]; 32 / LANES]; 4])
    }

    pub(super) fn target(&mut self) -> Target<'_> {
        Target(self.0.each_mut().map(|channel| channel.as_mut_slice()))
    }

    /// Copies `lanes` of the channels that `select` names; [`None`]: each its own.
    pub(super) fn copy(&self, target: &mut Target<'_>, lanes: u32, select: Option<[Select; 4]>) {
        let select = select.unwrap_or([0, 1, 2, 3].map(Select::Channel));
        for (target, select) in target.0.iter_mut().zip(select) {
            let constant;
            let source = match select {
                Select::Constant(bits) => {
                    constant = [Lanes::splat(bits).bytes(); 32 / LANES];
                    Some(&constant)
                }
                Select::Channel(channel) => self.0.get(usize::from(channel)),
            };
            let (target, _) = target.as_flattened_mut().as_chunks_mut::<4>();
            let (source, _) = source.map_or(&[] as &[Group], |groups| groups).as_flattened().as_chunks::<4>();
            for (lane, (target, source)) in target.iter_mut().zip(source).enumerate() {
                if lanes >> (lane & 31) & 1 == 1 {
                    *target = *source;
                }
            }
        }
    }
}
