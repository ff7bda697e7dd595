//! Heaps and tables of state in the caller's memory.

use super::key::{MessageKey, has_border};
use crate::error::{Error, Kind, Result, What};
use crate::memory::{Access, Memory};
use crate::message::{Binding, Message};
use crate::state::{BindingTableEntry, BorderColor, InterfaceDescriptor, SamplerState, SurfaceState};

/// Base addresses (STATE_BASE_ADDRESS) and the pointers of a thread's tables.
///
/// | what | where |
/// |---|---|
/// | binding table entry `i` | `surface_state + binding_table + 4 i` |
/// | surface state of an entry | `surface_state` + the entry |
/// | bindless surface state | `bindless_surface_state` + the handle's offset |
/// | sampler state `i` | `dynamic_state + sampler_table + 16 i`; of a message header: `dynamic_state` + its pointer `+ 16 i` |
/// | bindless sampler state | `bindless_sampler_state` + the handle's offset |
/// | border colour | `dynamic_state` + the sampler state's pointer |
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Heaps {
    /// Surface State Base Address.
    pub surface_state: u64,
    /// Dynamic State Base Address.
    pub dynamic_state: u64,
    /// Bindless Surface State Base Address.
    pub bindless_surface_state: u64,
    /// Bindless Sampler State Base Address (Gen11 on; earlier drivers mean the dynamic state base).
    pub bindless_sampler_state: u64,
    /// Binding Table Pointer: an offset from surface state base, a multiple of 32.
    pub binding_table: u32,
    /// Sampler State Pointer: an offset from dynamic state base, a multiple of 32.
    pub sampler_table: u32,
}

impl Heaps {
    /// Returns the heaps with the binding table and the sampler table that the descriptor of a compute thread names.
    #[must_use]
    pub fn with_interface_descriptor(mut self, descriptor: &InterfaceDescriptor) -> Self {
        self.binding_table = descriptor.binding_table();
        self.sampler_table = descriptor.sampler_table();
        self
    }

    /// Returns the address of the surface state that a message names.
    ///
    /// # Errors
    /// `Fault BindingEntry` when the entry's memory is not mapped; `Unsupported BindingEntry` for
    /// [`Binding::Unresolved`].
    #[inline]
    pub fn surface_address<M: Memory + ?Sized>(&self, binding: Binding, memory: &M) -> Result<u64> {
        match binding {
            Binding::Index(index) => {
                let offset = (BindingTableEntry::BYTES as u64).wrapping_mul(index.into());
                let table = self.surface_state.wrapping_add(self.binding_table.into());
                let entry = read(memory, table.wrapping_add(offset), What::BindingEntry)
                    .map_err(|error| error.at(offset as usize))?;
                let entry = BindingTableEntry::from_bytes(&entry);
                Ok(self.surface_state.wrapping_add(entry.surface_offset().into()))
            }
            // Bits 31:12 of a handle are bits 25:6 of the offset.
            Binding::Bindless(handle) => {
                let offset = (handle & crate::eu::descriptor::HANDLE_MASK) >> 6;
                Ok(self.bindless_surface_state.wrapping_add(offset.into()))
            }
            Binding::Unresolved => Err(Error::new(Kind::Unsupported, What::BindingEntry)),
        }
    }

    /// Reads the surface state that a message names.
    ///
    /// # Errors
    /// As [`surface_address`](Self::surface_address); `Fault SurfaceState` when the state's memory is not mapped.
    #[inline]
    pub fn surface<M: Memory + ?Sized>(&self, binding: Binding, memory: &M) -> Result<SurfaceState> {
        let address = self.surface_address(binding, memory)?;
        Ok(SurfaceState::from_bytes(&read(memory, address, What::SurfaceState)?))
    }

    /// Returns the address of the sampler state that a message names, with a sampler table `table` bytes from dynamic state base.
    ///
    /// # Errors
    /// `Unsupported SamplerState` for [`Binding::Unresolved`].
    #[inline]
    pub fn sampler_address(&self, binding: Binding, table: u32) -> Result<u64> {
        match binding {
            Binding::Index(index) => {
                let offset = (SamplerState::BYTES as u64).wrapping_mul(index.into());
                Ok(self.dynamic_state.wrapping_add(table.into()).wrapping_add(offset))
            }
            // Bits 31:5 are the offset; bit 0 only marks a handle.
            Binding::Bindless(handle) => Ok(self.bindless_sampler_state.wrapping_add((handle & !31).into())),
            Binding::Unresolved => Err(Error::new(Kind::Unsupported, What::SamplerState)),
        }
    }

