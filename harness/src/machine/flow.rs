//! Control flow: the position of every channel of a thread in the program.
//!
//! Each channel has a position of its own, and the thread always executes the smallest one: with structured control flow this is the
//! order that the hardware's jump targets give, and a block without active channels is never executed. While a call runs, the channels
//! that did not enter it wait until all that did have returned. (facts: section 3.4 of the machine's specification)

use super::error::{Error, Result};
use super::instruction_index::{InstructionIndex, NOWHERE};
use super::lanes::bits;
use super::registers::Registers;
use texwire::Platform;
use texwire::eu::CommonFields;

/// Where a jump sends the active channels whose predicate holds (T) and those whose predicate does not (F). Channels that are not
/// mentioned continue with the next instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JumpKind {
    /// `jmpi`: all active channels to its target, if the predicate of channel 0 holds.
    Always,
    /// `if`: F to JIP.
    If,
    /// `else`: all active channels to JIP.
    Else,
    /// `endif`, `join`: no channel jumps. Waiting channels become active at their own position, here as at any instruction.
    Join,
    /// `while`: T to JIP.
    While,
    /// `break`: T to the instruction after the one at UIP.
    Break,
    /// `cont`, `goto`, `halt`: T to UIP.
    Uip,
    /// `goto` of Gen9 without its branch bit: F to UIP.
    UipInverse,
    /// `brd`: T to JIP.
    Jip,
    /// `brc`: T to JIP, F to UIP.
    Both,
    /// `call`, `calla`: T to the target; F wait until these have returned.
    Call,
    /// `ret`: T to the return address.
    Return,
}

impl JumpKind {
    /// Returns the kind of the jump with this mnemonic; `None` if the machine does not execute it.
    pub fn new(name: &str, platform: Platform, common: &CommonFields) -> Option<Self> {
        Some(match name {
            "jmpi" => Self::Always,
            "if" => Self::If,
            "else" => Self::Else,
            "endif" | "join" => Self::Join,
            "while" => Self::While,
            "break" => Self::Break,
            // BranchCtrl of `goto` is the bit that other instructions have for AccWrEn, the accumulator write.
            "goto" if platform == Platform::Gen9 && !common.accumulator_write => Self::UipInverse,
            "goto" | "cont" | "halt" => Self::Uip,
            "brd" => Self::Jip,
            "brc" => Self::Both,
            "call" | "calla" => Self::Call,
            "ret" => Self::Return,
            _ => return None,
        })
    }
}

/// A prepared jump. Its targets are instruction numbers, [`NOWHERE`] where no instruction begins.
#[derive(Clone, Copy, Debug)]
pub struct PreparedJump {
    /// How it moves channels.
    pub kind: JumpKind,
    /// Number of the instruction at JIP.
    pub jip: u32,
    /// Number of the instruction at UIP.
    pub uip: u32,
    /// Byte offset in the heap that distances count from.
    pub base: u32,
    /// `call`, `ret`: byte offset in the register array of the return address, a dword; the dword after it is the channel mask.
    pub link: u16,
    /// Byte offset in the register array of the distance, if it is not an immediate.
    pub distance_register: Option<u16>,
}

/// Deepest nesting of calls.
const MAX_DEPTH: usize = 64;

/// A call that has not returned for all its channels.
#[derive(Clone, Copy, Debug)]
struct Frame {
    /// Channels that did not enter the call and wait for its end.
    outside: u32,
    /// Channels that have returned.
    returned: u32,
}

/// The positions of a thread's channels, as instruction numbers.
#[derive(Clone, Debug)]
pub struct Flow {
    /// Number of the next instruction.
    pub next: u32,
    /// Mask of the channels at the next instruction.
    pub active: u32,
    /// The smallest position of the waiting channels; [`NOWHERE`] if there are none.
    pub waiting_at: u32,
    /// Mask of the channels that wait at other positions, without those that a call holds back (see [`Frame`]).
    waiting: u32,
    position: [u32; 32],
    frames: Vec<Frame>,
}

impl Flow {
    /// Starts with all channels of `dispatch` at the first instruction.
    pub fn new(dispatch: u32) -> Self {
        Self {
            next: 0,
            active: dispatch,
            waiting_at: NOWHERE,
            waiting: 0,
            position: [0; 32],
            frames: Vec::new(),
        }
    }

    /// Moves the active channels to the next instruction; channels that wait there become active.
    #[inline]
    pub fn advance(&mut self) {
        self.next += 1;
        if self.next == self.waiting_at {
            self.gather();
        }
    }

    /// Makes the channels that wait at the next instruction active, and updates `waiting_at` for the rest.
    fn gather(&mut self) {
        self.waiting_at = NOWHERE;
        for channel in bits(self.waiting) {
            let position = self.position[channel];
            if position == self.next {
                self.active |= 1 << channel;
                self.waiting &= !(1 << channel);
            } else {
                self.waiting_at = self.waiting_at.min(position);
            }
        }
    }

    /// Makes the active channels among `channels` wait at `target`.
    fn send(&mut self, channels: u32, target: u32) {
        let sent = channels & self.active;
        self.active &= !sent;
        self.waiting |= sent;
        for channel in bits(sent) {
            self.position[channel] = target;
        }
    }

