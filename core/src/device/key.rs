//! Cache keys of prepared messages.

use crate::message::Message;
use crate::state::{AddressMode, BorderColor, SamplerState, SurfaceState};

/// The message and states that a prepared message was made from.
#[derive(Clone, Copy, Debug)]
pub(super) struct MessageKey {
    /// The message; its lanes are not compared.
    pub(super) message: Message,
    pub(super) surface: SurfaceState,
    /// `None` for messages that use no sampler.
    pub(super) sampler: Option<SamplerKey>,
    /// The sampler uses its border colour.
    pub(super) border: bool,
}

/// A sampler's state and border colour.
pub(super) type SamplerKey = (SamplerState, BorderColor);

impl MessageKey {
    /// Returns the key of a message with these states. Without a `sampler`, operations that use one have the default state.
    pub(super) fn new(message: &Message, surface: &SurfaceState, sampler: Option<&SamplerKey>) -> Self {
        let sampler = message.op.flags().sampler.then_some(sampler.copied().unwrap_or_default());
        let border = sampler.is_some_and(|(state, _)| has_border(&state));
        Self { message: *message, surface: *surface, sampler, border }
    }

    /// Returns true if the key's message is this one, whatever the lanes.
    #[inline(always)]
    pub(super) fn is_for(&self, message: &Message) -> bool {
        message.is_like(&self.message)
    }

    /// Returns true if the key is that of this message, whatever the lanes, with these states. Without a `sampler`, operations that use
    /// one have the default state.
    #[inline(always)]
    pub(super) fn is(&self, message: &Message, surface: &SurfaceState, sampler: Option<&SamplerKey>) -> bool {
        let same = |kept: &SamplerKey| match sampler {
            Some(sampler) => sampler == kept,
            None => *kept == SamplerKey::default(),
        };
        self.is_for(message) && self.surface == *surface && self.sampler.as_ref().is_none_or(same)
    }
}

/// Returns true if an address mode of a sampler uses its border colour.
pub(super) fn has_border(state: &SamplerState) -> bool {
    let bordered = |mode: AddressMode| matches!(mode, AddressMode::ClampBorder | AddressMode::HalfBorder);
    state.address_modes().into_iter().any(bordered)
}