    /// Reads the sampler state that a message names, and its border colour (transparent black for a sampler that uses no
    /// border: the colour's memory is not read then).
    ///
    /// # Errors
    /// As [`sampler_address`](Self::sampler_address); `Fault SamplerState` or `BorderColor` when their memory is not
    /// mapped.
    #[inline]
    pub fn sampler<M: Memory + ?Sized>(
        &self,
        binding: Binding,
        table: u32,
        memory: &M,
    ) -> Result<(SamplerState, BorderColor)> {
        let address = self.sampler_address(binding, table)?;
        let state = SamplerState::from_bytes(&read(memory, address, What::SamplerState)?);
        if !has_border(&state) {
            return Ok((state, BorderColor::default()));
        }
        let colour = read(memory, self.border_address(&state), What::BorderColor)?;
        Ok((state, BorderColor::from_bytes(&colour)))
    }

    /// Reads the states that a message names, with a sampler table `sampler_table` bytes from dynamic state base; no sampler for operations
    /// that use none.
    #[inline]
    pub(super) fn states<M: Memory + ?Sized>(
        &self,
        message: &Message,
        sampler_table: u32,
        memory: &M,
    ) -> Result<(SurfaceState, Option<(SamplerState, BorderColor)>)> {
        let surface = self.surface(message.surface, memory)?;
        let sampler = if message.op.flags().sampler {
            Some(self.sampler(message.sampler, sampler_table, memory)?)
        } else {
            None
        };
        Ok((surface, sampler))
    }

    /// Returns the address of a sampler's border colour.
    #[inline(always)]
    fn border_address(&self, state: &SamplerState) -> u64 {
        self.dynamic_state.wrapping_add(state.border_offset().into())
    }

    /// Returns true if the states that a message names are those of `key`. They are compared in place where the memory hands out slices.
    /// A state whose memory is not mapped is not the same.
    #[inline(always)]
    pub(super) fn hold<M: Memory + ?Sized>(
        &self,
        key: &MessageKey,
        message: &Message,
        sampler_table: u32,
        memory: &M,
    ) -> bool {
        let held = self.compared::<true, M>(key, message, sampler_table, memory);
        held.unwrap_or_else(|| self.hold_when_read(key, message, sampler_table, memory))
    }

    /// [`hold`](Self::hold) for memory that hands out no slices.
    // inline(never): keeps this frame off the stack for memory that hands out slices.
    #[inline(never)]
    fn hold_when_read<M: Memory + ?Sized>(
        &self,
        key: &MessageKey,
        message: &Message,
        sampler_table: u32,
        memory: &M,
    ) -> bool {
        self.compared::<false, M>(key, message, sampler_table, memory) == Some(true)
    }

    /// Returns whether memory holds the states of `key`; `None` if they are compared `IN_PLACE` and memory hands out no slice of one.
    #[inline(always)]
    fn compared<const IN_PLACE: bool, M: Memory + ?Sized>(
        &self,
        key: &MessageKey,
        message: &Message,
        sampler_table: u32,
        memory: &M,
    ) -> Option<bool> {
        let Ok(surface) = self.surface_address(message.surface, memory) else { return Some(false) };
        if !holds::<IN_PLACE, M, _>(memory, surface, &key.surface.dwords)? {
            return Some(false);
        }
        let Some((sampler, colour)) = &key.sampler else { return Some(true) };
        let Ok(address) = self.sampler_address(message.sampler, sampler_table) else { return Some(false) };
        if !holds::<IN_PLACE, M, _>(memory, address, &sampler.dwords)? {
            return Some(false);
        }
        if !key.border {
            return Some(true);
        }
        holds::<IN_PLACE, M, _>(memory, self.border_address(sampler), &colour.dwords)
    }
}

