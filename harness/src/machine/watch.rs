//! Observation of a run: a profile, an instruction trace, and register dumps at an offset.

use super::lanes::Lanes;
use super::message::{PreparedSend, Request};
use super::operand::Storage;
use super::program::{Action, PreparedInstruction};
use super::thread::Thread;
use std::collections::BTreeMap;
use std::fmt::Write;
use texwire::eu::RegisterFile;

/// Which observations to make.
#[derive(Clone, Debug, Default)]
pub struct WatchOptions {
    /// Counts instructions and messages.
    pub profile: bool,
    /// Prints the first `trace` instructions of each group, of all its threads together.
    pub trace: u64,
    /// Prints all registers that are not 0 whenever a thread reaches the instruction at this offset.
    pub stop_at: Option<u32>,
}

/// Counts of instructions and messages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Profile {
    /// Instructions by mnemonic.
    pub instructions: BTreeMap<&'static str, u64>,
    /// Lanes executed, summed over all instructions.
    pub lanes: u64,
    /// Messages by kind, such as `barrier`.
    pub messages: BTreeMap<String, u64>,
}

impl Profile {
    /// Adds the counts of another group or run.
    pub fn add(&mut self, other: &Self) {
        for (name, count) in &other.instructions {
            *self.instructions.entry(name).or_default() += count;
        }
        for (name, count) in &other.messages {
            *self.messages.entry(name.clone()).or_default() += count;
        }
        self.lanes += other.lanes;
    }

    /// Returns the number of instructions of all kinds.
    pub fn total(&self) -> u64 {
        self.instructions.values().sum()
    }
}

/// The observer of the threads of a group.
#[derive(Clone, Debug, Default)]
pub struct Watch {
    options: WatchOptions,
    active: bool,
    /// Counts so far.
    pub profile: Profile,
    /// Lines printed so far.
    pub text: String,
    shown: u64,
}

/// Dwords of the destination that a trace line shows.
const SHOWN: usize = 8;

impl Watch {
    /// Creates an observer for what `options` select.
    pub fn new(options: &WatchOptions) -> Self {
        let active = options.profile || options.trace > 0 || options.stop_at.is_some();
        Self { options: options.clone(), active, ..Self::default() }
    }

    /// Returns true if anything is observed.
    #[inline]
    pub const fn is_active(&self) -> bool {
        self.active
    }

    /// To be called before an instruction is executed.
    pub fn before(&mut self, thread: &Thread, instruction: &PreparedInstruction, lanes: &Lanes) {
        if self.options.profile {
            *self.profile.instructions.entry(instruction.name).or_default() += 1;
            self.profile.lanes += u64::from(lanes.execute.count_ones());
        }
        if self.options.stop_at == Some(instruction.offset) {
            self.registers(thread, instruction);
        }
    }

    /// To be called after a message was sent.
    pub fn sent(&mut self, message: &PreparedSend) {
        if self.options.profile {
            *self.profile.messages.entry(name(message)).or_default() += 1;
        }
    }

    /// To be called after an instruction was executed: adds its line to the trace.
    pub fn after(&mut self, thread: &Thread, instruction: &PreparedInstruction, lanes: &Lanes) {
        if self.shown >= self.options.trace {
            return;
        }
        self.shown += 1;
        let _ = write!(
            self.text,
            "thread {} {:05x} {} | lanes {:#x}",
            thread.number,
            instruction.offset,
            super::text::text(instruction),
            lanes.execute
        );
        // The first general register of the destination; not that of one behind an address register, which may have changed since.
        let dst = match &instruction.action {
            Action::Alu(compute) if compute.alu.dst.storage == Storage::Bytes => {
                Some(usize::from(compute.alu.dst.offsets[0]))
            }
            Action::Send(message) if message.send.dst.file == RegisterFile::Grf => {
                Some(usize::from(message.send.dst.number) * 32)
            }
            Action::Alu(_) | Action::Send(_) => None,
            Action::Jump(_) | Action::Wait | Action::Nop | Action::Broken(_) => None,
        };
        match dst {
            Some(at) if at + SHOWN * 4 <= super::registers::GENERAL => {
                let at = at & !3;
                let _ = write!(self.text, " r{}.{}:", at / 32, at % 32);
                for dword in 0..SHOWN {
                    let _ = write!(self.text, " {:08x}", thread.registers.dword(at + dword * 4));
                }
            }
            _ => {}
        }
        let [f0, f1] = [0, 1].map(|number| thread.registers.flag(number));
        let _ = writeln!(self.text, " f0 {f0:08x} f1 {f1:08x} -> channels {:#x}", thread.flow.active);
    }

    fn registers(&mut self, thread: &Thread, instruction: &PreparedInstruction) {
        let _ = writeln!(
            self.text,
            "thread {} at {:#x} {}: channels {:#x}, f0 {:08x}, f1 {:08x}",
            thread.number,
            instruction.offset,
            instruction.name,
            thread.flow.active,
            thread.registers.flag(0),
            thread.registers.flag(1)
        );
        for register in 0..super::registers::COUNT {
            let dwords: Vec<u32> =
                (0..8).map(|dword| thread.registers.dword(register * 32 + dword * 4)).collect();
            if dwords.iter().any(|dword| *dword != 0) {
                let text: Vec<String> = dwords.iter().map(|dword| format!("{dword:08x}")).collect();
                let _ = writeln!(self.text, "  r{register:<3} {}", text.join(" "));
            }
        }
    }
}

/// Returns the kind of a message, for the profile.
fn name(message: &PreparedSend) -> String {
    match &message.request {
        Some(Request::End) => return "end of thread".to_owned(),
        Some(Request::Barrier) => return "barrier".to_owned(),
        _ => {}
    }
    let mut comment = String::new();
    let _ = message.send.write_comment(&mut comment);
    // `wr:2+0, rd:4; hdc.dc1; untyped surface read`: without the lengths.
    comment.split_once("; ").map_or(comment.clone(), |(_, what)| what.to_owned())
}
