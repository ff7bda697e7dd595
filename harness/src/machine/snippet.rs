//! Runs a few instructions on a register file, without a launch: for tests of their semantics.

use super::error::Result;
use super::interpreter::Stop;
use super::memory::LaunchMemory;
use super::program::{Action, Program};
use super::registers::Registers;
use super::thread::{Environment, LocalMemory, Thread};
use super::watch::{Watch, WatchOptions};

/// Bytes of local memory and of scratch that a snippet has.
const MEMORY: usize = 1024;

/// Executes `program` until its end of thread, and returns the registers.
///
/// `dispatch` is the dispatch mask. The only memory is local memory and scratch; there are no surfaces and no sampler.
///
/// # Errors
/// An instruction that cannot be executed; more than `max_instructions` instructions.
pub fn execute(
    program: &Program,
    registers: Registers,
    dispatch: u32,
    max_instructions: u64,
) -> Result<Registers> {
    let memory = LaunchMemory::default();
    let environment =
        Environment { memory: &memory, surfaces: &[], max_instructions, strict: false, sampler: None };
    let mut thread = Thread::new(registers, dispatch, MEMORY, MEMORY as u32);
    thread.local = LocalMemory::new(MEMORY);
    let mut watch = Watch::new(&WatchOptions::default());
    loop {
        match thread.run(program, &environment, &mut watch, u64::MAX >> 1)? {
            Stop::End => return Ok(thread.registers),
            // The only thread of its group: the barrier opens at once.
            Stop::Barrier => thread.released = true,
            Stop::Share => {}
        }
    }
}

impl Program {
    /// Returns the program without its vector kernels: every instruction is executed lane by lane, in the general path.
    #[must_use]
    pub fn general(mut self) -> Self {
        for instruction in &mut self.instructions {
            if let Action::Alu(compute) = &mut instruction.action {
                compute.kernel = None;
            }
        }
        self
    }
}
