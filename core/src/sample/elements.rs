//! Where the elements of a surface are, for stages that read all lanes at once.

use super::fetch::FetchKernel;
use super::lanes::LANES;
use super::stages::Stages;
use super::texture::{Source, Texture};
use crate::memory::LevelAddressing;

/// Where elements are read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Elements {
    pub(super) tile: LevelAddressing,
    /// log2 of an element's bytes.
    pub(super) log2_bytes: usize,
    pub(super) fetch: FetchKernel,
    /// Address of the first byte of the surface.
    pub(super) base: u64,
    /// Bytes of the whole surface.
    pub(super) len: usize,
}

impl Elements {
    /// `None` where elements are not at multiples of their size, or too many for an index.
    #[inline(never)]
    pub(super) fn new(texture: &Texture<'_>, stages: &Stages) -> Option<Self> {
        let Source::Plain { layout, .. } = &texture.source else { return None };
        let bytes = u32::from(layout.element().bytes);
        let log2_bytes = bytes.is_power_of_two().then(|| bytes.trailing_zeros() as usize)?;
        // Small targets do not ask for the whole surface.
        let len = if LANES > 1 { texture.span() } else { 0 };
        if len >> log2_bytes > i32::MAX as u64 {
            return None;
        }
        Some(Self {
            tile: layout.addressing(0).filter(|_| layout.surface().bytes == bytes)?,
            log2_bytes,
            fetch: *stages.fetch.get(log2_bytes)?,
            base: layout.surface().base,
            len: usize::try_from(len).ok()?,
        })
    }
}
