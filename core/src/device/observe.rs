//! What a lane reads: bytes of memory, and texels with their weights.
//!
//! [`Recorder`] notes the reads of any execution. [`Footprint`] finds the weights by execution itself: the message runs on
//! a surface of the same shape whose texels are all 0 but one, which is 1: the result is that texel's weight, to the last
//! bit, whatever the sampler does to get there. Nothing in the sampler knows of either.

use super::Bound;
use crate::enums::SurfaceFormat;
use crate::error::{Error, Kind, Result, What};
use crate::format::{self, Planar};
use crate::memory::{Access, Element, Layout, Memory};
use crate::message::{Channels, Message, Op, Payload, Width};
use crate::platform::Platform;
use crate::sample::Precision;
use crate::state::{
    AuxMode, BorderColor, ChannelSelect, SamplerState, SurfaceState, SurfaceType, TileMode, TiledResource,
};
use core::cell::RefCell;
use heapless::Vec;

/// A read of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct MemoryRead {
    /// The address of the first byte.
    pub address: u64,
    /// How many bytes.
    pub len: u32,
    /// What was there.
    pub access: Access,
}

/// Memory that notes its reads, at most `N`. It hands out no slices: everything is read texel by texel (block by block).
#[derive(Debug)]
pub struct Recorder<'m, M: ?Sized, const N: usize> {
    memory: &'m M,
    reads: RefCell<Reads<N>>,
}

#[derive(Debug)]
struct Reads<const N: usize> {
    list: Vec<MemoryRead, N>,
    lost: u32,
}

impl<'m, M: Memory + ?Sized, const N: usize> Recorder<'m, M, N> {
    /// Nothing is noted yet.
    pub const fn new(memory: &'m M) -> Self {
        Self { memory, reads: RefCell::new(Reads { list: Vec::new(), lost: 0 }) }
    }

    /// The reads in order, and how many more there were than fit. Forgets them.
    pub fn take(&self) -> (Vec<MemoryRead, N>, u32) {
        let Ok(mut reads) = self.reads.try_borrow_mut() else { return (Vec::new(), 0) };
        let taken = (reads.list.clone(), reads.lost);
        reads.list.clear();
        reads.lost = 0;
        taken
    }
}

impl<M: Memory + ?Sized, const N: usize> Memory for Recorder<'_, M, N> {
    fn read(&self, address: u64, out: &mut [u8]) -> Access {
        let access = self.memory.read(address, out);
        if let Ok(mut reads) = self.reads.try_borrow_mut() {
            if reads.list.push(MemoryRead { address, len: out.len() as u32, access }).is_err() {
                reads.lost = reads.lost.saturating_add(1);
            }
        }
        access
    }
}

/// A texel that a lane's result depends on.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Tap {
    /// The level, counted from the start of memory.
    pub level: u32,
    /// Array layer, `layer * 6 + face`, or z, counted from the start of memory.
    pub slice: u32,
    /// Column and row of the texel.
    pub x: u32,
    /// Row of the texel.
    pub y: u32,
    /// Its weight in the result; gather4 returns each of its texels in a channel of its own, with weight 1.
    pub weight: f32,
    /// The channel of the result that it is in: 0 but for the gather4 family.
    pub channel: u8,
    /// The address of its element (of its block) in the real surface.
    pub address: u64,
}

/// The texels of a lane, at most `N`, and what the border adds.
#[derive(Clone, Debug)]
pub struct Footprint<const N: usize> {
    /// The texels, in the order in which they are first read.
    pub taps: Vec<Tap, N>,
    /// The weight of the border colour (of channel red).
    pub border: f32,
}

/// Memory of zeros with a one at an address, which notes what is asked for.
struct OneHot<const N: usize> {
    hot: Option<u64>,
    asked: RefCell<Vec<u64, N>>,
}

impl<const N: usize> Memory for OneHot<N> {
    fn read(&self, address: u64, out: &mut [u8]) -> Access {
        let value = if self.hot == Some(address) { 1.0_f32 } else { 0.0 };
        for (byte, value) in out.iter_mut().zip(value.to_le_bytes()) {
            *byte = value;
        }
        if let Ok(mut asked) = self.asked.try_borrow_mut() {
            if !asked.contains(&address) {
                // Full: the texel is left out, and the caller told.
                let _ = asked.push(address);
            }
        }
        Access::Mapped
    }
}

