//! Memory as a lane reads it: bytes, null pages, and unmapped addresses that fault.

use crate::emulator::numbers::Texel;
use crate::engine::{Byte, ByteMemory};
use std::cell::{Cell, RefCell};

/// A texel of a lane's footprint, as it is recorded for reports.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TexelUse {
    /// Mip level, counted from the view's first one.
    pub level: u64,
    /// Slice, counted from the view's first one: array layer, cube face, sample plane, or z of a 3D surface.
    pub slice: u64,
    /// Column; of a BUFFER or STRBUF the number of the texel.
    pub x: u64,
    /// Row.
    pub y: u64,
    /// Address of the first byte of its element (planar formats: of its luma); `None`: the texel is the border colour.
    pub address: Option<u64>,
    /// R, G, B, A.
    pub value: Texel,
    /// Its weight in the lane's result.
    pub weight: f64,
}

/// The memory that one lane reads, and what the oracle notes about the lane while it reads.
#[derive(Debug)]
pub struct LaneMemory<'a> {
    contents: &'a dyn ByteMemory,
    /// The lane has read a null page.
    pub null: Cell<bool>,
    /// The lane has read an unmapped address.
    pub fault: Cell<bool>,
    /// See [`super::sample::ExactLane`].
    pub tolerance: Cell<[f64; 4]>,
    /// See [`super::sample::ExactLane`].
    pub slack: Cell<[f64; 3]>,
    /// See [`super::sample::ExactLane`].
    pub unconditioned: Cell<bool>,
    /// How far the filter weights of the last footprint may be off in f32.
    pub slope: Cell<f64>,
    /// The texels of the lane's footprints; `None`: they are not recorded.
    pub uses: RefCell<Option<Vec<TexelUse>>>,
    /// The weight of the footprint being read (one tap on one mip level) in the lane's result.
    pub share: Cell<f64>,
}

impl<'a> LaneMemory<'a> {
    /// Makes the memory of one lane, with nothing noted yet.
    pub fn new(contents: &'a dyn ByteMemory) -> Self {
        Self {
            contents,
            null: Cell::new(false),
            fault: Cell::new(false),
            tolerance: Cell::new([0.0; 4]),
            slack: Cell::new([0.0; 3]),
            unconditioned: Cell::new(false),
            slope: Cell::new(0.0),
            uses: RefCell::new(None),
            share: Cell::new(1.0),
        }
    }

    /// Records a texel of a footprint if texels are recorded; `texel` gives it with its weight in the footprint.
    pub fn note(&self, texel: impl FnOnce() -> TexelUse) {
        if let Some(uses) = self.uses.borrow_mut().as_mut() {
            let texel = texel();
            uses.push(TexelUse { weight: texel.weight * self.share.get(), ..texel });
        }
    }

    /// Returns the bytes of an element. `None`: one is not mapped (this sets `fault`), or else is on a null page (this sets `null`).
    pub fn read(&self, addresses: &[u64]) -> Option<Vec<u8>> {
        let mut bytes = Vec::with_capacity(addresses.len());
        let mut null = false;
        for &address in addresses {
            match self.contents.byte(address) {
                Byte::Mapped(byte) => bytes.push(byte),
                Byte::Null => null = true,
                Byte::Fault => {
                    self.fault.set(true);
                    return None;
                }
            }
        }
        if null {
            self.null.set(true);
            return None;
        }
        Some(bytes)
    }
}
