//! States described by the keys of `--state`, for commands that do not measure.

use super::scene;
use super::state::SamplingState;
use texwire::message::{Channels, Message};
use texwire::sample::Precision;
use texwire::state::{SamplerState, SurfaceState};

/// What the keys of `texwire bench --state` describe.
#[derive(Clone, Debug)]
pub struct DescribedMessage {
    /// The surface (on Gen11), and its size in memory in bytes.
    pub surface: (SurfaceState, usize),
    /// The sampler.
    pub sampler: SamplerState,
    /// The operation with its channels, offsets and source channel.
    pub message: Message,
    /// The arithmetic of LODs and filter weights.
    pub precision: Precision,
}

impl DescribedMessage {
    /// Reads `key=value,key=value`.
    ///
    /// # Errors
    /// In words: an unknown key or value, or an impossible surface.
    pub fn new(text: &str) -> Result<Self, String> {
        let state: SamplingState = text.parse()?;
        let extent = scene::extent(&state)?;
        let message = Message {
            channels: Channels::new(state.mask),
            gather: state.channel,
            offsets: [state.offset; 3],
            ..Message::new(state.op)
        };
        Ok(Self {
            surface: scene::surface(&state, extent)?,
            sampler: scene::sampler(&state),
            message,
            precision: state.precision,
        })
    }
}