/// The operation without its comparison: the same footprint, and weights of what is compared.
const fn uncompared(op: Op) -> Option<Op> {
    Some(match op {
        Op::SampleC => Op::Sample,
        Op::SampleBC => Op::SampleB,
        Op::SampleLC => Op::SampleL,
        Op::SampleDC => Op::SampleD,
        Op::SampleCLz => Op::SampleLz,
        Op::Gather4C => Op::Gather4,
        Op::Gather4PoC => Op::Gather4Po,
        Op::Gather4IC => Op::Gather4I,
        Op::Gather4LC => Op::Gather4L,
        _ => return None,
    })
}

impl<const N: usize> Footprint<N> {
    /// The texels that `lane` of a message depends on, with the weights of the mean filter (a minimum or maximum reduction has
    /// the same texels).
    ///
    /// # Errors
    /// `Unsupported Operation` for queries, multisample fetches and the packed-offset comparisons; `Unsupported Format` for
    /// planar formats and for integers that are filtered; `Capacity Texels` when there are more than `N`; as
    /// [`Bound::execute`].
    pub fn of(
        surface: &SurfaceState,
        sampler: &SamplerState,
        precision: Precision,
        platform: Platform,
        message: &Message,
        payload: &Payload<'_>,
        lane: u32,
    ) -> Result<Self> {
        let unsupported = |what, value: u64| Error::new(Kind::Unsupported, what).value(value);
        let info =
            format::info(surface.format()).ok_or(unsupported(What::Format, surface.format().0.into()))?;
        if Planar::of(surface.format()).is_some() || info.bytes == 0 {
            return Err(unsupported(What::Format, surface.format().0.into()));
        }
        let flags = message.op.flags();
        let queries = matches!(flags.lod, crate::message::LodSource::None) || message.op == Op::Lod;
        let samples =
            surface.samples() > 1 || matches!(message.op, Op::LdMcs | Op::Ld2dms | Op::Ld2dmsW | Op::Ld2dss);
        let op = if flags.compare { uncompared(message.op) } else { Some(message.op) };
        let op =
            op.filter(|_| !queries && !samples).ok_or(unsupported(What::Operation, message.op as u64))?;
        let mut plain = Payload::new();
        for index in usize::from(flags.compare)..payload.len() {
            plain.push(payload.slot(index))?;
        }
        let message = Message {
            op,
            lanes: 1_u32.wrapping_shl(lane) & message.all_lanes(),
            params: message.params.saturating_sub(flags.compare.into()),
            return_width: Width::Full,
            channels: Channels::new(1),
            gather: 0,
            null_mask: false,
            ..*message
        };
        let shape = Shape::new(surface, info.element(), platform)?;
        let mut sampler = *sampler;
        sampler.set_reduction(None);
        let mut device = Bound::<1, 1>::new(platform);
        device.set_precision(precision);
        let mut run = |hot: Option<u64>, border: f32| {
            let memory = OneHot::<N> { hot, asked: RefCell::new(Vec::new()) };
            let mut out = [0; 4 * 128];
            let states = (sampler, BorderColor::from_floats([border; 4]));
            device.execute(&shape.state, Some(&states), &message, &plain, &memory, &mut out)?;
            let at = |channel: usize| {
                channel.wrapping_mul(message.response().stride.into()).wrapping_add(lane as usize * 4)
            };
            let value = |channel| {
                out.get(at(channel)..).and_then(<[u8]>::first_chunk).map_or(0.0, |b| f32::from_le_bytes(*b))
            };
            Ok::<_, Error>((core::array::from_fn::<f32, 4, _>(value), memory.asked.into_inner()))
        };
        let (_, asked) = run(None, 0.0)?;
        if asked.is_full() {
            return Err(Error::new(Kind::Capacity, What::Texels).value(N as u64 + 1));
        }
        let mut footprint = Self { taps: Vec::new(), border: run(None, 1.0)?.0[0] };
        let channels = if op.flags().gather { 4 } else { 1 };
        for address in asked {
            let (weights, _) = run(Some(address), 0.0)?;
            let Some([level, slice, x, y]) = shape.texel(address) else { continue };
            for (channel, weight) in (0..channels).zip(weights) {
                // A texel may be fetched for a weight of 0: it is read then, too.
                if weight != 0.0 || channels == 1 {
                    let tap = Tap {
                        level,
                        slice,
                        x,
                        y,
                        weight,
                        channel,
                        address: shape.address(level, slice, x, y),
                    };
                    footprint
                        .taps
                        .push(tap)
                        .map_err(|_| Error::new(Kind::Capacity, What::Texels).value(N as u64 + 1))?;
                }
            }
        }
        Ok(footprint)
    }

