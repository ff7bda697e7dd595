//! `send`, `sendc`, `sends`, `sendsc`: instructions that send a message to a shared function.

use super::descriptor::{Descriptor, SAMPLER};
use super::execution::{ExecutionControl, PredicateControl};
use super::fields::{PLAIN, SPLIT, SendFields, UNIFIED, Word};
use super::form::{DescriptorSource, Form};
use super::names::{function_name, scoreboard_is_defined};
use super::operand::{Operand, RegisterFile, arch_exists};
use crate::enums::DataType;
use crate::error::{Error, Kind, Result, What};
use crate::platform::Platform;

/// The opcodes of sends.
pub(super) mod opcode {
    pub(in super::super) const SEND: u32 = 0x31;
    pub(in super::super) const SENDC: u32 = 0x32;
    pub(in super::super) const SENDS: u32 = 0x33;
    pub(in super::super) const SENDSC: u32 = 0x34;
}

/// Bit 29: the instruction is compacted, which a send cannot be.
const COMPACTED: u64 = 1 << 29;

/// Bit 8, Gen9: align16. Later platforms ignore it.
pub(super) const ALIGN16: u64 = 1 << 8;

/// The number of a0, which a plain send with its descriptor in a0 has in bits 108:101, those of the upper half.
pub(super) const ADDRESS_REGISTER: u64 = 0x10 << (101 - 64);

/// Bits 62:61 of `send`: the destination's horizontal stride, which is 1 as tools write it.
const STRIDE_1: u64 = 1 << 61;

/// Bit 39 of Xe-HPG sends with the extended descriptor in a register: see [`SendInstruction::ex_bso`].
pub(super) const EX_BSO_BIT: u8 = 39;

/// Lowest bit and width of the second block's length in such a send.
pub(super) const EX_BSO_LENGTH: (u8, u8) = (99, 5);

/// A send: every field, and all other bits in `rest`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SendInstruction {
    /// The platform it was decoded for.
    pub platform: Platform,
    /// The encoding.
    pub form: Form,
    /// `sendc`: waits for the thread dependency first.
    pub conditional: bool,
    /// Size, offset, mask and predicate.
    pub execution: ExecutionControl,
    /// Thread control: 0 normal, 1 Atomic, 2 Switch (Gen9), 3 NoPreempt (Gen11). Gen12: bit 0
    /// Atomic, bit 1 Serialize.
    pub thread: u8,
    /// Software scoreboard of Gen12, raw.
    pub scoreboard: u8,
    /// `{NoSrcDepSet}`.
    pub no_src_dep_set: bool,
    /// `{Breakpoint}`.
    pub breakpoint: bool,
    /// `{EOT}`: ends the thread.
    pub eot: bool,
    /// Bit 31 of `sends`: coarse pixel shading, see [`cps`](Self::cps).
    pub cps_bit: bool,
    /// Shared function; 2 = sampler. Not meaningful when the extended descriptor is in a register.
    pub sfid: u8,
    /// First register of the response, or the null register.
    pub dst: Operand,
    /// Type of the destination: no effect on a sampler's result. Gen12: none, `Ud`.
    pub dst_type: DataType,
    /// First register of the (first) payload block.
    pub src0: Operand,
    /// Type of the first source (`Plain` only).
    pub src0_type: DataType,
    /// First register of the second payload block (not `Plain`).
    pub src1: Operand,
    /// Message descriptor, always a0.0 when in a register.
    pub descriptor: DescriptorSource,
    /// Extended message descriptor; as an immediate without its low 6 bits.
    pub extended: DescriptorSource,
    /// The bits of the word that belong to no field.
    pub rest: Word,
}

/// Returns a mask of the bits of a form's fields, without the descriptor fields that a selector chooses between.
const fn fixed(fields: &SendFields) -> Word {
    let mut used_bits = fields.used_bits();
    used_bits = fields.desc.clear(used_bits);
    used_bits = fields.ex_desc.clear(used_bits);
    fields.ex_desc_register.clear(used_bits)
}

const PLAIN_FIXED: Word = fixed(&PLAIN);
const SPLIT_FIXED: Word = fixed(&SPLIT);
const UNIFIED_FIXED: Word = fixed(&UNIFIED);

