//! Registers of a message: parameters in, results out.

use super::super::bind::Select;
use super::super::execute::canonical;
use super::Job;
use super::simd::{F8, Lanes, U8};
use crate::format::Texel;
use crate::message::{Message, Param, Payload};

/// The lanes of the parameters that the hot paths know; empty when the message has no such parameter.
#[derive(Clone, Copy, Default)]
pub(super) struct Slots<'a> {
    pub(super) coordinates: [&'a [u8]; 3],
    pub(super) layer: &'a [u8],
    pub(super) lod: &'a [u8],
    pub(super) bias: &'a [u8],
    pub(super) reference: &'a [u8],
}

impl<'a> Slots<'a> {
    /// `None` when a parameter is shorter than the message's lanes.
    pub(super) fn new(message: &Message, payload: &Payload<'a>) -> Option<Self> {
        let enough = usize::from(message.simd).wrapping_mul(4);
        let mut slots = Self::default();
        for (index, param) in message.present().iter().enumerate() {
            let lanes = payload.slot(index);
            if !lanes.is_empty() && lanes.len() < enough {
                return None;
            }
            let [u, v, r] = &mut slots.coordinates;
            match param {
                Param::U => *u = lanes,
                Param::V => *v = lanes,
                Param::R => *r = lanes,
                Param::Ai => slots.layer = lanes,
                Param::Lod => slots.lod = lanes,
                Param::Bias => slots.bias = lanes,
                Param::Ref => slots.reference = lanes,
                _ => {}
            }
        }
        Some(slots)
    }
}

impl Job<'_> {
    /// The channel select, and the registers of a group.
    #[inline(always)]
    pub(super) fn store(&self, out: &mut [u8], group: usize, active: u32, values: &[F8; 4], raw: bool) {
        let stride = usize::from(self.response.stride);
        let mut at = group.wrapping_mul(32);
        if self.whole && active == 0xff {
            for &lanes in values {
                let Some(target) = out.get_mut(at..).and_then(<[u8]>::first_chunk_mut::<32>) else { return };
                self.finished(lanes).write(target);
                at = at.wrapping_add(stride);
            }
            return;
        }
        let selects = self.texture.select;
        for (channel, select) in selects.into_iter().enumerate() {
            if !raw && !self.message.channels.contains(channel) {
                continue;
            }
            let lanes = if raw || self.texture.identity {
                values.get(channel).copied()
            } else {
                match select {
                    Select::Constant(bits) => Some(Lanes::splat(f32::from_bits(bits))),
                    Select::Channel(c) => values.get(usize::from(c)).copied(),
                }
            };
            let (Some(lanes), Some(target)) =
                (lanes, out.get_mut(at..).and_then(<[u8]>::first_chunk_mut::<32>))
            else {
                return;
            };
            at = at.wrapping_add(stride);
            let (chunks, _) = target.as_chunks_mut::<4>();
            for (lane, (target, bits)) in chunks.iter_mut().zip(self.finished(lanes).iter()).enumerate() {
                if active >> lane & 1 == 1 {
                    *target = bits.to_le_bytes();
                }
            }
        }
    }

    /// The bits that are written.
    #[inline(always)]
    fn finished(&self, lanes: F8) -> U8 {
        let bits = lanes.map(f32::to_bits);
        if self.nan { bits.map(canonical) } else { bits }
    }

    /// Lanes of a group on the general path.
    #[cold]
    pub(super) fn lanes(
        &self,
        out: &mut [u8],
        group: usize,
        mut lanes: u32,
        general: &mut dyn FnMut(usize) -> Texel,
    ) {
        while lanes != 0 {
            let lane = group.wrapping_mul(8).wrapping_add(lanes.trailing_zeros() as usize);
            lanes &= lanes.wrapping_sub(1);
            self.store_one(out, lane, general(lane));
        }
    }

    /// One lane of the general path.
    fn store_one(&self, out: &mut [u8], lane: usize, texel: Texel) {
        let mut at = lane.wrapping_mul(4);
        for (channel, bits) in texel.into_iter().enumerate() {
            if !self.whole && !self.message.channels.contains(channel) {
                continue;
            }
            if let Some(target) = out.get_mut(at..).and_then(<[u8]>::first_chunk_mut::<4>) {
                *target = canonical(bits).to_le_bytes();
            }
            at = at.wrapping_add(usize::from(self.response.stride));
        }
    }
}
