//! Observing what a lane reads: its LOD and mip levels, texels with their weights, bytes of memory.
//!
//! [`Recorder`] records the reads of any execution. [`Footprint`] takes LOD and mip levels from the sampler's own stages, and measures
//! weights by execution itself: the message runs on a surface of the same shape in which one texel is 1 and all others are 0, so
//! that the result is that texel's weight, to the last bit, whatever the sampler does to get there. Neither changes how messages
//! are executed otherwise.

use super::{Device, StateExecutor};
use crate::bits::copy_front;
use crate::enums::SurfaceFormat;
use crate::error::{Error, Kind, Result, What};
use crate::format;
use crate::memory::{Access, Element, Layout, Memory};
use crate::message::{Channels, MAX_RESPONSE, Message, Op, Payload, Width};
use crate::platform::Platform;
use crate::sample::{LaneLod, LoadedTexel, Prepared, Sampler, Scratch, Texture};
use crate::state::{
    AuxMode, BorderColor, ChannelSelect, SamplerState, SurfaceState, SurfaceType, TileMode, TiledResource,
};
use core::cell::{Cell, RefCell};
use heapless::Vec;

/// A read of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct MemoryRead {
    /// The address of the first byte.
    pub address: u64,
    /// How many bytes.
    pub len: u32,
    /// Whether the memory was mapped, a null page, or faulted.
    pub access: Access,
}

/// Memory that records its reads, at most `N`. It hands out no slices, so that everything is read texel by texel (or block by block).
#[derive(Debug)]
pub struct Recorder<'m, M: ?Sized, const N: usize> {
    memory: &'m M,
    /// The reads in order, and how many more there were than fit.
    reads: RefCell<(Vec<MemoryRead, N>, u32)>,
}

impl<'m, M: Memory + ?Sized, const N: usize> Recorder<'m, M, N> {
    /// Wraps `memory`; no reads are recorded yet.
    pub const fn new(memory: &'m M) -> Self {
        Self { memory, reads: RefCell::new((Vec::new(), 0)) }
    }

    /// Returns the recorded reads in order, and how many more there were than fit. Forgets both.
    pub fn take(&self) -> (Vec<MemoryRead, N>, u32) {
        self.reads.try_borrow_mut().map(|mut reads| core::mem::take(&mut *reads)).unwrap_or_default()
    }
}

impl<M: Memory + ?Sized, const N: usize> Memory for Recorder<'_, M, N> {
    fn read(&self, address: u64, out: &mut [u8]) -> Access {
        let access = self.memory.read(address, out);
        if let Ok(mut reads) = self.reads.try_borrow_mut() {
            let (list, lost) = &mut *reads;
            if list.push(MemoryRead { address, len: out.len() as u32, access }).is_err() {
                *lost = lost.saturating_add(1);
            }
        }
        access
    }
}

/// The kind of a tap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum TapKind {
    /// A texel of the surface.
    Texel,
    /// An element of the multisample control surface (`ld_mcs`).
    Control,
    /// The clear colour in place of a sample, from the surface state or from memory.
    ClearColor,
}

/// A texel that a lane's result depends on.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Tap {
    /// The kind of the tap.
    pub kind: TapKind,
    /// The mip level, counted from the first one in memory.
    pub level: u32,
    /// The array layer, `layer * 6 + face` of a cube, or z of a volume, counted from the first slice in memory.
    pub slice: u32,
    /// Column of the texel.
    pub x: u32,
    /// Row of the texel.
    pub y: u32,
    /// The plane of a multisampled surface; 0 without samples.
    pub sample: u32,
    /// Its weight in the result; gather4 returns each of its texels in a channel of its own, with weight 1 (a third for
    /// each texel that the corner of a cube is made of).
    pub weight: f32,
    /// The channel of the result that it is part of: 0 except for the gather4 family.
    pub channel: u8,
    reads: [MemoryRead; MAX_TAP_READS],
    count: u8,
}

/// The most reads that a texel takes: the three components of an element in tiles (luma and chroma are two).
const MAX_TAP_READS: usize = 3;
/// The most reads that are recorded of the execution of a load, which can make some of them twice.
const RECORDED: usize = 2 * MAX_TAP_READS;