/// Plain sends: values of the descriptor selector, for an immediate and for a0.
pub(super) const PLAIN_IMMEDIATE: u32 = 3;
pub(super) const PLAIN_REGISTER: u32 = 0;

pub(super) const fn illegal(what: What, value: u32, bit: u8) -> Error {
    Error::new(Kind::Unknown, what).bit(bit).value(value as u64)
}

impl SendInstruction {
    /// Returns a sampler send of `form` with default fields: SIMD8, no payload, null destination.
    pub const fn new(platform: Platform, form: Form) -> Self {
        let null = Operand::NULL;
        Self {
            platform,
            form,
            conditional: false,
            execution: ExecutionControl::DEFAULT,
            thread: 0,
            scoreboard: 0,
            no_src_dep_set: false,
            breakpoint: false,
            eot: false,
            cps_bit: false,
            sfid: SAMPLER,
            dst: null,
            dst_type: DataType::Ud,
            src0: Operand::grf(0),
            src0_type: DataType::Ud,
            src1: null,
            descriptor: DescriptorSource::Immediate(0),
            extended: DescriptorSource::Immediate(0),
            rest: Word { lo: if matches!(form, Form::Plain) { STRIDE_1 } else { 0 }, hi: 0 },
        }
    }

    /// Returns the form of the sends with `opcode` on `platform`; `None` if it is not the opcode of a send.
    #[inline]
    pub fn form_of(platform: Platform, opcode: u8) -> Option<Form> {
        let opcode = u32::from(opcode);
        match platform {
            Platform::Gen9 | Platform::Gen11 => match opcode {
                opcode::SEND | opcode::SENDC => Some(Form::Plain),
                opcode::SENDS | opcode::SENDSC => Some(Form::Split),
                _ => None,
            },
            Platform::XeLp | Platform::XeHpg => {
                matches!(opcode, opcode::SEND | opcode::SENDC).then_some(Form::Unified)
            }
            _ => None,
        }
    }

    /// Decodes a send; `Ok(None)` if the opcode is not that of a send.
    ///
    /// # Errors
    /// For everything that the reference disassembler refuses: a compacted send; an execution size, predicate
    /// control, thread control, register file, architecture register or type that is not defined.
    #[inline(never)]
    pub fn decode(platform: Platform, word: Word) -> Result<Option<Self>> {
        Self::decode_inline(platform, word)
    }

    /// [`decode`](Self::decode), inlined: for loops over streams of a known platform.
    #[inline(always)]
    pub(super) fn decode_inline(platform: Platform, word: Word) -> Result<Option<Self>> {
        let Some(form) = Self::form_of(platform, (word.lo & 0x7f) as u8) else {
            return Ok(None);
        };
        match form {
            Form::Plain => Self::decode_as(platform, form, &PLAIN, PLAIN_FIXED, word),
            Form::Split => Self::decode_as(platform, form, &SPLIT, SPLIT_FIXED, word),
            Form::Unified => Self::decode_as(platform, form, &UNIFIED, UNIFIED_FIXED, word),
        }
        .map(Some)
    }

    /// Decodes the 16 bytes of a send.
    ///
    /// # Errors
    /// As [`decode`](Self::decode); `Unknown Opcode` when the bytes are not a send.
    pub fn from_bytes(platform: Platform, bytes: &[u8; 16]) -> Result<Self> {
        let word = Word::from_bytes(bytes);
        Self::decode(platform, word)?.ok_or(Error::new(Kind::Unknown, What::Opcode).value(word.lo & 0x7f))
    }

