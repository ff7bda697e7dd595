//! Presents a multisample control surface (MCS) as a texture of its own.

use super::texture::{ChannelSource, TexelSource, Texture};
use crate::enums::SurfaceFormat;
use crate::format::FormatDecoder;
use crate::memory::Layout;
use crate::message::Width;

impl<'p> Texture<'p> {
    /// Returns the control surface as a texture whose texels are the results of `ld_mcs` in `width`, so that prepared messages read
    /// it like any other surface. `None` if the texture has no control surface.
    pub(crate) fn of_controls(&self, width: Width) -> Option<Self> {
        let mcs = self.mcs.as_ref()?;
        let plane = mcs.plane(self.samples);
        let format = match (plane.bytes, width) {
            (8, Width::Full) => SurfaceFormat::R32G32_UINT,
            (8, Width::Half) => SurfaceFormat::R16G16B16A16_UINT,
            (4, Width::Full) => SurfaceFormat::R32_UINT,
            (4, Width::Half) => SurfaceFormat::R16G16_UINT,
            _ => SurfaceFormat::R8_UINT,
        };
        let codec = FormatDecoder::new(format).ok()?;
        let slices = self.first_slice.saturating_add(self.layers);
        let layout =
            Layout::of_plane(plane, codec.info().element(), [self.size[0], self.size[1], slices], mcs.qpitch);
        let select = [0, 1, 2, 3].map(|channel: u8| match codec.info().channels >> channel & 1 {
            0 => ChannelSource::Constant(0),
            _ => ChannelSource::Channel(channel),
        });
        Some(Self {
            samples: 1,
            select,
            source: TexelSource::Plain { codec, layout },
            info: Some(codec.info()),
            mcs: None,
            is_control: true,
            ..self.clone()
        })
    }
}
