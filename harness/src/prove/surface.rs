//! A message on a small surface that is executed many times, with other memory or parameters.

use texwire::Platform;
use texwire::memory::LinearMemory;
use texwire::message::{Channels, Message, Op, Payload, Response, Width};
use texwire::sample::{Prepared, Sampler, Scratch, Texture};
use texwire::state::{SamplerState, SurfaceState};
use texwire::transfer::SurfaceDescription;

/// Lanes of a message.
pub(super) const LANES: usize = 16;

const PLATFORM: Platform = Platform::Gen11;

/// A SIMD16 message on a linear surface, with the surface's memory.
pub(super) struct SampledMessage {
    prepared: Prepared<'static>,
    message: Message,
    response: Response,
    scratch: Box<Scratch>,
    /// The surface's memory, which begins at address 0.
    pub(super) memory: Vec<u8>,
    /// Bytes from one array slice to the next.
    pub(super) slice_bytes: usize,
    payload: Vec<u8>,
    out: Vec<u8>,
}

/// Description of a message with its surface and sampler.
pub(super) struct Setup {
    pub(super) surface: SurfaceDescription,
    pub(super) array: bool,
    pub(super) sampler: SamplerState,
    pub(super) op: Op,
    /// The number of parameters that are sent.
    pub(super) params: u8,
    pub(super) param_width: Width,
    pub(super) return_width: Width,
    pub(super) channels: u8,
    pub(super) palette: &'static [u32],
}

impl Setup {
    /// Describes message `op` with two parameters of 32 bits that returns all channels.
    pub(super) fn new(op: Op, surface: SurfaceDescription) -> Self {
        Self {
            surface,
            array: false,
            sampler: SamplerState::default(),
            op,
            params: 2,
            param_width: Width::Full,
            return_width: Width::Full,
            channels: 15,
            palette: &[],
        }
    }

    /// Binds the states and prepares the message.
    pub(super) fn bind(&self) -> Result<SampledMessage, String> {
        let say = |why: texwire::Error| why.to_string();
        let mut state = SurfaceState::new(&self.surface, PLATFORM).map_err(say)?;
        state.set_array(self.array);
        let texture = Texture::with_palette(&state, PLATFORM, self.palette).map_err(say)?;
        let sampler = Sampler::bind(&self.sampler, &[0; 4]).map_err(say)?;
        let message = Message {
            simd: LANES as u8,
            lanes: 0xffff,
            params: self.params,
            param_width: self.param_width,
            return_width: self.return_width,
            channels: Channels::new(self.channels),
            ..Message::new(self.op)
        };
        let prepared =
            Prepared::with_stages(&texture, &sampler, &message, crate::simd::best()).map_err(say)?;
        let bytes =
            usize::try_from(state.required_size(PLATFORM).map_err(say)?).map_err(|why| why.to_string())?;
        let slices = if self.array { self.surface.depth as usize } else { 1 };
        let response = message.response();
        Ok(SampledMessage {
            out: vec![0; response.len.into()],
            response,
            payload: vec![0; LANES * self.param_width.bytes() * usize::from(self.params)],
            slice_bytes: bytes / slices,
            memory: vec![0; bytes],
            prepared,
            message,
            scratch: Box::default(),
        })
    }
}

impl SampledMessage {
    /// Sets parameter `index` of a lane. For 16-bit parameters, the value is in the lower half of `bits`.
    pub(super) fn set(&mut self, index: usize, lane: usize, bits: u32) {
        let width = self.message.param_width.bytes();
        let at = (index * LANES + lane) * width;
        self.payload[at..at + width].copy_from_slice(&bits.to_le_bytes()[..width]);
    }

    /// Executes the message.
    pub(super) fn execute(&mut self) -> Result<(), String> {
        let bytes = LANES * self.message.param_width.bytes();
        let payload = Payload::split([&self.payload, &[]], bytes, self.message.params.into());
        let memory = LinearMemory { base: 0, bytes: &self.memory };
        let run = payload.and_then(|payload| {
            self.prepared.execute(&mut self.scratch, self.message.lanes, &payload, &memory, &mut self.out)
        });
        match run {
            Ok(outcome) if outcome.faults == 0 => Ok(()),
            Ok(outcome) => Err(format!("lanes {:#x} fault", outcome.faults)),
            Err(why) => Err(why.to_string()),
        }
    }

    /// Returns a lane's result; `channel` counts the returned channels.
    pub(super) fn result(&self, channel: usize, lane: usize) -> u32 {
        let (at, width) = (channel * usize::from(self.response.stride), self.response.width.bytes());
        let bytes = &self.out[at + lane * width..][..width];
        bytes.iter().rev().fold(0, |value, byte| value << 8 | u32::from(*byte))
    }
}