impl Tap {
    /// Returns the reads of its element in order: mostly one. Elements of three components can lie in pieces
    /// (nothing is read after a piece that faults); planar texels have two reads, of luma and chroma; a clear colour from the surface
    /// state has none.
    pub fn reads(&self) -> &[MemoryRead] {
        self.reads.get(..self.count.into()).unwrap_or_default()
    }

    /// Returns the address of the first byte that is read.
    pub fn address(&self) -> Option<u64> {
        self.reads().first().map(|read| read.address)
    }

    /// Returns the worst of what its reads met: a fault, else a null page, else mapped memory.
    pub fn access(&self) -> Access {
        let worst = |worst, read: &MemoryRead| match (worst, read.access) {
            (Access::Fault, _) | (_, Access::Fault) => Access::Fault,
            (Access::NullPage, _) | (_, Access::NullPage) => Access::NullPage,
            (Access::Mapped, Access::Mapped) => Access::Mapped,
        };
        self.reads().iter().fold(Access::Mapped, worst)
    }
}

/// The texels of a lane, at most `N`, and the weight of the border. No lane has more than 128 (16 anisotropic samples of 4 texels
/// on 2 mip levels); 16 hold every lane without anisotropy.
#[derive(Clone, Debug, PartialEq)]
pub struct Footprint<const N: usize> {
    /// The level of detail; `None` for loads, queries, null surfaces and disabled samplers.
    pub lod: Option<LaneLod>,
    /// The texels, in the order in which they are first read.
    pub taps: Vec<Tap, N>,
    /// The weight of the border colour in the result (gather4: in each channel).
    pub border: [f32; 4],
}

/// The integer that stands for a texel of 1: 3 times a power of two, so that a third of it is a whole number, too.
const HOT_INTEGER: u32 = 3 << 20;

/// Memory of zeros, except for one texel. It records the different addresses that are read.
struct OneHot<const N: usize> {
    hot: Option<(u64, [u8; 4])>,
    asked: RefCell<Vec<u64, N>>,
    /// More addresses were read than fit.
    overflowed: Cell<bool>,
}

impl<const N: usize> Memory for OneHot<N> {
    fn read(&self, address: u64, out: &mut [u8]) -> Access {
        let value = self.hot.filter(|(hot, _)| *hot == address).map_or([0; 4], |(_, value)| value);
        copy_front(out, &value);
        if let Ok(mut asked) = self.asked.try_borrow_mut() {
            if !asked.contains(&address) && asked.push(address).is_err() {
                self.overflowed.set(true);
            }
        }
        Access::Mapped
    }
}

/// Returns the operation without its comparison or reduction: it reads the same texels, with the weights of the mean.
const fn averaging(op: Op) -> Op {
    match op {
        Op::SampleC => Op::Sample,
        Op::SampleBC => Op::SampleB,
        Op::SampleLC => Op::SampleL,
        Op::SampleDC => Op::SampleD,
        Op::SampleCLz => Op::SampleLz,
        Op::Gather4C => Op::Gather4,
        Op::Gather4PoC => Op::Gather4Po,
        Op::Gather4IC => Op::Gather4I,
        Op::Gather4LC => Op::Gather4L,
        Op::Gather4PoCPacked => Op::Gather4PoPacked,
        Op::Gather4PoIC => Op::Gather4PoI,
        Op::Gather4PoLC => Op::Gather4PoL,
        Op::SampleMin | Op::SampleMax => Op::Sample,
        op => op,
    }
}

