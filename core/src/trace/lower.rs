//! Messages of records to the wire-neutral message.

use super::record::{GenRecord, VisaRecord};
use crate::error::{Error, Kind, Result, What};
use crate::message::{Message, Payload, Width};
use crate::platform::Platform;
use crate::{eu, visa};

impl<'a> GenRecord<'a> {
    /// The message and its parameters.
    ///
    /// # Errors
    /// As [`eu::Send::from_bytes`] and [`eu::Send::lower`].
    pub fn lower(&self, platform: Platform) -> Result<(Message, Payload<'a>)> {
        let runtime = eu::Runtime {
            descriptor: self.descriptor,
            extended: self.extended,
            payload: [self.payload, &[]],
            dispatch: self.dispatch,
            flag: self.flags,
            ..eu::Runtime::default()
        };
        eu::Send::from_bytes(platform, self.instruction)?.lower(&runtime)
    }
}

impl<'a> VisaRecord<'a> {
    /// The instruction.
    ///
    /// # Errors
    /// As [`visa::Sampler::decode`].
    pub fn sampler(&self) -> Result<visa::Sampler<'a>> {
        let [major, minor] = self.version;
        visa::Sampler::decode(self.instruction, visa::Version::new(major, minor))
    }

    /// The message and its parameters.
    ///
    /// # Errors
    /// As [`sampler`](Self::sampler), [`visa::Sampler::lower`] and [`visa::Sampler::payload`];
    /// `Invalid ElementType` for a destination that is neither 2 nor 4 bytes wide.
    pub fn lower(&self, platform: Platform) -> Result<(Message, Payload<'a>)> {
        let sampler = self.sampler()?;
        let return_width = match visa::Type::from_code(self.dst_type).bytes() {
            2 => Width::Half,
            4 => Width::Full,
            _ => return Err(Error::new(Kind::Invalid, What::ElementType).value(self.dst_type.into())),
        };
        let message = sampler.lower(&visa::Run {
            platform,
            dispatch: self.dispatch,
            predicate: self.predicate,
            aoffimmi: Some(self.aoffimmi),
            param_width: if self.half { Width::Half } else { Width::Full },
            return_width,
        })?;
        let payload = sampler.payload(&message, self.params)?;
        Ok((message, payload))
    }
}
