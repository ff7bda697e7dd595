//! A thread: it runs until it ends or waits at a barrier.

use super::alu::Alu;
use super::error::{Fault, Result};
use super::flow::Flow;
use super::image::{Buffer, Image, Surface};
use super::lanes::Lanes;
use super::memory::Memory;
use super::message::{Effect, SamplerRecord, read_little};
use super::outside::Outside;
use super::program::{Action, Instruction, Program};
use super::registers::{Registers, at};
use super::watch::Watch;
use texwire::Platform;
use texwire::device::{Device, Heaps};
use texwire::sample::Precision;

/// What all threads of a launch share.
#[derive(Debug)]
pub struct Environment<'e> {
    /// The kernel.
    pub program: &'e Program,
    /// Its memory.
    pub memory: &'e Memory,
    /// The binding table.
    pub surfaces: &'e [Surface],
    /// Instructions that a thread may execute.
    pub max_instructions: u64,
    /// An access outside a surface is a fault.
    pub strict: bool,
    /// What its sampler is made of; `None`: it has no sampler.
    pub sampler: Option<SamplerSetup>,
}

/// What a sampler is made of, when the first message asks for it.
#[derive(Clone, Copy, Debug)]
pub struct SamplerSetup {
    /// Where its state is.
    pub heaps: Heaps,
    /// Filter arithmetic.
    pub precision: Precision,
}

impl SamplerSetup {
    /// The sampler, with nothing bound.
    pub fn device(&self, platform: Platform) -> Box<SamplerDevice> {
        let mut device = Box::new(Device::new(platform, self.heaps));
        device.bound.set_precision(self.precision);
        device.bound.set_stages(crate::simd::best());
        device
    }
}

impl Environment<'_> {
    fn surface(&self, index: u8) -> Result<&Surface> {
        self.surfaces.get(usize::from(index)).ok_or_else(|| {
            let why = format!("entry {index} of {}", self.surfaces.len());
            Fault::new("surface outside the binding table", why)
        })
    }

    /// The buffer behind a binding table index; `None` for a null surface.
    #[inline]
    pub fn buffer(&self, index: u8) -> Result<Option<Buffer>> {
        match self.surface(index)? {
            Surface::Buffer(buffer) => Ok(Some(*buffer)),
            Surface::Null => Ok(None),
            Surface::Refused(fault) => Err(fault.clone()),
            Surface::Image(_) => {
                Err(Fault::new("untyped access to an image", format!("binding table entry {index}")))
            }
        }
    }

    /// The image behind a binding table index; `None` for a null surface.
    pub fn image(&self, index: u8) -> Result<Option<&Image>> {
        match self.surface(index)? {
            Surface::Image(image) => Ok(Some(image)),
            Surface::Null => Ok(None),
            Surface::Refused(fault) => Err(fault.clone()),
            Surface::Buffer(_) => {
                Err(Fault::new("typed access to a buffer", format!("binding table entry {index}")))
            }
        }
    }
}

/// Shared local memory of a group.
#[derive(Clone, Debug, Default)]
pub struct Local {
    bytes: Vec<u8>,
}

/// Local addresses have 16 bits: code sets higher ones so that a null pointer differs.
const LOCAL_MASK: u64 = 0xffff;

impl Local {
    /// `size` bytes of zeros.
    pub fn new(size: usize) -> Self {
        Self { bytes: vec![0; size] }
    }

    /// Reads up to 8 bytes; `None` outside.
    #[inline]
    pub fn load(&self, address: u64, bytes: usize) -> Option<u64> {
        let at = (address & LOCAL_MASK) as usize;
        (at + bytes <= self.bytes.len()).then(|| read_little(&self.bytes, at, bytes))
    }

    /// Writes up to 8 bytes; `None` and nothing written outside.
    #[inline]
    pub fn store(&mut self, address: u64, bytes: usize, value: u64) -> Option<()> {
        let at = (address & LOCAL_MASK) as usize;
        self.bytes.get_mut(at..at + bytes)?.copy_from_slice(&value.to_le_bytes()[..bytes]);
        Some(())
    }

    /// Bytes.
    pub fn size(&self) -> usize {
        self.bytes.len()
    }
}

/// Bound surfaces and samplers that a device keeps.
pub const BOUND: usize = 32;

/// The sampler of a thread.
pub type SamplerDevice = Device<'static, BOUND, BOUND>;

/// A thread.
#[derive(Debug)]
pub struct Thread {
    /// Its registers.
    pub registers: Registers,
    /// Where its channels are.
    pub flow: Flow,
    /// Scratch memory.
    pub scratch: Vec<u8>,
    /// The scratch memory's address in 32-bit addresses: r0.5 without its low bits.
    pub scratch_base: u32,
    /// The group's local memory, while the thread runs.
    pub local: Local,
    /// The sampler, while the thread runs; made by the first message.
    pub device: Option<Box<SamplerDevice>>,
    /// Group number times threads of a group, plus the thread's number.
    pub number: u32,
    /// Byte offset of the instruction that runs.
    pub offset: u32,
    /// Keeps sampler messages.
    pub record: bool,
    /// Sampler messages, in order.
    pub records: Vec<SamplerRecord>,
    /// Instructions executed.
    pub executed: u64,
    /// Accesses outside surfaces.
    pub outside: Outside,
    /// It has told the gateway that it is at the barrier.
    pub signalled: bool,
    /// All others have arrived: it may pass.
    pub released: bool,
    /// It has ended.
    pub ended: bool,
}