    /// The mean level of the texels, by their weights: the LOD between two levels.
    pub fn level(&self) -> f32 {
        let sum: f32 = self.taps.iter().map(|tap| tap.weight).sum();
        let levels: f32 = self.taps.iter().map(|tap| tap.weight * tap.level as f32).sum();
        if sum == 0.0 { 0.0 } else { levels / sum }
    }
}

/// A surface of the same shape with one float a texel, in rows, at address 0.
struct Shape {
    state: SurfaceState,
    layout: Layout,
    real: Layout,
}

impl Shape {
    fn new(surface: &SurfaceState, element: Element, platform: Platform) -> Result<Self> {
        use ChannelSelect::{Alpha, Blue, Green, Red};
        let real = Layout::new(surface, element, platform)?;
        let mut state = *surface;
        state.set_format(SurfaceFormat::R32_FLOAT).set_tile_mode(TileMode::Linear);
        state.set_tiled_resource(TiledResource::None).set_aux_mode(AuxMode::None);
        state.set_x_offset(0)?.set_y_offset(0)?.set_halign(4).set_valign(4).set_base_address(0);
        state.set_channel_select([Red, Green, Blue, Alpha]);
        if surface.is_buffer() {
            state.set_pitch(4)?;
        } else {
            state.fit(Element::texel(4), platform)?;
        }
        let layout = Layout::new(&state, Element::texel(4), platform)?;
        Ok(Self { state, layout, real })
    }

    /// Level, slice, column and row of the texel at an address.
    fn texel(&self, address: u64) -> Option<[u32; 4]> {
        let element = u32::try_from(address / 4).ok()?;
        if self.state.is_buffer() {
            return Some([0, 0, element, 0]);
        }
        let qpitch = self.layout.qpitch().max(1);
        let row = self.state.surface_type() == SurfaceType::D1;
        let pitch = if row { qpitch } else { self.state.pitch() / 4 };
        let (line, column) = (element.checked_div(pitch)?, element.checked_rem(pitch)?);
        let (slice, line) =
            if row { (line, 0) } else { (line.checked_div(qpitch)?, line.checked_rem(qpitch)?) };
        (0..self.layout.levels()).find_map(|number| {
            let level = self.layout.level(number);
            let (x, y) = (column.checked_sub(level.x)?, line.checked_sub(level.y)?);
            (x < level.width && y < level.height && slice < level.depth).then_some([number, slice, x, y])
        })
    }

