//! Lowers message records to the wire-neutral message.

use super::messages::{GenRecord, VisaRecord};
use crate::error::Result;
use crate::message::{Message, Payload};
use crate::platform::Platform;
use crate::{eu, visa};

impl<'a> GenRecord<'a> {
    /// The message and its parameters.
    ///
    /// # Errors
    /// As [`eu::Send::from_bytes`] and [`eu::Send::lower`].
    // What decoding needs of the stack is given back before the message executes; so below.
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
    /// As [`visa::lower_record`].
    #[inline(never)]
    pub fn lower(&self, platform: Platform) -> Result<(Message, Payload<'a>)> {
        visa::lower_record(self, platform)
    }
}