    #[inline(always)]
    fn decode_as(
        platform: Platform,
        form: Form,
        f: &'static SendFields,
        fixed: Word,
        word: Word,
    ) -> Result<Self> {
        if word.lo & COMPACTED != 0 {
            return Err(illegal(What::Compaction, 1, 29));
        }
        let opcode = f.opcode.get(word);
        let thread = f.thread.get(word);
        let undefined = if platform == Platform::Gen9 { 3 } else { 2 };
        if form != Form::Unified && thread == undefined {
            return Err(Error::new(Kind::NotOnPlatform, What::ThreadControl)
                .bit(f.thread.at())
                .value(u64::from(thread)));
        }
        Self::check_platform(platform, form, f, word)?;
        let immediate = match (form, f.desc_select.get(word)) {
            (Form::Plain, PLAIN_IMMEDIATE) => true,
            (Form::Plain, PLAIN_REGISTER) => false,
            (Form::Plain, other) => return Err(illegal(What::DescriptorFile, other, f.desc_select.at())),
            (_, select) => select == 0,
        };
        let desc = f.desc.get(word);
        let extended_immediate = !f.ex_desc_select.is_set(word);
        let mut used_bits = fixed;
        if immediate {
            let mask = const_mask(&f.desc);
            used_bits = Word { lo: used_bits.lo | mask.lo, hi: used_bits.hi | mask.hi };
        }
        let mask = if extended_immediate { const_mask(&f.ex_desc) } else { const_mask(&f.ex_desc_register) };
        used_bits = Word { lo: used_bits.lo | mask.lo, hi: used_bits.hi | mask.hi };
        let (src0, src1) = Self::sources(platform, form, f, word)?;
        Ok(Self {
            platform,
            form,
            conditional: opcode == opcode::SENDC || opcode == opcode::SENDSC,
            execution: Self::execution_of(f, word)?,
            thread: thread as u8,
            scoreboard: f.scoreboard.get(word) as u8,
            no_src_dep_set: f.no_src_dep_set.is_set(word),
            breakpoint: f.breakpoint.is_set(word),
            eot: f.eot.is_set(word),
            cps_bit: f.cps.is_set(word),
            sfid: f.sfid.get(word) as u8,
            dst: Self::destination(platform, f, word)?,
            dst_type: data_type(platform, &f.dst_type, word)?,
            src0,
            src0_type: data_type(platform, &f.src0_type, word)?,
            src1,
            descriptor: if immediate {
                DescriptorSource::Immediate(desc)
            } else {
                DescriptorSource::Register(0)
            },
            extended: if extended_immediate {
                DescriptorSource::Immediate(f.ex_desc.get(word))
            } else {
                DescriptorSource::Register(f.ex_desc_register.get(word) as u8)
            },
            rest: Word { lo: word.lo & !used_bits.lo, hi: word.hi & !used_bits.hi },
        })
    }

    /// Checks what only some platforms refuse: undefined scoreboard codes and shared functions on Gen12; predicate controls and indirect
    /// operands in align16 on Gen9.
    #[inline(always)]
    fn check_platform(platform: Platform, form: Form, f: &SendFields, word: Word) -> Result<()> {
        if form == Form::Unified {
            let (sfid, scoreboard) = (f.sfid.get(word), f.scoreboard.get(word));
            if !scoreboard_is_defined(platform, scoreboard as u8) {
                return Err(illegal(What::Scoreboard, scoreboard, f.scoreboard.at()));
            }
            if function_name(platform, sfid as u8) == "?" {
                return Err(illegal(What::SharedFunction, sfid, f.sfid.at()));
            }
        } else if platform == Platform::Gen9 && word.lo & ALIGN16 != 0 {
            let (predicate, dst) = (f.predicate.get(word), f.dst_indirect.is_set(word));
            if predicate >= 8 {
                return Err(illegal(What::PredicateControl, predicate, f.predicate.at()));
            }
            // In align16 the low bits of the offset are the channel enables.
            let enables = form == Form::Plain && word.get(48, 4) == 15;
            if f.src0_indirect.is_set(word) || dst && !enables {
                return Err(illegal(What::AccessMode, 1, 8));
            }
        }
        Ok(())
    }

    /// Decodes the execution control, which instructions of every opcode have at the same bits.
    #[inline(always)]
    pub(super) fn execution_of(f: &SendFields, word: Word) -> Result<ExecutionControl> {
        let size = f.exec.get(word);
        if size > 5 {
            return Err(illegal(What::ExecSize, size, f.exec.at()));
        }
        let control = f.predicate.get(word);
        let predicate = PredicateControl::new(control as u8).ok_or(illegal(
            What::PredicateControl,
            control,
            f.predicate.at(),
        ))?;
        let flag = f.flag.get(word) as u8;
        Ok(ExecutionControl {
            size: 1 << size,
            offset: (f.channel_offset.get(word) * 4) as u8,
            no_mask: f.no_mask.is_set(word),
            predicate,
            inverse: f.inverse.is_set(word),
            flag: (flag >> 1, flag & 1),
        })
    }

