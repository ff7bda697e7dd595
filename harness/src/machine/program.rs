//! A kernel's instructions, decoded once into the form that threads execute.

use super::alu::ComputeInstruction;
use super::error::{Error, Result};
use super::flow::{JumpKind, PreparedJump};
use super::instruction_index::{InstructionIndex, NOWHERE};
use super::message::PreparedSend;
use super::registers::{GENERAL, REGISTER};
use texwire::Platform;
use texwire::enums::RegFile;
use texwire::eu::{self, Encoding, ExecutionControl, Location, Stream};

/// A prepared instruction by the way it is executed.
#[derive(Clone, Debug)]
pub enum Action {
    /// Computes lanes: moves, arithmetic, logic, comparisons, `math`.
    Alu(Box<ComputeInstruction>),
    /// Moves channels to other instructions.
    Jump(PreparedJump),
    /// Sends a message.
    Send(Box<PreparedSend>),
    /// Waits at the barrier.
    Wait,
    /// Does nothing.
    Nop,
    /// Cannot be executed: the error of a thread that gets here.
    Broken(Box<Error>),
}

/// An instruction, decoded and prepared.
#[derive(Clone, Debug)]
pub struct PreparedInstruction {
    /// Byte offset in the kernel's instruction heap.
    pub offset: u32,
    /// The mnemonic; `?` for an unknown opcode.
    pub name: &'static str,
    /// Execution size, channel offset, mask control and predicate.
    pub execution: ExecutionControl,
    /// The access mode is align16 of Gen9, in which predicate controls replicate flags in another way.
    pub align16: bool,
    /// The prepared form.
    pub action: Action,
    /// The encoded instruction, for traces.
    pub source: eu::Instruction,
}

/// A decoded kernel.
#[derive(Clone, Debug)]
pub struct Program {
    /// The platform.
    pub platform: Platform,
    /// The instructions in the order of their offsets.
    pub instructions: Vec<PreparedInstruction>,
    /// The instructions' numbers by offset.
    pub index: InstructionIndex,
    /// The offset of an instruction that the end of the code cuts off, if there is one.
    pub truncated: Option<u32>,
}

impl Program {
    /// Decodes a kernel's instruction heap. An instruction that cannot be decoded is an error only if a thread gets there.
    pub fn new(platform: Platform, code: &[u8]) -> Self {
        let mut stream = Stream::new(platform, code);
        let mut decoded = Vec::new();
        let truncated = loop {
            match stream.next() {
                Ok(Some(instruction)) => decoded.push(instruction),
                Ok(None) => break None,
                Err(why) => break why.offset().map(|offset| offset as u32),
            }
        };
        let offsets = decoded.iter().map(|instruction| instruction.offset() as u32).collect();
        let index = InstructionIndex::new(offsets);
        let mut program = Self { platform, instructions: Vec::new(), index, truncated };
        program.instructions = decoded.iter().map(|instruction| program.prepare(instruction)).collect();
        program
    }

    fn prepare(&self, source: &eu::Instruction) -> PreparedInstruction {
        let mut prepared = PreparedInstruction {
            offset: source.offset() as u32,
            name: source.operation().map_or("?", |operation| operation.name()),
            execution: ExecutionControl::default(),
            align16: false,
            action: Action::Nop,
            source: *source,
        };
        let action = self.action(source, &mut prepared);
        prepared.action = action.unwrap_or_else(|mut error| {
            error.location.offset = Some(prepared.offset);
            Action::Broken(Box::new(error))
        });
        prepared
    }

    fn action(&self, source: &eu::Instruction, prepared: &mut PreparedInstruction) -> Result<Action> {
        let common = source.common().map_err(undecodable)?;
        prepared.execution = common.execution;
        prepared.align16 = common.align16;
        if common.operation.encoding() == Encoding::Send {
            let send = source.send().map_err(undecodable)?;
            let send = send.ok_or_else(|| Error::new("undecodable instruction", "no send"))?;
            return PreparedSend::new(send).map(|message| Action::Send(Box::new(message)));
        }
        let operands = source.operands(&common).map_err(undecodable)?;
        match common.operation.encoding() {
            Encoding::Bare if common.operation.name() == "nop" => Ok(Action::Nop),
            Encoding::Bare => Err(Error::new("illegal instruction", "the opcode stops the thread")),
            Encoding::Branch => self.jump(source, &common, &operands).map(Action::Jump),
            _ if common.operation.name() == "wait" => Ok(Action::Wait),
            _ => ComputeInstruction::new(&common, &operands).map(|compute| Action::Alu(Box::new(compute))),
        }
    }

    fn jump(
        &self,
        source: &eu::Instruction,
        common: &eu::CommonFields,
        operands: &eu::Operands,
    ) -> Result<PreparedJump> {
        let name = common.operation.name();
        let kind = JumpKind::new(name, self.platform, common)
            .ok_or_else(|| Error::new("unsupported instruction", format!("{name} is not executed")))?;
        let distances = source.jump(common).map_err(undecodable)?;
        // Returns the byte offset of an operand of `bytes` bytes in the general registers; `None` if it is elsewhere.
        let general = |file, location, bytes| match location {
            Location::Direct { register, byte } if file == RegFile::GRF => {
                let at = usize::from(register) * REGISTER + usize::from(byte);
                (at + bytes <= GENERAL).then_some(at)
            }
            Location::Direct { .. } | Location::Indirect { .. } | Location::Immediate(_) => None,
        };
        // The return address and the channel mask after it: two dwords of a general register. Other jumps have none.
        let link = match kind {
            JumpKind::Call => operands.dst.and_then(|dst| general(dst.file, dst.location, 8)),
            JumpKind::Return => operands.src[0].and_then(|src| general(src.file, src.location, 8)),
            _ => Some(0),
        };
        let link = link.ok_or_else(|| {
            Error::new("invalid operand", format!("{name} without a register for the return address"))
        })?;
        let by_register = operands.src[0].filter(|_| kind == JumpKind::Always || kind == JumpKind::Call);
        let distance_register = by_register.and_then(|src| general(src.file, src.location, 4));
        if distances.is_none() && kind != JumpKind::Return && distance_register.is_none() {
            return Err(Error::new("unsupported instruction", format!("{name} through this operand")));
        }
        let base = match (name, kind) {
            // The only jump whose target is a byte offset in the kernel's heap.
            ("calla", _) => 0,
            (_, JumpKind::Always) => source.offset() as i64 + source.len() as i64,
            _ => source.offset() as i64,
        };
        let target = |distance: i32| self.index.at(base + i64::from(distance)).unwrap_or(NOWHERE);
        let (jip, uip) = distances.map_or((NOWHERE, NOWHERE), |jump| (target(jump.jip), target(jump.uip)));
        Ok(PreparedJump {
            kind,
            jip,
            uip,
            base: base as u32,
            link: link as u16,
            distance_register: distance_register.map(|at| at as u16),
        })
    }
}

fn undecodable(why: texwire::Error) -> Error {
    Error::new("undecodable instruction", why.to_string())
}
