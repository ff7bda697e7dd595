//! Lowers a TXQ to the wire-neutral message.

use super::instruction::Txq;
use crate::error::{Error, Kind, Result, What};
use crate::message::{Binding, Message, Op};
use crate::state::nv::Handle;

impl Txq {
    /// Returns the wire-neutral operation.
    ///
    /// # Errors
    /// `Unsupported QueryResult`: the answers of the sampler queries and of the queries without a name are not documented.
    pub fn op(self) -> Result<Op> {
        let query = self.query();
        let unknown = Error::new(Kind::Unsupported, What::QueryResult).value(u64::from(query.raw()));
        query.op().ok_or(unknown)
    }

    /// Returns the message of a warp. `active` has a bit for every lane that executes (guard applied).
    ///
    /// Its only parameter is the LOD or the sample index, if the query takes one; its channels are the
    /// write mask, so that [`Message::response`] has the layout of R registers: 32 lanes of 4 bytes each.
    /// `handle` names header and sampler if it is the same for all lanes; without it both are
    /// [`Binding::Unresolved`].
    ///
    /// # Errors
    /// As [`op`](Self::op).
    pub fn message(self, active: u32, handle: Option<Handle>) -> Result<Message> {
        let index = |part: fn(Handle) -> u32| handle.map_or(Binding::Unresolved, |h| Binding::Index(part(h)));
        Ok(Message {
            simd: 32,
            lanes: active,
            channels: self.mask(),
            non_uniform: self.bindless() && handle.is_none(),
            surface: index(Handle::header),
            sampler: index(Handle::sampler),
            ..Message::new(self.op()?)
        })
    }
}
