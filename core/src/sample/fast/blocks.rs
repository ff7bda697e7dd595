//! Block-compressed formats: whole blocks from a cache that the caller owns.

use super::levels::Grid;
use super::places::{Where, nearest, plane, weights};
use super::simd::{F4, LANES, Lanes};
use crate::format::{BlockCache, Codec, Texel};

/// Decoded blocks of a surface by address.
pub(in super::super) trait Blocks {
    /// The texels of the block at `address`; `None` when nothing is kept.
    fn block(&mut self, address: u64, bytes: &[u8], codec: &Codec<'_>) -> Option<&[Texel; 16]>;
}

impl<const N: usize> Blocks for BlockCache<N> {
    #[inline]
    fn block(&mut self, address: u64, bytes: &[u8], codec: &Codec<'_>) -> Option<&[Texel; 16]> {
        self.get(address, codec.info().bytes, || codec.decode_block(bytes).unwrap_or([[0; 4]; 16]))
    }
}

/// The surface's blocks.
pub(super) struct Source<'a> {
    pub(super) data: &'a [u8],
    /// Blocks from row to row.
    pub(super) pitch: u32,
    pub(super) codec: Codec<'a>,
    /// Address of the first byte.
    pub(super) start: u64,
    pub(super) cache: &'a mut dyn Blocks,
}

impl Source<'_> {
    /// The texels at (`x`, `y`) pairs of one slice of one level, which begins at element `offset`.
    #[inline(always)]
    fn texels<const T: usize>(&mut self, offset: u32, at: [(u32, u32); T]) -> [[f32; 4]; T] {
        let size = u32::from(self.codec.info().bytes);
        let place = |(x, y): (u32, u32)| {
            let row = (y >> 2).wrapping_mul(self.pitch);
            offset.wrapping_add(row).wrapping_add(x >> 2).wrapping_mul(size)
        };
        let places = at.map(place);
        let [first, ..] = places.as_slice() else { return [[0.0; 4]; T] };
        let inside = |(x, y): (u32, u32)| (y & 3) << 2 | x & 3;
        if places.iter().all(|place| place == first) {
            // The usual case: one block has them all.
            if let Some(texels) = self.block(*first) {
                return at
                    .map(|at| texels.get(inside(at) as usize).map_or([0.0; 4], |t| t.map(f32::from_bits)));
            }
        }
        let mut out = [[0.0; 4]; T];
        for ((out, at), place) in out.iter_mut().zip(at).zip(places) {
            let texel = match self.block(place) {
                Some(texels) => texels.get(inside(at) as usize).copied().unwrap_or([0; 4]),
                None => self.codec.decode(self.data.get(place as usize..).unwrap_or_default(), at.0, at.1),
            };
            *out = texel.map(f32::from_bits);
        }
        out
    }

    #[inline(always)]
    fn block(&mut self, place: u32) -> Option<&[Texel; 16]> {
        let bytes = self.data.get(place as usize..).unwrap_or_default();
        self.cache.block(self.start.wrapping_add(place.into()), bytes, &self.codec)
    }

    fn with_defaults(&self, mut values: [F4; 4]) -> [F4; 4] {
        let channels = self.codec.info().channels;
        for ((channel, value), default) in (0..).zip(&mut values).zip([0.0, 0.0, 0.0, 1.0]) {
            if channels >> channel & 1 == 0 {
                *value = Lanes::splat(default);
            }
        }
        values
    }

    /// LINEAR on 2D.
    #[inline(always)]
    pub(super) fn bilinear(&mut self, at: &Where, grid: &Grid, coordinate: [F4; 3]) -> [F4; 4] {
        let (x, y) = plane(at, grid, coordinate, at.modes);
        let Lanes(offset) = at.start(grid);
        let [wa, wb, wc, wd] = weights(x.rest, y.rest);
        let ([x0, x1], [y0, y1]) = (x.index, y.index);
        let columns = x0.0.into_iter().zip(x1.0);
        let rows = y0.0.into_iter().zip(y1.0);
        let weights = wa.0.into_iter().zip(wb.0).zip(wc.0.into_iter().zip(wd.0));
        let mut lanes = [[0.0_f32; 4]; LANES];
        for ((((offset, (x0, x1)), (y0, y1)), ((wa, wb), (wc, wd))), lane) in
            offset.into_iter().zip(columns).zip(rows).zip(weights).zip(&mut lanes)
        {
            let [a, b, c, d] = self.texels(offset, [(x0, y0), (x1, y0), (x0, y1), (x1, y1)]).map(Lanes);
            let weigh = |texel: F4, weight: f32| texel.map(|c| c * weight);
            *lane = (weigh(a, wa) + weigh(b, wb) + weigh(c, wc) + weigh(d, wd)).0;
        }
        let [a, b, c, d] = lanes.map(Lanes);
        let ab = a.zip(b, |a, b| (a, b));
        let channels = ab.zip(c.zip(d, |c, d| (c, d)), |(a, b), (c, d)| [a, b, c, d]);
        let values = channels.0;
        self.with_defaults(values.map(Lanes))
    }

    /// NEAREST on 2D.
    #[inline(always)]
    pub(super) fn point(&mut self, at: &Where, grid: &Grid, coordinate: [F4; 3]) -> [F4; 4] {
        let [u, v, _] = coordinate;
        let [mu, mv, _] = at.modes;
        let [ou, ov, _] = at.offsets;
        let [width, height, _] = &grid.sides;
        let ((x, _), (y, _)) = (nearest(mu, u, ou, width), nearest(mv, v, ov, height));
        let Lanes(offset) = at.start(grid);
        let mut values = [[0.0_f32; LANES]; 4];
        for (lane, ((offset, x), y)) in offset.into_iter().zip(x.0).zip(y.0).enumerate() {
            let [texel] = self.texels(offset, [(x, y)]);
            for (value, texel) in values.iter_mut().zip(texel) {
                if let Some(value) = value.get_mut(lane) {
                    *value = texel;
                }
            }
        }
        values.map(Lanes)
    }
}
