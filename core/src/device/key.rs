//! What prepared messages are kept by.

use crate::message::Message;
use crate::state::{AddressMode, BorderColor, SamplerState, SurfaceState};

/// What a prepared message was made of.
#[derive(Clone, Copy, Debug)]
pub(super) struct Key {
    /// The message; its lanes do not matter.
    pub(super) message: Message,
    pub(super) surface: SurfaceState,
    /// `None` for messages that use no sampler.
    pub(super) sampler: Option<SamplerKey>,
    /// The sampler looks at its border colour.
    pub(super) border: bool,
}

/// A sampler's state and border colour.
pub(super) type SamplerKey = (SamplerState, BorderColor);

impl Key {
    /// A sampler that is not given is the default one.
    pub(super) fn new(message: &Message, surface: &SurfaceState, sampler: Option<&SamplerKey>) -> Self {
        let sampler = message.op.flags().sampler.then_some(sampler.copied().unwrap_or_default());
        let border = sampler.is_some_and(|(state, _)| has_border(&state));
        Self { message: *message, surface: *surface, sampler, border }
    }

    /// It was made for this message, but for its lanes.
    #[inline(always)]
    pub(super) fn is_for(&self, message: &Message) -> bool {
        message.is_like(&self.message)
    }

    /// It was made for this message with these states; a sampler that is not given is the default one.
    #[inline(always)]
    pub(super) fn is(&self, message: &Message, surface: &SurfaceState, sampler: Option<&SamplerKey>) -> bool {
        let same = |kept: &SamplerKey| match sampler {
            Some(sampler) => sampler == kept,
            None => *kept == SamplerKey::default(),
        };
        self.is_for(message) && self.surface == *surface && self.sampler.as_ref().is_none_or(same)
    }
}

/// Whether a sampler looks at its border colour.
pub(super) fn has_border(state: &SamplerState) -> bool {
    let bordered = |mode: AddressMode| matches!(mode, AddressMode::ClampBorder | AddressMode::HalfBorder);
    state.address_modes().into_iter().any(bordered)
}
