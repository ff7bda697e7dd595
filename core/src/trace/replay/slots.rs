//! A map from numbers to values, with room for `N` of them.

use crate::error::{Error, Kind, Result, What};
use heapless::Vec;

/// A table from numbers to values, filled in any order.
#[derive(Clone, Debug)]
pub(super) struct Slots<T, const N: usize>(Vec<(u32, T), N>);

impl<T, const N: usize> Slots<T, N> {
    pub(super) const fn new() -> Self {
        Self(Vec::new())
    }

    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// Sets slot `number`, replacing what it held.
    pub(super) fn set(&mut self, number: u32, value: T) -> Result<()> {
        if let Some((_, slot)) = self.0.iter_mut().find(|(at, _)| *at == number) {
            *slot = value;
            return Ok(());
        }
        let full = Error::new(Kind::Capacity, What::Slot).value(N as u64 + 1);
        self.0.push((number, value)).map_err(|_| full)
    }

    pub(super) fn get(&self, number: u32) -> Option<&T> {
        self.0.iter().find(|(at, _)| *at == number).map(|(_, value)| value)
    }
}