    #[inline(always)]
    fn destination(platform: Platform, f: &SendFields, word: Word) -> Result<Operand> {
        let operand = Operand {
            file: file(&f.dst_file, word)?,
            indirect: f.dst_indirect.is_set(word),
            number: f.dst.get(word) as u8,
        };
        // `&` and not `&&`: about every other destination is null, so a branch on it would not be predictable.
        let arf = operand.file == RegisterFile::Arf;
        if arf & operand.indirect {
            return Err(illegal(What::RegisterFile, 0, f.dst_file.at()));
        }
        if arf & !arch_exists(platform, operand.number) {
            return Err(illegal(What::ArchRegister, u32::from(operand.number), f.dst.at()));
        }
        Ok(operand)
    }

    #[inline(always)]
    fn sources(platform: Platform, form: Form, f: &SendFields, word: Word) -> Result<(Operand, Operand)> {
        if form == Form::Plain {
            let code = f.src0_file.get(word);
            if code != 1 {
                return Err(illegal(What::RegisterFile, code, f.src0_file.at()));
            }
        }
        let unified = form == Form::Unified;
        let src0 = Operand {
            file: if unified { file(&f.src0_file, word)? } else { RegisterFile::Grf },
            indirect: f.src0_indirect.is_set(word),
            number: f.src0.get(word) as u8,
        };
        let src1 =
            Operand { file: file(&f.src1_file, word)?, indirect: false, number: f.src1.get(word) as u8 };
        for (operand, bit) in [(src0, f.src0.at()), (src1, f.src1.at())] {
            if (operand.file == RegisterFile::Arf) & !arch_exists(platform, operand.number) {
                return Err(illegal(What::ArchRegister, u32::from(operand.number), bit));
            }
        }
        Ok((src0, src1))
    }

    /// Returns true if (on Xe-HPG) the register of the extended descriptor holds only a surface offset, and the length of the second block
    /// is in the instruction.
    pub const fn ex_bso(&self) -> bool {
        let register = matches!(self.extended, DescriptorSource::Register(_));
        matches!(self.platform, Platform::XeHpg) && register && self.rest.get(EX_BSO_BIT, 1) == 1
    }

    /// Returns true in Gen9's access mode align16, where predicate controls 2 to 5 replicate one flag of each group of four channels.
    pub const fn align16(&self) -> bool {
        matches!(self.platform, Platform::Gen9) && self.rest.lo & ALIGN16 != 0
    }

    /// Returns the mnemonic, without the shared function of Gen12.
    pub const fn mnemonic(&self) -> &'static str {
        match (self.form, self.conditional) {
            (Form::Split, false) => "sends",
            (Form::Split, true) => "sendsc",
            (_, false) => "send",
            (_, true) => "sendc",
        }
    }

    /// Returns the shared function; `None` if it is in the register of the extended descriptor.
    pub const fn shared_function(&self) -> Option<u8> {
        match (self.form, self.extended) {
            (Form::Split, DescriptorSource::Register(_)) => None,
            _ => Some(self.sfid),
        }
    }

    /// Returns whether this is a message to the sampler; `None` if the shared function is in a register.
    pub fn is_sampler(&self) -> Option<bool> {
        self.shared_function().map(|function| function == SAMPLER)
    }

    /// Returns the message descriptor, if it is an immediate and the message is not known to be for another shared function.
    pub fn sampler_descriptor(&self) -> Option<Descriptor> {
        if self.is_sampler() == Some(false) {
            return None;
        }
        self.descriptor.immediate().map(Descriptor)
    }

    /// Returns the extended descriptor as text shows it, if it is an immediate: on Gen9 and Gen11 with
    /// the shared function (which Gen12 has in the mnemonic) and end of thread.
    pub fn extended_descriptor(&self) -> Option<u32> {
        let value = self.extended.immediate()?;
        if self.form == Form::Unified {
            return Some(value);
        }
        Some(value | u32::from(self.sfid) | u32::from(self.eot) << 5)
    }

    /// Returns the number of registers of the second payload block; `None` if it is in a register.
    pub fn xlen(&self) -> Option<u8> {
        if self.length_on_operand() && self.src1.is_null() {
            return Some(0);
        }
        match (self.form, self.extended) {
            (Form::Plain, _) => Some(0),
            (_, DescriptorSource::Immediate(value)) => Some(self.length_in(value)),
            (_, DescriptorSource::Register(_)) if self.ex_bso() => {
                Some(self.rest.get(EX_BSO_LENGTH.0, EX_BSO_LENGTH.1) as u8)
            }
            (_, DescriptorSource::Register(_)) => self.src1.is_null().then_some(0),
        }
    }

    /// Returns the number of registers of the second payload block. `extended`: the value of the extended descriptor.
    pub fn second_block(&self, extended: u32) -> u8 {
        self.xlen().unwrap_or(self.length_in(extended))
    }

    /// Returns the length of the second block in an extended descriptor: 4 bits on Gen9 and Gen11, 5 on Gen12.
    fn length_in(&self, extended: u32) -> u8 {
        let largest = if self.form == Form::Unified { 31 } else { 15 };
        (extended >> 6 & largest) as u8
    }

    /// Returns true if the sampler compensates the LOD for coarse pixel shading.
    ///
    /// `sends`: bit 31; `send`: extended descriptor bit 31 (Gen11 only, Gen9 drops it);
    /// Gen12: extended descriptor bit 11.
    pub fn cps(&self) -> bool {
        let immediate = self.extended.immediate().unwrap_or(0);
        match self.form {
            Form::Split => self.cps_bit,
            Form::Plain => immediate >> 31 == 1,
            Form::Unified => immediate >> 11 & 1 == 1,
        }
    }
}

