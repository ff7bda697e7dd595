//! A small cache of the values that were made from the last keys. It predicts the next key by the order in which keys came before.

use crate::error::{Error, Kind, Result, What};
use heapless::Vec;

/// A key with the value made of it.
#[derive(Clone, Copy, Debug)]
struct CacheEntry<K, V> {
    key: K,
    value: V,
    /// The clock at its last use.
    used: u32,
    /// The index of the entry that was used after it the last time: messages of a loop come in the same order again.
    next: u16,
}

/// A cache of at most `N` values with their keys. When it is full, a new value replaces the least recently used one.
#[derive(Clone, Debug)]
pub(super) struct LruCache<K, V, const N: usize> {
    entries: Vec<CacheEntry<K, V>, N>,
    /// The index of the entry that was used last.
    last: u16,
    /// The index of the entry that is expected now.
    next: u16,
    clock: u32,
}

impl<K, V, const N: usize> LruCache<K, V, N> {
    pub(super) const fn new() -> Self {
        const { assert!(N <= 0xffff, "at most 65,535 textures and samplers are kept") };
        Self { entries: Vec::new(), last: 0, next: 0, clock: 0 }
    }

    pub(super) fn clear(&mut self) {
        self.entries.clear();
    }

    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns the value of the entry that is expected now, if `same` accepts its key. `None` leaves the cache as it is.
    #[inline(always)]
    pub(super) fn expected(&mut self, same: impl FnOnce(&K) -> bool) -> Option<&V> {
        let entry = self.entries.get_mut(usize::from(self.next)).filter(|entry| same(&entry.key))?;
        self.last = self.next;
        self.next = entry.next;
        self.clock = self.clock.wrapping_add(1);
        entry.used = self.clock;
        Some(&entry.value)
    }

    /// Returns the value whose key `same` accepts. If there is none, `make` makes it, with its key.
    pub(super) fn get(
        &mut self,
        same: impl FnMut(&K) -> bool,
        make: impl FnOnce() -> Result<(K, V)>,
    ) -> Result<&V> {
        let index = match self.entries.iter().map(|entry| &entry.key).position(same) {
            Some(index) => index as u16,
            None => {
                let (key, value) = make()?;
                self.insert(key, value)
            }
        };
        if let Some(before) = self.entries.get_mut(usize::from(self.last)) {
            before.next = index;
        }
        self.last = index;
        self.clock = self.clock.wrapping_add(1);
        // The index is that of an entry: this error does not occur.
        let entry = self.entries.get_mut(usize::from(index)).ok_or(Error::new(Kind::Capacity, What::Slot))?;
        entry.used = self.clock;
        self.next = entry.next;
        Ok(&entry.value)
    }

    #[inline(never)]
    fn insert(&mut self, key: K, value: V) -> u16 {
        let place = self.entries.len() as u16;
        let entry = CacheEntry { key, value, used: self.clock, next: place };
        let Err(entry) = self.entries.push(entry) else { return place };
        let age = |entry: &CacheEntry<K, V>| self.clock.wrapping_sub(entry.used);
        let oldest = self.entries.iter().enumerate().max_by_key(|(_, entry)| age(entry));
        let index = oldest.map_or(0, |(index, _)| index);
        if let Some(place) = self.entries.get_mut(index) {
            *place = CacheEntry { next: index as u16, ..entry };
        }
        index as u16
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_unused_makes_room() {
        let mut cache = LruCache::<u32, u32, 2>::new();
        let mut made = std::vec::Vec::new();
        for key in [1, 2, 1, 3, 1, 2, 2] {
            let value = cache.get(
                |kept| *kept == key,
                || {
                    made.push(key);
                    Ok((key, key * 10))
                },
            );
            assert_eq!(value.copied(), Ok(key * 10));
        }
        assert_eq!((made, cache.len()), (std::vec![1, 2, 3, 2], 2));
        cache.clear();
        let failed = cache.get(|kept| *kept == 1, || Err(Error::new(Kind::Invalid, What::Slot)));
        assert!(failed.is_err() && cache.len() == 0);
    }

    /// Keys that come in the same order again are expected: also a single key, and one in a replaced entry.
    #[test]
    fn the_next_key_of_a_loop_is_expected() {
        let mut cache = LruCache::<u32, u32, 3>::new();
        assert!(cache.expected(|_| true).is_none());
        let mut expected = std::vec::Vec::new();
        for key in [1, 1, 2, 3, 1, 2, 3, 1, 2, 3, 4, 4, 4, 2, 4] {
            let found = cache.expected(|kept| *kept == key).copied();
            expected.push(found.is_some());
            let found =
                found.map_or_else(|| cache.get(|kept| *kept == key, || Ok((key, key * 10))).copied(), Ok);
            assert_eq!(found, Ok(key * 10));
        }
        let want =
            [false, true, false, false, false, true, true, true, true, true, false, true, true, false, false];
        assert_eq!(expected, want);
    }
}
