//! The interpreter loop: runs the instructions of a thread until it ends, waits at a barrier or has used up its turn.

use super::alu::ComputeInstruction;
use super::error::{Error, Result};
use super::lanes::Lanes;
use super::message::{Effect, PreparedSend};
use super::program::{Action, PreparedInstruction, Program};
use super::registers::at;
use super::thread::{Environment, Thread};
use super::watch::Watch;

/// Why a thread stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// It waits at the barrier.
    Barrier,
    /// It has ended.
    End,
    /// It has executed its share of instructions: it is the other threads' turn.
    Share,
}

impl Thread {
    /// Runs the thread until it stops, for at most `share` instructions.
    ///
    /// # Errors
    /// An instruction that cannot be executed (the error has its offset), too many instructions, the end of the program.
    pub fn run(
        &mut self,
        program: &Program,
        environment: &Environment<'_>,
        watch: &mut Watch,
        share: u64,
    ) -> Result<Stop> {
        let share = self.executed.saturating_add(share).min(environment.max_instructions.saturating_add(1));
        loop {
            let Some(instruction) = program.instructions.get(self.flow.next as usize) else {
                return Err(self.past_end(program));
            };
            self.executed += 1;
            if self.executed >= share {
                if self.executed > environment.max_instructions {
                    return Err(too_long(environment, instruction));
                }
                self.executed -= 1;
                return Ok(Stop::Share);
            }
            let lanes = self.lanes(instruction);
            // A thread comes to the barrier's `wait` a second time when the barrier has opened: this is when it executes it.
            if watch.is_active() && !(self.is_held() && matches!(instruction.action, Action::Wait)) {
                watch.before(self, instruction, &lanes);
            }
            match &instruction.action {
                Action::Alu(compute) => {
                    self.compute(compute, &lanes, instruction.offset)
                        .map_err(|error| at_offset(error, instruction))?;
                    self.flow.advance();
                }
                Action::Jump(jump) => {
                    let taken = self.channels(instruction);
                    let uniform = self.predicate(instruction) & 1 == 1;
                    self.flow
                        .jump(jump, taken, uniform, &program.index, &mut self.registers)
                        .map_err(|error| at_offset(error, instruction))?;
                }
                Action::Send(message) => {
                    self.offset = instruction.offset;
                    self.send(message, environment, watch, lanes.execute)
                        .map_err(|error| at_offset(error, instruction))?;
                    if self.ended {
                        return Ok(Stop::End);
                    }
                    self.flow.advance();
                }
                Action::Wait => {
                    if !self.passes_barrier() {
                        self.executed -= 1;
                        return Ok(Stop::Barrier);
                    }
                    self.flow.advance();
                }
                Action::Nop => self.flow.advance(),
                Action::Broken(error) => return Err(Error::clone(error)),
            }
            if watch.is_active() {
                watch.after(self, instruction, &lanes);
            }
        }
    }

    /// Executes a message, which may end the thread or signal the barrier.
    #[inline]
    fn send(
        &mut self,
        message: &PreparedSend,
        environment: &Environment<'_>,
        watch: &mut Watch,
        execute: u32,
    ) -> Result<()> {
        let effect = message.execute(self, environment, execute)?;
        if watch.is_active() {
            watch.sent(message);
        }
        match effect {
            Effect::End => self.ended = true,
            Effect::Barrier => self.signalled = true,
            Effect::None => {}
        }
        Ok(())
    }

    /// Returns whether the thread passes the barrier: unless it has signalled it and the other threads of the group have not. A thread
    /// that passes can signal the next barrier.
    #[inline]
    fn passes_barrier(&mut self) -> bool {
        if self.is_held() {
            return false;
        }
        (self.signalled, self.released) = (false, false);
        true
    }

    #[cold]
    fn past_end(&self, program: &Program) -> Error {
        let why = match program.truncated {
            Some(offset) => format!("the code is cut off at {offset:#x}, before an end of thread"),
            None => "no instruction follows, and none has ended the thread".to_owned(),
        };
        let mut error = Error::new("end of the program", why);
        error.location.offset = program.instructions.last().map(|last| last.offset);
        error
    }

    /// Returns the predicate mask of the instruction, bit n for channel n of the thread, inverted if the instruction inverts it; all ones
    /// without a predicate.
    #[inline]
    fn predicate(&self, instruction: &PreparedInstruction) -> u32 {
        let execution = &instruction.execution;
        let control = execution.predicate;
        if control.code() == 0 {
            return u32::MAX;
        }
        let (register, subregister) = execution.flag;
        let shift = 16 * u32::from(subregister & 1);
        let flag = self.registers.flag(register) >> shift;
        let applied = if instruction.align16 {
            control.apply_align16(flag)
        } else {
            control.apply(flag, self.registers.flag(register ^ 1) >> shift)
        };
        if execution.inverse { !applied } else { applied }
    }

    /// Returns the mask of the active channels in the instruction's range whose predicate holds; bit n is channel n of the thread.
    #[inline]
    fn channels(&self, instruction: &PreparedInstruction) -> u32 {
        let execution = &instruction.execution;
        let own = (texwire::bits::mask(u32::from(execution.size)) as u32)
            .checked_shl(u32::from(execution.offset))
            .unwrap_or(0);
        self.flow.active & own & self.predicate(instruction)
    }

    /// Returns the execution mask of an instruction; bit 0 is its first channel.
    #[inline]
    fn lanes(&self, instruction: &PreparedInstruction) -> Lanes {
        let execution = &instruction.execution;
        let offset = u32::from(execution.offset);
        let size = texwire::bits::mask(u32::from(execution.size)) as u32;
        let on = if execution.no_mask { u32::MAX } else { self.flow.active };
        let on = on >> offset & size;
        let predicated = execution.predicate.code() != 0;
        let predicate = if predicated { self.predicate(instruction) >> offset } else { u32::MAX };
        let (flag, subregister) = execution.flag;
        Lanes {
            execute: on & predicate,
            on,
            predicate,
            flag_bit: offset + 16 * u32::from(subregister & 1),
            flag,
            predicated,
        }
    }

    #[inline]
    fn compute(&mut self, compute: &ComputeInstruction, lanes: &Lanes, offset: u32) -> Result<()> {
        let alu = &compute.alu;
        if let Some(kernel) = &compute.kernel
            && kernel.execute(alu, &mut self.registers, lanes)
        {
            return Ok(());
        }
        if alu.reads_state {
            self.write_state_registers(offset);
        }
        alu.execute_general(&mut self.registers, lanes)
    }

    /// Writes time stamp, channel enables and instruction pointer to the register array; `offset` is that of the instruction. Only
    /// instructions that read one of them need it ([`Alu::reads_state`](super::alu::instruction::Alu::reads_state)).
    fn write_state_registers(&mut self, offset: u32) {
        let executed = self.executed;
        self.registers.set_dword(at::TIME, executed as u32);
        self.registers.set_dword(at::TIME + 4, (executed >> 32) as u32);
        self.registers.set_dword(at::CHANNELS, self.flow.active);
        self.registers.set_dword(at::POINTER, offset);
    }
}

/// Returns the error of a thread that has executed as many instructions as it may.
#[cold]
fn too_long(environment: &Environment<'_>, instruction: &PreparedInstruction) -> Error {
    let why = format!("{} instructions (--max-instructions)", environment.max_instructions);
    at_offset(Error::new("thread runs too long", why), instruction)
}

fn at_offset(mut error: Error, instruction: &PreparedInstruction) -> Error {
    error.location.offset = Some(instruction.offset);
    error
}