impl<'p, const TEXTURES: usize, const SAMPLERS: usize> StateExecutor<'p, TEXTURES, SAMPLERS> {
    /// Returns what lane `lane` of a message reads, active or not: its LOD and mip levels, and every texel with its weight and the
    /// reads of its bytes from `memory`. Weights are those of the mean filter; a minimum or maximum is taken of the texels whose
    /// weight is not 0; of a comparison, they are the weights of its results.
    ///
    /// The cache is neither used nor changed. It takes an execution for each texel.
    ///
    /// # Errors
    /// As [`execute`](Self::execute); `Invalid Lane` for a lane that the message does not have; `Capacity Taps` with `N + 1` when
    /// there are more than `N`; those of [`SurfaceState::fit`] for a surface that is too large as rows of 32-bit texels.
    pub fn footprint<const N: usize, M: Memory + ?Sized>(
        &self,
        surface: &SurfaceState,
        sampler: Option<&(SamplerState, BorderColor)>,
        message: &Message,
        payload: &Payload<'_>,
        lane: u32,
        memory: &M,
    ) -> Result<Footprint<N>> {
        if lane >= message.simd.into() {
            return Err(Error::new(Kind::Invalid, What::Lane).value(lane.into()));
        }
        let texture = self.options.texture(&self.palettes, surface)?;
        let uses_sampler = message.op.flags().sampler;
        let (state, colour) = sampler.filter(|_| uses_sampler).copied().unwrap_or_default();
        let bound = self.options.sampler(uses_sampler.then_some((&state, &colour)))?;
        let message = Message { lanes: 1_u32.wrapping_shl(lane), ..*message };
        let prepared = Prepared::new(&texture, &bound, &message)?;
        let mut scratch = Scratch::new();
        let lod = prepared.lod(&mut scratch, payload, lane);
        let mut footprint = Footprint { lod, taps: Vec::new(), border: [0.0; 4] };
        if let Some(loaded) = prepared.texel(&mut scratch, payload, lane) {
            if let Some(tap) = Tap::loaded(loaded, message.op) {
                // Its reads are those that execution makes: of its element, the control surface or the clear colour.
                let tap = tap.with_reads(memory, |memory| {
                    let mut out = [0; MAX_RESPONSE];
                    let _ = prepared.execute(&mut scratch, message.lanes, payload, memory, &mut out);
                });
                // Without a control surface, the MCS value is the identity and nothing is read.
                if tap.kind != TapKind::Control || tap.address().is_some() {
                    footprint.push(tap)?;
                }
            }
        } else if prepared.filters() {
            let integer = texture.format().is_some_and(|info| info.kind != format::TexelKind::Float);
            let stand_in = StandInSurface::new(surface, integer, self.platform())?;
            let compares = message.op.flags().compare;
            let message = measuring(&message);
            let mut plain = Payload::new();
            for index in usize::from(compares)..payload.len() {
                plain.push(payload.slot(index))?;
            }
            let mut state = state;
            state.set_reduction(None);
            let bind = |border: &BorderColor| self.options.sampler(Some((&state, border)));
            let samplers = [bind(&BorderColor::default())?, bind(&stand_in.colour())?];
            let measured =
                StandInMessage { surface: &stand_in, message: &message, payload: &plain, lane, samplers };
            measured.add_taps(&mut footprint, &mut scratch, &texture, memory)?;
        }
        Ok(footprint)
    }
}

impl<const TEXTURES: usize, const SAMPLERS: usize> Device<'_, TEXTURES, SAMPLERS> {
    /// Returns what lane `lane` of a message reads, with the surface and sampler that the tables of the heaps (or bindless handles) give:
    /// see [`StateExecutor::footprint`].
    ///
    /// # Errors
    /// As [`execute`](Self::execute) and [`StateExecutor::footprint`].
    pub fn footprint<const N: usize, M: Memory + ?Sized>(
        &self,
        message: &Message,
        payload: &Payload<'_>,
        lane: u32,
        memory: &M,
    ) -> Result<Footprint<N>> {
        let (surface, sampler) = self.heaps.states(message, self.heaps.sampler_table, memory)?;
        self.executor.footprint(&surface, sampler.as_ref(), message, payload, lane, memory)
    }
}

impl<const N: usize> Footprint<N> {
    fn push(&mut self, tap: Tap) -> Result<()> {
        self.taps.push(tap).map_err(|_| full::<N>())
    }
}

fn full<const N: usize>() -> Error {
    Error::new(Kind::Capacity, What::Taps).value(N as u64 + 1)
}

