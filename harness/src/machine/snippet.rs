//! Runs a few instructions on registers alone: for tests of their semantics.

use super::error::{Fault, Result};
use super::flow::Flow;
use super::interpreter::Stop;
use super::memory::Memory;
use super::outside::Outside;
use super::program::{Action, Program};
use super::registers::Registers;
use super::thread::{Environment, Local, Thread};
use super::watch::{Options, Watch};
use texwire::Platform;

/// Bytes of local memory and of scratch that a snippet has.
const MEMORY: usize = 1024;

/// Executes `code` until its end of thread, and gives the registers.
///
/// `dispatch` are the channels that are on. There is no memory but local memory and scratch, and no surface.
///
/// # Errors
/// What an instruction could not do; more than `max_instructions`.
pub fn run(
    platform: Platform,
    code: &[u8],
    registers: Registers,
    dispatch: u32,
    max_instructions: u64,
) -> Result<Registers> {
    let program = Program::new(platform, code);
    execute(&program, registers, dispatch, max_instructions)
}

/// The same of a prepared program.
///
/// # Errors
/// As [`run`].
pub fn execute(
    program: &Program,
    registers: Registers,
    dispatch: u32,
    max_instructions: u64,
) -> Result<Registers> {
    let memory = Memory::default();
    let environment =
        Environment { memory: &memory, surfaces: &[], max_instructions, strict: false, sampler: None };
    let mut thread = Thread {
        registers,
        flow: Flow::new(dispatch),
        scratch: vec![0; MEMORY],
        scratch_base: MEMORY as u32,
        local: Local::new(MEMORY),
        device: None,
        number: 0,
        offset: 0,
        record: false,
        records: Vec::new(),
        executed: 0,
        outside: Outside::default(),
        signalled: false,
        released: false,
        ended: false,
    };
    let mut watch = Watch::new(&Options::default());
    loop {
        match thread.run(program, &environment, &mut watch, u64::MAX >> 1)? {
            Stop::End => return Ok(thread.registers),
            // Alone in its group: the barrier is open.
            Stop::Barrier => thread.released = true,
            Stop::Share if thread.executed >= max_instructions => {
                return Err(Fault::new("thread runs too long", format!("{max_instructions} instructions")));
            }
            Stop::Share => {}
        }
    }
}

impl Program {
    /// The same program without loops over all lanes: every instruction goes the general way.
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