#[inline(always)]
const fn const_mask(field: &super::fields::InstructionField) -> Word {
    let rest = field.clear(Word { lo: u64::MAX, hi: u64::MAX });
    Word { lo: !rest.lo, hi: !rest.hi }
}

#[inline(always)]
fn data_type(platform: Platform, field: &super::fields::InstructionField, word: Word) -> Result<DataType> {
    if !field.exists() {
        return Ok(DataType::Ud);
    }
    let code = field.get(word);
    DataType::from_code(platform, false, code as u8).ok_or(illegal(What::DataType, code, field.at()))
}

#[inline(always)]
fn file(field: &super::fields::InstructionField, word: Word) -> Result<RegisterFile> {
    match field.get(word) {
        0 => Ok(RegisterFile::Arf),
        1 => Ok(RegisterFile::Grf),
        other => Err(illegal(What::RegisterFile, other, field.at())),
    }
}

/// Prints the instruction much as the disassembler does, and for a sampler message what the descriptor encodes.
#[cfg(feature = "defmt")]
impl defmt::Format for SendInstruction {
    fn format(&self, f: defmt::Formatter<'_>) {
        let e = &self.execution;
        if e.predicate.code() != 0 {
            let inverse = if e.inverse { "~" } else { "" };
            defmt::write!(f, "({=str}f{=u8}.{=u8}", inverse, e.flag.0, e.flag.1);
            if e.predicate.code() > 1 {
                defmt::write!(f, ".{=str}", e.predicate.name());
            }
            defmt::write!(f, ") ");
        }
        let no_mask = if e.no_mask { "W&" } else { "" };
        defmt::write!(f, "{=str} ({=u8}|{=str}M{=u8}) ", self.mnemonic(), e.size, no_mask, e.offset);
        defmt::write!(f, "{} {}", self.dst, self.src0);
        if self.form != Form::Plain {
            defmt::write!(f, " {}", self.src1);
        }
        match self.shared_function() {
            Some(function) => defmt::write!(f, " {=str}", function_name(self.platform, function)),
            None => defmt::write!(f, " function in {}", self.extended),
        }
        defmt::write!(f, " exdesc {} desc {}", self.extended, self.descriptor);
        if let Some(d) = self.sampler_descriptor() {
            let mode = d.simd_mode().text(self.platform);
            defmt::write!(f, ": {=str}, {=str}", d.type_symbol().unwrap_or("reserved type"), mode);
            defmt::write!(f, ", surface {=u8}, sampler {=u8}", d.bti(), d.sampler());
            defmt::write!(f, ", {=u8} registers sent, {=u8} returned", d.mlen(), d.rlen());
        }
        for (set, name) in [(self.eot, "EOT"), (self.conditional, "waits"), (self.cps(), "CPS")] {
            if set {
                defmt::write!(f, " {=str}", name);
            }
        }
    }
}