impl Tap {
    const NONE: Self = Self {
        kind: TapKind::Texel,
        level: 0,
        slice: 0,
        x: 0,
        y: 0,
        sample: 0,
        weight: 1.0,
        channel: 0,
        reads: [MemoryRead { address: 0, len: 0, access: Access::Mapped }; MAX_TAP_READS],
        count: 0,
    };

    /// Returns the tap of a load; `None` out of range.
    const fn loaded(loaded: LoadedTexel, op: Op) -> Option<Self> {
        match loaded {
            LoadedTexel::At { level, slice, x, y, sample } => {
                let kind = if matches!(op, Op::LdMcs) { TapKind::Control } else { TapKind::Texel };
                Some(Self { kind, level, slice, x, y, sample, ..Self::NONE })
            }
            LoadedTexel::Clear { level, slice, x, y } => {
                Some(Self { kind: TapKind::ClearColor, level, slice, x, y, ..Self::NONE })
            }
            LoadedTexel::OutOfRange => None,
        }
    }

    /// Returns the tap with the reads that `read` makes, each of them once.
    fn with_reads<M: Memory + ?Sized>(
        self,
        memory: &M,
        read: impl FnOnce(&Recorder<'_, M, RECORDED>),
    ) -> Self {
        let recorder = Recorder::new(memory);
        read(&recorder);
        let (list, _) = recorder.take();
        let mut tap = self;
        for read in list {
            // Execution repeats reads that did not find mapped memory.
            if !tap.reads().contains(&read)
                && let Some(to) = tap.reads.get_mut(usize::from(tap.count))
            {
                *to = read;
                tap.count = tap.count.saturating_add(1);
            }
        }
        tap
    }
}

/// Returns the message that measures the weights of another one: without a comparison, reduction or masks, and in 32 bits. It returns the
/// first channel alone, or all four of gather4.
fn measuring(message: &Message) -> Message {
    Message {
        op: averaging(message.op),
        params: message.params.saturating_sub(message.op.flags().compare.into()),
        return_width: Width::Full,
        channels: Channels::new(1),
        gather: 0,
        null_mask: false,
        kill_mask: false,
        ..*message
    }
}

/// A message that measures weights, on a surface that has the shape of the real one.
struct StandInMessage<'a> {
    surface: &'a StandInSurface,
    message: &'a Message,
    payload: &'a Payload<'a>,
    lane: u32,
    /// With a border of 0, and of 1.
    samplers: [Sampler; 2],
}

impl StandInMessage<'_> {
    /// Executes the message with one texel of 1 (at the address `hot`), or with a border of 1. Returns the weight of that texel or of
    /// the border in each channel, and the addresses of the texels that were read.
    fn weigh<const N: usize>(
        &self,
        scratch: &mut Scratch,
        hot: Option<u64>,
        border: bool,
    ) -> Result<([f32; 4], Vec<u64, N>)> {
        let Self { surface: stand_in, message, payload, lane, samplers: [without, with] } = self;
        let hot = hot.map(|address| (address, stand_in.hot()));
        let memory = OneHot { hot, asked: RefCell::new(Vec::new()), overflowed: Cell::new(false) };
        let mut out = [0; MAX_RESPONSE];
        let sampler = if border { with } else { without };
        let prepared = Prepared::new(&stand_in.texture, sampler, message)?;
        prepared.execute(scratch, message.lanes, payload, &memory, &mut out)?;
        if memory.overflowed.get() {
            return Err(full::<N>());
        }
        let channels = if message.op.flags().gather { 4 } else { 1 };
        let mut weights = [0.0; 4];
        for (channel, weight) in weights.iter_mut().enumerate().take(channels) {
            let at = channel.wrapping_mul(message.response().stride.into()).wrapping_add(*lane as usize * 4);
            let word =
                out.get(at..).and_then(<[u8]>::first_chunk).map_or(0, |bytes| u32::from_le_bytes(*bytes));
            *weight = stand_in.weight(word);
        }
        Ok((weights, memory.asked.into_inner()))
    }

    /// Adds the texels that the message reads, with their weights and with the reads of their bytes from `memory`, and the weight of the
    /// border. `texture` is the real surface.
    fn add_taps<const N: usize, M: Memory + ?Sized>(
        &self,
        footprint: &mut Footprint<N>,
        scratch: &mut Scratch,
        texture: &Texture<'_>,
        memory: &M,
    ) -> Result<()> {
        footprint.border = self.weigh::<N>(scratch, None, true)?.0;
        let (_, asked) = self.weigh::<N>(scratch, None, false)?;
        for address in asked {
            let (weights, _) = self.weigh::<N>(scratch, Some(address), false)?;
            let Some([level, slice, x, y]) = self.surface.texel(address) else { continue };
            let read = Tap { level, slice, x, y, ..Tap::NONE }
                .with_reads(memory, |memory| texture.read_texel(memory, [level, slice, x, y]));
            let mut taps = (0..4).zip(weights).filter(|(_, weight)| *weight != 0.0);
            // A texel that is read may have a weight of 0.
            let (channel, weight) = taps.next().unwrap_or((0, 0.0));
            footprint.push(Tap { channel, weight, ..read })?;
            for (channel, weight) in taps {
                footprint.push(Tap { channel, weight, ..read })?;
            }
        }
        Ok(())
    }
}

