//! Encodes the fields of a send to its 128-bit word.

use super::fields::{InstructionField, Word};
use super::form::{DescriptorSource, Form};
use super::operand::RegisterFile;
use super::send::{PLAIN_IMMEDIATE, PLAIN_REGISTER, SendInstruction, illegal, opcode};
use crate::enums::DataType;
use crate::error::{Error, Kind, Result, What};

impl SendInstruction {
    /// Returns the word: the exact inverse of [`decode`](Self::decode).
    ///
    /// # Errors
    /// `Invalid FieldValue` when the form cannot hold a value (an extended descriptor of `send`
    /// with bits 15:6, a register form that does not exist), `Unknown ExecSize` (not a power of two up to 32),
    /// `Unknown FieldValue` (a channel offset that is not a multiple of 4), `NotOnPlatform` for a type.
    pub fn encode(&self) -> Result<Word> {
        let f = self.form.fields();
        let mut word = self.rest;
        let mut put = |field: &InstructionField, value: u32| -> Result<()> {
            word = field.put(word, value)?;
            Ok(())
        };
        let split = self.form == Form::Split;
        let base = if split { opcode::SENDS } else { opcode::SEND };
        put(&f.opcode, base.wrapping_add(u32::from(self.conditional)))?;
        let e = &self.execution;
        let size = u32::from(e.size);
        if !size.is_power_of_two() || size > 32 {
            return Err(illegal(What::ExecSize, size, 21));
        }
        put(&f.exec, size.trailing_zeros())?;
        if e.offset & 3 != 0 {
            return Err(illegal(What::FieldValue, u32::from(e.offset), 11));
        }
        put(&f.channel_offset, u32::from(e.offset >> 2))?;
        put(&f.thread, u32::from(self.thread))?;
        put(&f.scoreboard, u32::from(self.scoreboard))?;
        put(&f.predicate, u32::from(e.predicate.code()))?;
        put(&f.inverse, u32::from(e.inverse))?;
        put(&f.flag, u32::from(e.flag.0) << 1 | u32::from(e.flag.1))?;
        put(&f.no_mask, u32::from(e.no_mask))?;
        put(&f.sfid, u32::from(self.sfid))?;
        put(&f.no_src_dep_set, u32::from(self.no_src_dep_set))?;
        put(&f.breakpoint, u32::from(self.breakpoint))?;
        put(&f.eot, u32::from(self.eot))?;
        put(&f.cps, u32::from(self.cps_bit))?;
        put(&f.dst_file, u32::from(self.dst.file == RegisterFile::Grf))?;
        put(&f.dst, u32::from(self.dst.number))?;
        put(&f.dst_indirect, u32::from(self.dst.indirect))?;
        put(&f.dst_type, self.type_code(&f.dst_type, self.dst_type)?)?;
        if f.src0_file.exists() {
            put(&f.src0_file, u32::from(self.src0.file == RegisterFile::Grf))?;
        }
        put(&f.src0_type, self.type_code(&f.src0_type, self.src0_type)?)?;
        put(&f.src0, u32::from(self.src0.number))?;
        put(&f.src0_indirect, u32::from(self.src0.indirect))?;
        put(&f.src1_file, u32::from(self.src1.file == RegisterFile::Grf))?;
        put(&f.src1, u32::from(self.src1.number))?;
        match (self.form, self.descriptor) {
            (Form::Plain, DescriptorSource::Immediate(_)) => put(&f.desc_select, PLAIN_IMMEDIATE)?,
            (Form::Plain, DescriptorSource::Register(_)) => put(&f.desc_select, PLAIN_REGISTER)?,
            (_, source) => put(&f.desc_select, u32::from(source.immediate().is_none()))?,
        }
        if let DescriptorSource::Immediate(value) = self.descriptor {
            put(&f.desc, value)?;
        }
        put(&f.ex_desc_select, u32::from(self.extended.immediate().is_none()))?;
        match self.extended {
            DescriptorSource::Immediate(value) => put(&f.ex_desc, value)?,
            DescriptorSource::Register(sub) => put(&f.ex_desc_register, u32::from(sub))?,
        }
        Ok(word)
    }

    fn type_code(&self, field: &InstructionField, data_type: DataType) -> Result<u32> {
        let error = Error::new(Kind::NotOnPlatform, What::DataType).value(data_type as u64);
        match data_type.code(self.platform, false) {
            // Sends of Gen12 have no types, and the first source of `sends` has none.
            _ if !field.exists() => {
                if data_type == DataType::Ud {
                    Ok(0)
                } else {
                    Err(error)
                }
            }
            Some(code) => Ok(u32::from(code)),
            None => Err(error),
        }
    }
}
