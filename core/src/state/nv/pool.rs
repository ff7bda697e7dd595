//! Texture handles, and the limits of the pools that they point into.

/// A 32-bit texture handle: bits 19:0 header index, 31:20 sampler index.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Handle(u32);

impl Handle {
    /// Returns the handle with these bits.
    pub const fn new(raw: u32) -> Self {
        Self(raw)
    }

    /// Joins a header index (low 20 bits) and a sampler index (low 12 bits).
    pub const fn join(header: u32, sampler: u32) -> Self {
        Self(sampler << 20 | header & 0xf_ffff)
    }

    /// The 32 bits.
    pub const fn raw(self) -> u32 {
        self.0
    }

    /// The index into the header pool.
    pub const fn header(self) -> u32 {
        self.0 & 0xf_ffff
    }

    /// The index into the sampler pool when samplers are bound independently
    /// (see [`Limits::sampler`] for the other mode).
    pub const fn sampler(self) -> u32 {
        self.0 >> 20
    }
}

/// The sizes of the pools and the binding mode (SET_TEX_HEADER_POOL, SET_TEX_SAMPLER_POOL,
/// SET_SAMPLER_BINDING). Both limits are inclusive: a larger index is an invalid texture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Limits {
    /// MAXIMUM_INDEX of the header pool.
    pub max_header: u32,
    /// MAXIMUM_INDEX of the sampler pool.
    pub max_sampler: u32,
    /// Via header binding: the header index is also the sampler index.
    pub via_header: bool,
}

impl Limits {
    /// Returns the sampler index of a handle, as the binding mode defines it.
    pub const fn sampler(&self, handle: Handle) -> u32 {
        if self.via_header { handle.header() } else { handle.sampler() }
    }

    /// Returns whether the header index is in the pool.
    pub const fn header_valid(&self, handle: Handle) -> bool {
        handle.header() <= self.max_header
    }

    /// Returns whether the sampler index is in the pool.
    pub const fn sampler_valid(&self, handle: Handle) -> bool {
        self.sampler(handle) <= self.max_sampler
    }
}

impl Default for Limits {
    /// Every index is valid; samplers are bound independently.
    fn default() -> Self {
        Self { max_header: u32::MAX, max_sampler: u32::MAX, via_header: false }
    }
}