/// Returns whether memory holds `dwords` at `address`. It compares `IN_PLACE`, in a slice that the memory hands out (`None` if it hands
/// out none), or in a copy of the bytes.
#[inline(always)]
fn holds<const IN_PLACE: bool, M: Memory + ?Sized, const N: usize>(
    memory: &M,
    address: u64,
    dwords: &[u32; N],
) -> Option<bool> {
    if IN_PLACE {
        return memory.slice(address, N * 4).map(|bytes| equal(bytes, dwords));
    }
    let mut bytes = [[0; 4]; N];
    let access = memory.read(address, bytes.as_flattened_mut());
    Some(access == Access::Mapped && equal(bytes.as_flattened(), dwords))
}

/// Returns true if `bytes` are `dwords` in little-endian order.
// Compares all of them, without a branch at each: the difference of 16 dwords is a few vector instructions.
#[inline(always)]
fn equal<const N: usize>(bytes: &[u8], dwords: &[u32; N]) -> bool {
    let Some(bytes) = bytes.as_chunks::<4>().0.first_chunk::<N>() else { return false };
    let differences = bytes.iter().zip(dwords).map(|(bytes, dword)| u32::from_le_bytes(*bytes) ^ dword);
    differences.fold(0, |all, difference| all | difference) == 0
}

/// Reads a state of `N` bytes at `address`; the error names it by `what`.
#[inline]
pub(super) fn read<const N: usize, M: Memory + ?Sized>(
    memory: &M,
    address: u64,
    what: What,
) -> Result<[u8; N]> {
    let mut bytes = [0; N];
    match memory.read(address, &mut bytes) {
        Access::Mapped => Ok(bytes),
        Access::NullPage | Access::Fault => Err(Error::new(Kind::Fault, what).value(address)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::LinearMemory;
    use crate::state::AddressMode;
    use std::vec;

    #[test]
    fn tables_lead_to_states() {
        let mut bytes = vec![0; 0x400];
        // Entry 2 of the table at 0x20 leads to 0x80; sampler 1 of the table at 0x200 has a border at 0x340.
        bytes[0x28..0x2c].copy_from_slice(&0x80u32.to_le_bytes());
        bytes[0x80] = 7;
        let mut sampler = SamplerState::default();
        sampler.set_address_modes([AddressMode::ClampBorder; 3]).set_border_offset(0x40);
        bytes[0x310..0x320].copy_from_slice(&sampler.to_bytes());
        bytes[0x340] = 9;
        let memory = LinearMemory { base: 0x1000, bytes: &bytes };
        let heaps = Heaps {
            surface_state: 0x1000,
            dynamic_state: 0x1300,
            bindless_surface_state: 0x1000,
            bindless_sampler_state: 0x1300,
            binding_table: 0x20,
            sampler_table: 0,
        };
        let surface = heaps.surface(Binding::Index(2), &memory);
        assert_eq!(surface.map(|state| state.dwords[0]), Ok(7));
        assert_eq!(heaps.surface(Binding::Bindless(2 << 12 | 0x42), &memory), surface);
        let found = heaps.sampler(Binding::Index(1), 0, &memory);
        assert_eq!(found.map(|(state, border)| (state, border.red())), Ok((sampler, 9)));
        let missing = heaps.surface(Binding::Index(0x400), &memory).unwrap_err();
        assert_eq!(
            (missing.what(), missing.found(), missing.offset()),
            (What::BindingEntry, 0x2020, Some(0x1000))
        );
        let missing = heaps.surface(Binding::Bindless(0x400 << 12), &memory).unwrap_err();
        assert_eq!((missing.what(), missing.found()), (What::SurfaceState, 0x1_1000));
        let missing = heaps.sampler(Binding::Index(0x10), 0, &memory).unwrap_err();
        assert_eq!((missing.what(), missing.found()), (What::SamplerState, 0x1400));
        assert_eq!(heaps.surface(Binding::Unresolved, &memory).map_err(|e| e.kind()), Err(Kind::Unsupported));
    }

    #[test]
    fn states_differ_by_any_bit() {
        for value in [0, 0x1234_5678, u32::MAX] {
            let dwords = [value; 4];
            let bytes = value.to_le_bytes().repeat(4);
            assert!(equal(&bytes, &dwords) && !equal(&bytes[1..], &dwords));
            for bit in 0..128 {
                let mut other = bytes.clone();
                other[bit / 8] ^= 1 << (bit % 8);
                assert!(!equal(&other, &dwords), "{value:#x}, bit {bit}");
            }
        }
    }
}
