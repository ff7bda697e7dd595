//! The wire-neutral message: a request to the sampler, the same for all wires.
//!
//! Lowering (`eu`, `visa`, `txq`) makes a [`Message`]; [`sample`](crate::sample) executes it
//! with a [`Payload`] of parameters and writes the [`Response`] layout into the caller's registers.

mod op;
mod payload;
mod response;

pub(crate) use op::ParamIndices;
pub use op::{LodSource, Op, OpFlags, Param};
pub(crate) use payload::raw_lane;
pub use payload::{MAX_PARAMS, Payload};
pub use response::{MAX_RESPONSE, Response};

/// Width of the elements of a parameter or a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Width {
    /// 16 bits: half float, or the low half of an integer.
    Half,
    /// 32 bits.
    #[default]
    Full,
}

impl Width {
    /// Returns the bytes of one element.
    pub const fn bytes(self) -> usize {
        match self {
            Self::Half => 2,
            Self::Full => 4,
        }
    }
}

/// How a message names a surface or a sampler.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Binding {
    /// An index of the binding table or the sampler state table (visa: the index in the instruction;
    /// TXQ: the header or sampler index).
    Index(u32),
    /// A bindless handle as the message carries it.
    Bindless(u32),
    /// The index or handle is only known at run time, and the caller did not supply it.
    Unresolved,
}

impl Default for Binding {
    fn default() -> Self {
        Self::Index(0)
    }
}

/// A set of the four channels: bit 0 red, 1 green, 2 blue, 3 alpha.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Channels(u8);

impl Channels {
    /// Red, green, blue and alpha.
    pub const RGBA: Self = Self(15);

    /// Returns the set of channels in the low four bits of `mask`.
    pub const fn new(mask: u8) -> Self {
        Self(mask & 15)
    }

    /// Returns the mask: bit 0 red .. bit 3 alpha.
    pub const fn mask(self) -> u8 {
        self.0
    }

    /// Returns how many channels are in the set.
    pub const fn count(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Returns true if channel `index` (0 red .. 3 alpha) is in the set.
    pub const fn contains(self, index: usize) -> bool {
        index < 4 && self.0 >> index & 1 == 1
    }
}

impl Default for Channels {
    fn default() -> Self {
        Self::RGBA
    }
}

impl core::fmt::Debug for Channels {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        for (index, letter) in "RGBA".chars().enumerate() {
            if self.contains(index) {
                core::fmt::Write::write_char(f, letter)?;
            }
        }
        Ok(())
    }
}

/// A sampler message.
///
/// The parameters themselves are not part of it: they are lanes of registers, see [`Payload`].
// repr(C), in this order: fields that `shape` packs into one word are adjacent in memory.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Message {
    /// The operation.
    pub op: Op,
    /// Lanes of the message: 1, 2, 4, 8, 16 or 32. Lanes 4q..4q+3 are subspan q.
    pub simd: u8,
    /// The execution mask, one bit per lane; the destination of inactive lanes is not changed.
    pub lanes: u32,
    /// How many of [`Op::params`] are present; missing trailing parameters are 0.
    pub params: u8,
    /// Width of every parameter.
    pub param_width: Width,
    /// Width of the result.
    pub return_width: Width,
    /// Channels that are returned. gather4 family: always all four.
    pub channels: Channels,
    /// Source channel of the gather4 family, 0 red .. 3 alpha.
    pub gather: u8,
    /// Immediate texel offsets in U, V, R order, -8..=7.
    pub offsets: [i8; 3],
    /// The response has an additional register after the channels, with the pixel null mask.
    pub null_mask: bool,
    /// The response ends with an additional register with the kill mask (`sample+killpix`): a bit for each lane, 1 where no chroma key
    /// killed it.
    pub kill_mask: bool,
    /// Coarse pixel shading: the sampler compensates the LOD.
    pub cps: bool,
    /// The sampler may differ per thread (`divS`).
    pub non_uniform: bool,
    /// Bytes of a register of the destination: 32, or 64 on Xe-HPC and Xe2.
    pub register_bytes: u8,
    /// The surface.
    pub surface: Binding,
    /// The sampler; ops without [`OpFlags::sampler`] ignore it.
    pub sampler: Binding,
}

const _: () = assert!(size_of::<Message>() <= 40);

impl Message {
    /// Returns a SIMD8 message with every lane and channel enabled, 32 bits wide, with all parameters and no offsets.
    pub const fn new(op: Op) -> Self {
        Self {
            op,
            simd: 8,
            lanes: 0xff,
            params: op.params(Width::Full).len() as u8,
            param_width: Width::Full,
            return_width: Width::Full,
            channels: Channels::RGBA,
            gather: 0,
            offsets: [0; 3],
            null_mask: false,
            kill_mask: false,
            cps: false,
            non_uniform: false,
            register_bytes: 32,
            surface: Binding::Index(0),
            sampler: Binding::Index(0),
        }
    }

    /// Returns true if the messages are equal except for their execution masks.
    #[inline(always)]
    pub(crate) fn is_like(&self, other: &Self) -> bool {
        // A device calls this for every message. Comparing packed words takes four loads instead of fifteen.
        self.shape() == other.shape() && self.surface == other.surface && self.sampler == other.sampler
    }

    /// Returns all fields except the execution mask, the surface and the sampler, packed into words.
    #[inline(always)]
    fn shape(&self) -> (u16, u64, u32, u8) {
        let Self {
            op,
            simd,
            lanes: _,
            params,
            param_width,
            return_width,
            channels,
            gather,
            offsets,
            null_mask,
            kill_mask,
            cps,
            non_uniform,
            register_bytes,
            surface: _,
            sampler: _,
        } = *self;
        let widths = [param_width as u8, return_width as u8];
        let [u, v, r] = offsets.map(|offset| offset as u8);
        (
            u16::from_le_bytes([op as u8, simd]),
            u64::from_le_bytes([params, widths[0], widths[1], channels.0, gather, u, v, r]),
            u32::from_le_bytes([null_mask, kill_mask, cps, non_uniform].map(u8::from)),
            register_bytes,
        )
    }

    /// Returns a mask with a bit for every lane of the message, active or not.
    pub const fn all_lanes(&self) -> u32 {
        if self.simd >= 32 { u32::MAX } else { (1 << self.simd) - 1 }
    }

    /// Returns the parameters that are present, in payload order.
    pub fn present(&self) -> &'static [Param] {
        let all = self.op.params(self.param_width);
        all.get(..usize::from(self.params)).unwrap_or(all)
    }

    /// Returns the register layout of the results.
    #[inline]
    pub const fn response(&self) -> Response {
        Response::of(self)
    }
}