    fn address(&self, level: u32, slice: u32, x: u32, y: u32) -> u64 {
        let Element { block_width, block_height, .. } = self.real.element();
        let (x, y) = (x.checked_div(block_width.into()), y.checked_div(block_height.into()));
        self.real.address(level, slice, x.unwrap_or(0), y.unwrap_or(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::{LinearMemory, LinearMemoryMut};
    use crate::state::{AddressMode, Filter, MipFilter};
    use crate::transfer::{Region, SurfaceDescription};
    use std::vec;

    /// For operations, shapes, tile modes, filters and precisions: the weighted texels give the executed result, and memory saw
    /// exactly the footprint's elements.
    #[test]
    fn weights_give_the_result_and_reads_are_the_footprint() {
        let format = SurfaceFormat::R32G32B32A32_FLOAT;
        let shapes = [
            SurfaceDescription::texture_2d(format, 37, 22).with_levels(5).with_layers(2),
            SurfaceDescription::texture_3d(format, 9, 12, 7).with_levels(3),
            SurfaceDescription::cube(format, 16).with_levels(4),
            SurfaceDescription::texture_1d(format, 50).with_levels(3),
        ];
        let mut compared = 0;
        for shape in shapes {
            for tile in [TileMode::Linear, TileMode::XMajor, TileMode::YMajor] {
                for (filter, mip, mode) in [
                    (Filter::Nearest, MipFilter::Nearest, AddressMode::Wrap),
                    (Filter::Linear, MipFilter::Linear, AddressMode::Mirror),
                    (Filter::Anisotropic, MipFilter::Linear, AddressMode::Clamp),
                    (Filter::Linear, MipFilter::None, AddressMode::ClampBorder),
                ] {
                    for (op, params) in
                        [(Op::SampleL, 4), (Op::Sample, 3), (Op::SampleD, 9), (Op::Gather4L, 4)]
                    {
                        if op.flags().gather && shape.surface_type == SurfaceType::D3 {
                            continue;
                        }
                        for precision in [Precision::Float, Precision::Fixed8] {
                            compared += compare(
                                shape.with_tile_mode(tile),
                                (filter, mip, mode),
                                (op, params),
                                precision,
                            );
                        }
                    }
                }
            }
        }
        assert!(compared > 1000, "{compared}");
    }

    fn compare(
        shape: SurfaceDescription,
        (filter, mip, mode): (Filter, MipFilter, AddressMode),
        (op, params): (Op, u8),
        precision: Precision,
    ) -> u32 {
        let surface = SurfaceState::new(&shape.with_base_address(0x1000), Platform::Gen11).unwrap();
        let layout = surface.layout(Platform::Gen11).unwrap();
        let mut bytes = vec![0; surface.required_size(Platform::Gen11).unwrap() as usize];
        let value = |level: u32, slice: u32, x: u32, y: u32| {
            (level * 7 + slice * 5 + x * 3 + y * 11) as f32 % 17.0 - 4.0
        };
        for level in 0..layout.levels() {
            for slice in 0..layout.level(level).depth {
                let region = Region::level(&layout, level, slice);
                let rows: vec::Vec<u8> = (0..region.height)
                    .flat_map(|y| (0..region.width).map(move |x| (x, y)))
                    .flat_map(|(x, y)| [value(level, slice, x, y); 4].map(f32::to_le_bytes).concat())
                    .collect();
                let mut memory = LinearMemoryMut { base: 0x1000, bytes: &mut bytes };
                layout.upload(&region, &rows, region.width as usize * 16, &mut memory).unwrap();
            }
        }
        let mut sampler = SamplerState::default();
        sampler.set_min_filter(filter).set_mag_filter(filter).set_mip_filter(mip).set_max_lod(14 << 8);
        sampler.set_address_modes([mode; 3]).set_max_anisotropy(8);
        let border = BorderColor::from_floats([3.0; 4]);
        let message = Message { params, ..Message::new(op) };
        let lanes: vec::Vec<u8> = (0..u32::from(params) * 8)
            .flat_map(|at| ((at.wrapping_mul(2_654_435_761) >> 12) as f32 / 600_000.0 - 0.3).to_le_bytes())
            .collect();
        let payload = Payload::split([&lanes, &[]], 32, params.into()).unwrap();
        let mut device = Bound::<1, 1>::new(Platform::Gen11);
        device.set_precision(precision);
        let memory = LinearMemory { base: 0x1000, bytes: &bytes };
        for lane in 0..8 {
            let footprint = Footprint::<300>::of(
                &surface,
                &sampler,
                precision,
                Platform::Gen11,
                &message,
                &payload,
                lane,
            )
            .unwrap();
            let recorder = Recorder::<_, 600>::new(&memory);
            let mut out = [0; 128];
            let alone = Message { lanes: 1 << lane, ..message };
            device
                .execute(&surface, Some(&(sampler, border)), &alone, &payload, &recorder, &mut out)
                .unwrap();
            let what = || {
                std::format!(
                    "{op:?} {shape:?} {filter:?} {mip:?} {mode:?} {precision:?} lane {lane}: {footprint:?}"
                )
            };
            for channel in 0..if op.flags().gather { 4 } else { 1 } {
                let taps = footprint.taps.iter().filter(|tap| usize::from(tap.channel) == channel);
                let sum: f64 = taps
                    .map(|tap| f64::from(tap.weight) * f64::from(value(tap.level, tap.slice, tap.x, tap.y)))
                    .sum();
                let at = channel * 32 + lane as usize * 4;
                let got = f32::from_le_bytes(out[at..at + 4].try_into().unwrap());
                if channel == 0 || mode != AddressMode::ClampBorder {
                    let want = sum + 3.0 * f64::from(footprint.border);
                    assert!((want - f64::from(got)).abs() < 1e-4, "{want} {got} {}", what());
                }
            }
            let (reads, lost) = recorder.take();
            assert_eq!(lost, 0);
            let mut seen: vec::Vec<u64> = reads.iter().map(|read| read.address).collect();
            let mut told: vec::Vec<u64> = footprint.taps.iter().map(|tap| tap.address).collect();
            seen.sort_unstable();
            seen.dedup();
            told.sort_unstable();
            told.dedup();
            assert_eq!(seen, told, "{}", what());
        }
        8
    }
}