    /// Continues at the smallest position of the waiting channels, and makes the channels there active.
    fn settle(&mut self) {
        self.next = bits(self.waiting).map(|channel| self.position[channel]).min().unwrap_or(NOWHERE);
        self.gather();
    }

    /// Executes a jump. `taken` is the mask of the active channels whose predicate holds; `uniform` is true if that of channel 0 holds.
    ///
    /// # Errors
    /// A target where no instruction begins, a `ret` without a `call`, too many nested calls.
    pub fn jump(
        &mut self,
        jump: &PreparedJump,
        taken: u32,
        uniform: bool,
        index: &InstructionIndex,
        registers: &mut Registers,
    ) -> Result<()> {
        let next = self.next + 1;
        let other = self.active & !taken;
        let (jip, uip) = (jump.jip, jump.uip);
        match jump.kind {
            JumpKind::Join => {
                self.advance();
                Ok(())
            }
            JumpKind::Always => {
                let target = if uniform { self.target(jump, registers, index)? } else { next };
                self.split((self.active, target), (0, next), jump)
            }
            JumpKind::If => self.split((taken, next), (other, jip), jump),
            JumpKind::Else => self.split((self.active, jip), (0, next), jump),
            JumpKind::While | JumpKind::Jip => self.split((taken, jip), (other, next), jump),
            // `NOWHERE`, the largest number, stays as it is.
            JumpKind::Break => self.split((taken, uip.saturating_add(1)), (other, next), jump),
            JumpKind::Uip => self.split((taken, uip), (other, next), jump),
            JumpKind::UipInverse => self.split((other, uip), (taken, next), jump),
            JumpKind::Both => self.split((taken, jip), (other, uip), jump),
            JumpKind::Call => self.call(jump, taken, index, registers),
            JumpKind::Return => self.ret(jump, taken, index, registers),
        }
    }

    /// Moves the active channels `taken` to instruction `first` and the active channels `other` to `second`. It is an error if no
    /// instruction begins at the target of any channel.
    fn split(
        &mut self,
        (taken, first): (u32, u32),
        (other, second): (u32, u32),
        jump: &PreparedJump,
    ) -> Result<()> {
        if taken != 0 && first == NOWHERE || other != 0 && second == NOWHERE {
            return Err(outside(jump));
        }
        // All active channels go to one target, and none waits before it: they stay the active ones.
        let together = if other == 0 { first } else { second };
        if (taken == 0 || other == 0) && together <= self.waiting_at {
            self.next = together;
            if together == self.waiting_at {
                self.gather();
            }
            return Ok(());
        }
        self.send(taken, first);
        self.send(other, second);
        self.settle();
        Ok(())
    }

    /// Returns the target of a `jmpi` or `call`.
    fn target(&self, jump: &PreparedJump, registers: &Registers, index: &InstructionIndex) -> Result<u32> {
        let target = match jump.distance_register {
            None => jump.jip,
            Some(at) => {
                let distance = registers.dword(usize::from(at)) as i32;
                index.at(i64::from(jump.base) + i64::from(distance)).unwrap_or(NOWHERE)
            }
        };
        if target == NOWHERE { Err(outside(jump)) } else { Ok(target) }
    }

    fn call(
        &mut self,
        jump: &PreparedJump,
        taken: u32,
        index: &InstructionIndex,
        registers: &mut Registers,
    ) -> Result<()> {
        if self.frames.len() >= MAX_DEPTH {
            return Err(Error::new("too many calls", format!("{MAX_DEPTH} inside one another")));
        }
        let target = self.target(jump, registers, index)?;
        let next = self.next + 1;
        let back = index.offset(next).unwrap_or(NOWHERE);
        let link = usize::from(jump.link);
        registers.set_dword(link, back);
        registers.set_dword(link + 4, taken);
        if taken == 0 {
            self.send(self.active, next);
            self.settle();
            return Ok(());
        }
        let other = self.active & !taken;
        self.send(other, next);
        let outside = self.waiting;
        self.send(taken, target);
        self.waiting = taken;
        self.frames.push(Frame { outside, returned: 0 });
        self.settle();
        Ok(())
    }

    fn ret(
        &mut self,
        jump: &PreparedJump,
        taken: u32,
        index: &InstructionIndex,
        registers: &Registers,
    ) -> Result<()> {
        let link = usize::from(jump.link);
        let back = registers.dword(link);
        let target = index.at(i64::from(back)).ok_or_else(|| {
            Error::new("return outside the program", format!("no instruction at {back:#x}"))
        })?;
        let next = self.next + 1;
        self.send(self.active & !taken, next);
        self.send(taken, target);
        let frame = self.frames.last_mut().ok_or_else(|| Error::new("ret without a call", "no call runs"))?;
        frame.returned |= taken;
        self.waiting &= !taken;
        if self.waiting == 0 {
            self.waiting = frame.outside | frame.returned;
            self.frames.pop();
        }
        self.settle();
        Ok(())
    }
}

#[cold]
fn outside(jump: &PreparedJump) -> Error {
    Error::new(
        "jump outside the program",
        format!("no instruction begins at the target of the jump from {:#x}", jump.base),
    )
}
