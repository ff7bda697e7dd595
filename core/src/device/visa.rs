//! Executing vISA sampler instructions on the variables of a thread.

use super::{Completion, Device};
use crate::bits::copy_front;
use crate::error::{Error, Kind, Result, What};
use crate::memory::Memory;
use crate::message::{Binding, MAX_RESPONSE};
use crate::visa::{Registers, SamplerInstruction, Symbols};

/// Write access to the variables of a thread that executes vISA, and what its surface and sampler variables hold.
pub trait VisaThread: Registers {
    /// Returns `len` bytes of `variable` from byte `offset` on, as [`Registers::bytes`] does.
    fn bytes_mut(&mut self, variable: u32, offset: usize, len: usize) -> Option<&mut [u8]>;

    /// Returns what surface variable `index` holds; by default the binding table's entry with the same index.
    fn surface(&self, index: u32) -> Binding {
        Binding::Index(index)
    }

    /// Returns what sampler variable `index` holds; by default the sampler table's entry with the same index.
    fn sampler(&self, index: u32) -> Binding {
        Binding::Index(index)
    }
}

impl<const TEXTURES: usize, const SAMPLERS: usize> Device<'_, TEXTURES, SAMPLERS> {
    /// Executes a sampler instruction: takes its parameters from the thread's variables and writes its result there.
    /// Inactive lanes and channels that are not returned keep what the destination held. `dispatch` has bit n for lane n of the thread.
    ///
    /// # Errors
    /// No variable is written then. As [`SamplerInstruction::lower_registers`] and [`execute`](Self::execute); `Invalid Registers`
    /// with the variable's number when the destination is not there.
    pub fn visa<M: Memory + ?Sized>(
        &mut self,
        instruction: &SamplerInstruction<'_>,
        symbols: &impl Symbols,
        dispatch: u32,
        thread: &mut impl VisaThread,
        memory: &M,
    ) -> Result<Completion> {
        let mut result = [0; MAX_RESPONSE];
        let (mut message, payload) =
            instruction.lower_registers(self.executor.platform(), dispatch, symbols, &*thread)?;
        if let Binding::Index(index) = message.surface {
            message.surface = thread.surface(index);
        }
        if let Binding::Index(index) = message.sampler {
            message.sampler = thread.sampler(index);
        }
        let destination = instruction.destination(&message);
        let missing = |variable: u32| Error::new(Kind::Invalid, What::Registers).value(variable.into());
        if let Some((variable, offset, len)) = destination {
            copy_front(&mut result, thread.bytes(variable, offset, len).ok_or(missing(variable))?);
        }
        let outcome = self.execute(&message, &payload, memory, &mut result)?;
        if let Some((variable, offset, len)) = destination {
            copy_front(thread.bytes_mut(variable, offset, len).ok_or(missing(variable))?, &result);
        }
        Ok(Completion { message, outcome })
    }
}
