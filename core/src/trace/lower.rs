//! Lowers message records to the wire-neutral message.

use super::messages::{GenRecord, VisaRecord};
use crate::error::{Error, Kind, Result, What};
use crate::message::{Message, Payload, Width};
use crate::platform::Platform;
use crate::{eu, visa};

impl<'a> GenRecord<'a> {
    /// Lowers the record to a message and its parameters.
    ///
    /// # Errors
    /// As [`eu::SendInstruction::from_bytes`] and [`eu::SendInstruction::lower`].
    // inline(never): the stack that decoding needs is free again when the message executes. `VisaRecord::lower` does the same.
    #[inline(never)]
    pub fn lower(&self, platform: Platform) -> Result<(Message, Payload<'a>)> {
        let runtime = eu::Runtime {
            descriptor: self.descriptor,
            extended: self.extended,
            payload: [self.payload, &[]],
            dispatch: self.dispatch,
            flag: self.flags,
            ..eu::Runtime::default()
        };
        eu::SendInstruction::from_bytes(platform, self.instruction)?.lower(&runtime)
    }
}

impl<'a> VisaRecord<'a> {
    /// Decodes the sampler instruction.
    ///
    /// # Errors
    /// As [`visa::SamplerInstruction::decode`].
    pub fn sampler(&self) -> Result<visa::SamplerInstruction<'a>> {
        let [major, minor] = self.version;
        visa::SamplerInstruction::decode(self.instruction, visa::Version::new(major, minor))
    }

    /// Lowers the record to a message and its parameters: a sampler instruction, or `sample` or `load` of the media family.
    ///
    /// The record's predicate mask is the value of the predicate variable: inversion and control are the instruction's.
    ///
    /// # Errors
    /// As [`visa::SamplerInstruction::decode`], [`visa::SamplerInstruction::lower`], [`visa::SamplerInstruction::payload`] and
    /// [`visa::MediaInstruction::lower`]; `Invalid ElementType` for a destination type that is not the sampler's; `Unsupported Opcode` for other
    /// instructions.
    #[inline(never)]
    pub fn lower(&self, platform: Platform) -> Result<(Message, Payload<'a>)> {
        let [major, minor] = self.version;
        let instruction = visa::VisaInstruction::first(self.instruction, visa::Version::new(major, minor))?;
        let kind = visa::Type::from_code(self.dst_type);
        let error = Error::new(Kind::Invalid, What::ElementType).value(self.dst_type.into());
        let runtime = visa::Runtime {
            platform,
            dispatch: self.dispatch,
            predicate: self.predicate,
            aoffimmi: Some(self.aoffimmi),
            param_width: if self.half { Width::Half } else { Width::Full },
            return_width: kind.width().ok_or(error)?,
        };
        if let Some(sampler) = instruction.sampler()? {
            let message = sampler.lower(&runtime)?;
            return Ok((message, sampler.payload(&message, self.params)?));
        }
        let opcode = Error::new(Kind::Unsupported, What::Opcode).at(0).value(instruction.opcode().into());
        let media = instruction.media()?.ok_or(opcode)?;
        let message = media.lower(&runtime)?;
        let lanes = usize::from(message.simd).wrapping_mul(message.param_width.bytes());
        Ok((message, Payload::split([self.params, &[]], lanes.next_multiple_of(4), message.params.into())?))
    }
}
