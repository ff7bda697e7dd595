//! A small cache of the values made from the last keys.

use crate::error::{Error, Kind, Result, What};
use heapless::Vec;

/// A key with the value made of it, and when it was last asked for.
#[derive(Clone, Copy, Debug)]
struct Entry<K, V> {
    key: K,
    value: V,
    used: u32,
}

/// At most `N` values; the one that was not asked for the longest makes room.
#[derive(Clone, Debug)]
pub(super) struct Recent<K, V, const N: usize> {
    entries: Vec<Entry<K, V>, N>,
    /// The entry of the last answer: messages of a loop ask for the same one again.
    last: usize,
    clock: u32,
}

impl<K: Copy + PartialEq, V, const N: usize> Recent<K, V, N> {
    pub(super) const fn new() -> Self {
        const { assert!(N > 0, "a device keeps at least one texture and one sampler") };
        Self { entries: Vec::new(), last: 0, clock: 0 }
    }

    pub(super) fn clear(&mut self) {
        self.entries.clear();
    }

    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// The value of `key`, made by `make` unless it is there.
    #[inline]
    pub(super) fn get(&mut self, key: &K, make: impl FnOnce() -> Result<V>) -> Result<&mut V> {
        let hit = self.entries.get(self.last).is_some_and(|entry| entry.key == *key);
        if !hit {
            self.last = match self.entries.iter().position(|entry| entry.key == *key) {
                Some(index) => index,
                None => self.insert(*key, make()?),
            };
            self.clock = self.clock.wrapping_add(1);
        }
        let clock = self.clock;
        // The index is that of an entry: the error is never made.
        let entry = self.entries.get_mut(self.last).ok_or(Error::new(Kind::Capacity, What::Slot))?;
        entry.used = clock;
        Ok(&mut entry.value)
    }

    #[inline(never)]
    fn insert(&mut self, key: K, value: V) -> usize {
        let entry = Entry { key, value, used: self.clock };
        let Err(entry) = self.entries.push(entry) else { return self.entries.len().saturating_sub(1) };
        let age = |entry: &Entry<K, V>| self.clock.wrapping_sub(entry.used);
        let oldest = self.entries.iter().enumerate().max_by_key(|(_, entry)| age(entry));
        let index = oldest.map_or(0, |(index, _)| index);
        if let Some(place) = self.entries.get_mut(index) {
            *place = entry;
        }
        index
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_unused_makes_room() {
        let mut recent = Recent::<u32, u32, 2>::new();
        let mut made = std::vec::Vec::new();
        for key in [1, 2, 1, 3, 1, 2, 2] {
            let value = recent.get(&key, || {
                made.push(key);
                Ok(key * 10)
            });
            assert_eq!(value.map(|value| *value), Ok(key * 10));
        }
        assert_eq!((made, recent.len()), (std::vec![1, 2, 3, 2], 2));
        recent.clear();
        let failed = recent.get(&1, || Err(Error::new(Kind::Invalid, What::Slot)));
        assert!(failed.is_err() && recent.len() == 0);
    }
}
