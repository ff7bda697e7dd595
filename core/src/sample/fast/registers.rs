//! Registers of a message: parameters in, results out.

use super::super::bind::Select;
use super::super::execute::canonical;
use super::simd::{BYTES, F4, LANES, Lanes};
use crate::message::{Message, Op, OpFlags, Param, Payload, Width};

/// The bytes of a group's lanes.
pub(super) type Group = [u8; BYTES];

/// Groups of the widest message.
pub(super) const GROUPS: usize = 32 / LANES;

/// What an operation is, and which of its parameters is which; [`NONE`] is none of them.
#[derive(Clone, Copy)]
struct Places {
    flags: OpFlags,
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
            flags: op.flags(),
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
static ABSENT: [Group; GROUPS] = [[0; BYTES]; GROUPS];

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
        let simd = usize::from(message.simd);
        let fits = places.min_lod >= message.params && payload.shortest() >= simd.wrapping_mul(4);
        fits.then_some(Self { payload, places, params: message.params, groups: simd / LANES })
    }

    #[inline(always)]
    pub(super) fn flags(&self) -> OpFlags {
        self.places.flags
    }

    /// As many groups of a parameter as the message has.
    #[inline(always)]
    fn lanes(&self, place: u8) -> Option<&'a [Group]> {
        if place >= self.params {
            return None;
        }
        let (groups, _) = self.payload.slot(place.into()).as_chunks();
        groups.get(..self.groups)
    }

    /// U, V, R.
    #[inline(always)]
    pub(super) fn coordinate(&self, axis: Axis) -> Option<&'a [Group]> {
        let [u, v, r] = self.places.coordinates;
        self.lanes(match axis {
            Axis::U => u,
            Axis::V => v,
            Axis::R => r,
        })
    }

    #[inline(always)]
    pub(super) fn reference(&self) -> Option<&'a [Group]> {
        self.lanes(self.places.reference)
    }

    /// U, V, R, or zeros.
    pub(super) fn index(&self, axis: Axis) -> &'a [Group] {
        self.coordinate(axis).unwrap_or(&ABSENT)
    }

    /// Array index of a cube, or zeros.
    pub(super) fn layer(&self) -> &'a [Group] {
        self.lanes(self.places.layer).unwrap_or(&ABSENT)
    }

    /// LOD, or zeros.
    pub(super) fn lod(&self) -> &'a [Group] {
        self.lanes(self.places.lod).unwrap_or(&ABSENT)
    }

    /// Bias, or zeros.
    pub(super) fn bias(&self) -> &'a [Group] {
        self.lanes(self.places.bias).unwrap_or(&ABSENT)
    }
}

/// An axis of the coordinates.
#[derive(Clone, Copy)]
pub(super) enum Axis {
    U,
    V,
    R,
}

/// A result of four channels: where they are.
pub(super) struct Registers<'o> {
    pub(super) groups: &'o mut [Group],
    /// From one channel to the next.
    pub(super) stride: usize,
}

impl Registers<'_> {
    /// The first groups of all channels.
    #[inline(always)]
    pub(super) fn channels(&mut self, n: usize) -> Option<Target<'_>> {
        let (r, rest) = self.groups.split_at_mut_checked(self.stride)?;
        let (g, rest) = rest.split_at_mut_checked(self.stride)?;
        let (b, a) = rest.split_at_mut_checked(self.stride)?;
        Some(Target([r.get_mut(..n)?, g.get_mut(..n)?, b.get_mut(..n)?, a.get_mut(..n)?]))
    }
}

/// The groups of each channel of a result.
pub(super) struct Target<'o>([&'o mut [Group]; 4]);

impl Target<'_> {
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
pub(super) struct Scratch([Group; 4 * GROUPS]);

impl Scratch {
    pub(super) const fn new() -> Self {
        Self([[0; BYTES]; 4 * GROUPS])
    }

    pub(super) const fn registers(&mut self) -> Registers<'_> {
        Registers { groups: &mut self.0, stride: GROUPS }
    }

    /// Copies `lanes` of what `select` names to `out`, for each channel in `mask`; `stride`: bytes of a channel.
    pub(super) fn copy(&self, out: &mut [u8], stride: usize, mask: u8, lanes: u32, select: [Select; 4]) {
        let mut rest = out;
        for (channel, select) in select.into_iter().enumerate() {
            if mask >> channel & 1 == 0 {
                continue;
            }
            let Some((target, next)) = core::mem::take(&mut rest).split_at_mut_checked(stride) else {
                return;
            };
            rest = next;
            let constant;
            let source = match select {
                Select::Constant(bits) => {
                    constant = [Lanes::splat(bits).bytes(); GROUPS];
                    constant.as_slice()
                }
                Select::Channel(channel) => self.0.chunks(GROUPS).nth(channel.into()).unwrap_or_default(),
            };
            let (target, _) = target.as_chunks_mut::<4>();
            let (source, _) = source.as_flattened().as_chunks::<4>();
            for (lane, (target, source)) in target.iter_mut().zip(source).enumerate() {
                if lanes >> (lane & 31) & 1 == 1 {
                    *target = *source;
                }
            }
        }
    }
}