/// Why a thread stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// It waits at the barrier.
    Barrier,
    /// It has ended.
    End,
    /// It had its share of instructions: the others run.
    Share,
}

impl Thread {
    /// Where `bytes` bytes at a 32-bit address are in the scratch memory.
    #[inline]
    pub fn scratch_at(&self, address: u64, bytes: usize) -> Option<usize> {
        let at = usize::try_from(address.checked_sub(u64::from(self.scratch_base))?).ok()?;
        (at.checked_add(bytes)? <= self.scratch.len()).then_some(at)
    }

    /// Runs until it stops, at most `share` instructions.
    ///
    /// # Errors
    /// What the instruction at `offset` cannot do.
    pub fn run(&mut self, environment: &Environment<'_>, watch: &mut Watch, share: u64) -> Result<Stop> {
        let program = environment.program;
        let share = self.executed.saturating_add(share).min(environment.max_instructions.saturating_add(1));
        loop {
            let Some(instruction) = program.instructions.get(self.flow.next as usize) else {
                return Err(self.past_end(program));
            };
            self.executed += 1;
            if self.executed >= share {
                if self.executed > environment.max_instructions {
                    let why = format!("{} instructions (--max-instructions)", environment.max_instructions);
                    return Err(at_offset(Fault::new("thread runs too long", why), instruction));
                }
                self.executed -= 1;
                return Ok(Stop::Share);
            }
            let lanes = self.lanes(instruction);
            if watch.is_active() {
                self.offset = instruction.offset;
                watch.before(self, instruction, &lanes);
            }
            match &instruction.action {
                Action::Alu(alu) => {
                    self.compute(alu, &lanes).map_err(|fault| at_offset(fault, instruction))?;
                    self.flow.advance();
                }
                Action::Jump(jump) => {
                    let taken = self.channels(instruction);
                    let uniform = self.predicate(instruction) & 1 == 1;
                    self.flow
                        .jump(jump, taken, uniform, program, &mut self.registers)
                        .map_err(|fault| at_offset(fault, instruction))?;
                }
                Action::Send(message) => {
                    self.offset = instruction.offset;
                    let effect = message
                        .execute(self, environment, lanes.execute)
                        .map_err(|fault| at_offset(fault, instruction))?;
                    if watch.is_active() {
                        watch.sent(message);
                    }
                    match effect {
                        Effect::End => {
                            self.ended = true;
                            return Ok(Stop::End);
                        }
                        Effect::Barrier => self.signalled = true,
                        Effect::None => {}
                    }
                    self.flow.advance();
                }
                Action::Wait => {
                    if self.signalled && !self.released {
                        self.executed -= 1;
                        return Ok(Stop::Barrier);
                    }
                    (self.signalled, self.released) = (false, false);
                    self.flow.advance();
                }
                Action::Nop => self.flow.advance(),
                Action::Broken(fault) => return Err(Fault::clone(fault)),
            }
            if watch.is_active() {
                watch.after(self, instruction, &lanes);
            }
        }
    }

    #[cold]
    fn past_end(&self, program: &Program) -> Fault {
        let why = match program.truncated {
            Some(offset) => format!("the code is cut off at {offset:#x}, before an end of thread"),
            None => "no instruction follows, and none has ended the thread".to_owned(),
        };
        let mut fault = Fault::new("end of the program", why);
        fault.place.offset = program.instructions.last().map(|last| last.offset);
        fault
    }

    /// The predicate of every channel, inverted when the instruction says so; all ones without one.
    #[inline]
    fn predicate(&self, instruction: &Instruction) -> u32 {
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

    /// Active channels of the instruction whose predicate holds.
    #[inline]
    fn channels(&self, instruction: &Instruction) -> u32 {
        let execution = &instruction.execution;
        let own = (texwire::bits::mask(u32::from(execution.size)) as u32)
            .checked_shl(u32::from(execution.offset))
            .unwrap_or(0);
        self.flow.active & own & self.predicate(instruction)
    }

    /// The lanes of an instruction.
    #[inline]
    fn lanes(&self, instruction: &Instruction) -> Lanes {
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
    fn compute(&mut self, alu: &Alu, lanes: &Lanes) -> Result<()> {
        if let Some(kernel) = &alu.kernel
            && kernel.execute(alu, &mut self.registers, lanes)
        {
            return Ok(());
        }
        if alu.reads_state {
            self.show_state(lanes);
        }
        alu.execute_general(&mut self.registers, lanes)
    }

    /// Puts what only some instructions read where they read it.
    fn show_state(&mut self, _lanes: &Lanes) {
        let executed = self.executed;
        self.registers.set_dword(at::TIME, executed as u32);
        self.registers.set_dword(at::TIME + 4, (executed >> 32) as u32);
        self.registers.set_dword(at::CHANNELS, self.flow.active);
        self.registers.set_dword(at::POINTER, self.offset);
    }
}

fn at_offset(mut fault: Fault, instruction: &Instruction) -> Fault {
    fault.place.offset = Some(instruction.offset);
    fault
}