/// A linear surface at address 0 that has the shape of the real one, with one 32-bit float (or integer) for each texel.
struct StandInSurface {
    state: SurfaceState,
    texture: Texture<'static>,
    layout: Layout,
    integer: bool,
}

impl StandInSurface {
    fn new(surface: &SurfaceState, integer: bool, platform: Platform) -> Result<Self> {
        use ChannelSelect::{Alpha, Blue, Green, Red};
        let mut state = *surface;
        let format = if integer { SurfaceFormat::R32_UINT } else { SurfaceFormat::R32_FLOAT };
        state.set_format(format).set_tile_mode(TileMode::Linear).set_mip_tail_start(15)?;
        state.set_tiled_resource(TiledResource::None).set_aux_mode(AuxMode::None);
        state.set_line_stride(0).set_line_stride_offset(0);
        state.set_x_offset(0)?.set_y_offset(0)?.set_halign(4).set_valign(4).set_base_address(0);
        state.set_channel_select([Red, Green, Blue, Alpha]);
        if surface.is_buffer() {
            state.set_pitch(4)?;
        } else {
            state.fit(Element::texel(4), platform)?;
        }
        let layout = Layout::new(&state, Element::texel(4), platform)?;
        let texture = Texture::bind(&state, platform)?;
        Ok(Self { state, texture, layout, integer })
    }

    /// Returns the bytes of a texel of 1.
    fn hot(&self) -> [u8; 4] {
        if self.integer { HOT_INTEGER.to_le_bytes() } else { 1.0_f32.to_le_bytes() }
    }

    /// Returns the border colour of 1.
    fn colour(&self) -> BorderColor {
        BorderColor { dwords: [u32::from_le_bytes(self.hot()); 4] }
    }

    /// Returns a result as a weight: its share of a texel of 1.
    fn weight(&self, word: u32) -> f32 {
        if self.integer { word as f32 / HOT_INTEGER as f32 } else { f32::from_bits(word) }
    }

    /// Returns mip level, slice, column and row of the texel at an address; `None` if no mip level has one there.
    fn texel(&self, address: u64) -> Option<[u32; 4]> {
        let element = address / 4;
        let qpitch = u64::from(self.layout.qpitch().max(1));
        let row = self.state.surface_type() == SurfaceType::D1;
        let pitch = if row { qpitch } else { u64::from(self.state.pitch() / 4) };
        let (line, column) = (element.checked_div(pitch)?, element.checked_rem(pitch)?);
        let (slice, line) =
            if row { (line, 0) } else { (line.checked_div(qpitch)?, line.checked_rem(qpitch)?) };
        let [slice, line, column] = [slice, line, column].map(|value| u32::try_from(value).ok());
        let (slice, line, column) = (slice?, line?, column?);
        (0..self.layout.levels()).find_map(|number| {
            let level = self.layout.level(number);
            let (x, y) = (column.checked_sub(level.x)?, line.checked_sub(level.y)?);
            (x < level.width && y < level.height && slice < level.depth).then_some([number, slice, x, y])
        })
    }
}

#[cfg(test)]
mod tests;
