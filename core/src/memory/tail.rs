//! Mip tails: the positions of the small mip levels of a tiled resource, which share one tile.
//!
//! A slot is a byte offset in a tile of 64 KiB, that of the largest mip level first; mip level `Mip Tail Start LOD` has the first
//! slot. Tiles of 4 KiB start at slot 4. (Intel gmmlib 12.10, `GmmTexture.h`; Mesa's isl agrees in 2D and 3D.)

use crate::Platform;

/// The slots of a tile, as byte offsets.
pub(super) type TailSlots = [u16; 16];

/// Marks entries of a table that are not slots.
pub(super) const NONE: u16 = u16::MAX;

#[rustfmt::skip]
const GEN9_1D: TailSlots = [32768, 16384, 8192, 4096, 2048, 1024, 768, 512, 448, 384, 320, 256, 192, 128, 64, 0];
#[rustfmt::skip]
const GEN9_2D: TailSlots = [32768, 16384, 8192, 4096, 2048, 1536, 1280, 1024, 768, 512, 256, 192, 128, 64, 0, NONE];
#[rustfmt::skip]
const GEN11_2D: TailSlots = [32768, 16384, 8192, 4096, 2048, 1536, 1280, 1024, 768, 512, 256, 0, 64, 128, 192, NONE];
#[rustfmt::skip]
const GEN9_3D: TailSlots = [32768, 16384, 8192, 4096, 2048, 1024, 768, 512, 448, 384, 320, 256, 192, 128, 64, 0];
#[rustfmt::skip]
const GEN9_3D_4_BYTES: TailSlots = [32768, 16384, 8192, 4096, 2048, 1024, 768, 256, 704, 640, 576, 512, 192, 128, 64, 0];
#[rustfmt::skip]
const GEN11_3D_1_2_BYTES: TailSlots = [32768, 16384, 8192, 4096, 2048, 1032, 1536, 1024, 520, 8, 512, 260, 256, 4, 0, NONE];
#[rustfmt::skip]
const GEN11_3D_4_BYTES: TailSlots = [32768, 16384, 8192, 4096, 2048, 1536, 1280, 1024, 768, 512, 256, 136, 128, 8, 0, NONE];
#[rustfmt::skip]
const GEN11_3D_8_16_BYTES: TailSlots = [32768, 16384, 8192, 4096, 2048, 1536, 1056, 1024, 544, 512, 32, 384, 128, 256, 0, NONE];

/// Returns the slots of a platform, for surfaces of 1 to 3 dimensions and elements of `1 << log2_bytes` bytes.
pub(super) const fn slots(platform: Platform, dimensions: u8, log2_bytes: u8) -> &'static TailSlots {
    let gen9 = matches!(platform, Platform::Gen9);
    match (dimensions, gen9, log2_bytes) {
        (1, _, _) => &GEN9_1D,
        (2, true, _) => &GEN9_2D,
        (2, false, _) => &GEN11_2D,
        (_, true, 2) => &GEN9_3D_4_BYTES,
        (_, true, _) => &GEN9_3D,
        (_, false, 0 | 1) => &GEN11_3D_1_2_BYTES,
        (_, false, 2) => &GEN11_3D_4_BYTES,
        (_, false, _) => &GEN11_3D_8_16_BYTES,
    }
}
