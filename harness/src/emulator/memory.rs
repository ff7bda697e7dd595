//! Memory: bytes, null pages, and holes that fault.

use crate::emulator::numbers::Texel;
use crate::engine::{Byte, Contents};
use std::cell::{Cell, RefCell};

/// A texel of a lane's footprint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TexelUse {
    /// Level of the view.
    pub level: u64,
    /// Slice, layer or z; column; row.
    pub slice: u64,
    /// Column.
    pub x: u64,
    /// Row.
    pub y: u64,
    /// Where its element starts; `None`: the border colour.
    pub address: Option<u64>,
    /// R, G, B, A.
    pub value: Texel,
    /// Its weight in the result.
    pub weight: f64,
}

/// Memory as one lane sees it, and what is found out on the way.
#[derive(Debug)]
pub struct Memory<'a> {
    contents: &'a dyn Contents,
    /// A null page was read.
    pub null: Cell<bool>,
    /// Something unmapped was read.
    pub fault: Cell<bool>,
    /// See [`super::sample::Lane`].
    pub tolerance: Cell<f64>,
    /// See [`super::sample::Lane`].
    pub slack: Cell<[f64; 3]>,
    /// See [`super::sample::Lane`].
    pub unconditioned: Cell<bool>,
    /// How far the weights of the last footprint may be off.
    pub slope: Cell<f64>,
    /// The texels of the footprints, when somebody wants to know.
    pub uses: RefCell<Option<Vec<TexelUse>>>,
    /// Weight of the footprint that is read, among the others of the lane.
    pub share: Cell<f64>,
}

impl<'a> Memory<'a> {
    /// For one lane.
    pub fn new(contents: &'a dyn Contents) -> Self {
        Self {
            contents,
            null: Cell::new(false),
            fault: Cell::new(false),
            tolerance: Cell::new(0.0),
            slack: Cell::new([0.0; 3]),
            unconditioned: Cell::new(false),
            slope: Cell::new(0.0),
            uses: RefCell::new(None),
            share: Cell::new(1.0),
        }
    }

    /// Notes a texel of a footprint, with its weight there.
    pub fn note(&self, texel: impl FnOnce() -> TexelUse) {
        if let Some(uses) = self.uses.borrow_mut().as_mut() {
            let texel = texel();
            uses.push(TexelUse { weight: texel.weight * self.share.get(), ..texel });
        }
    }

    /// The bytes of an element; `None` when one is on a null page or not mapped.
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
