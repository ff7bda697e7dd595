//! Preparation of a message: decides once everything that depends on the message, the texture and the sampler, but not on the lanes.

pub(super) mod blocks;
pub(super) mod choose;
pub(super) mod decoders;
pub(super) mod elements;
pub(super) mod filter_stages;
pub(super) mod finish;
pub(super) mod permit;
pub(super) mod samples;
pub(super) mod uniform_levels;
pub(super) mod widen;

use super::bind::sampler::{Filter, Mip, Sampler};
use super::bind::texture::{ChannelSource, Dim, TexelSource, Texture};
use super::fetch::frames::SurfaceBytes;
use super::filter::Reduction;
use super::filter::compare::Shadow;
use super::lanes::{LANES, Lanes};
use super::levels::level::{LevelArrays, LevelEntry};
use super::levels::load_rule::LoadRule;
use super::levels::lod::DerivativeRule;
use super::levels::select::LevelRule;
use super::params::{NamedParams, ParamLayout};
use super::place::address::{self, BlockSize};
use super::place::axis::AxisRule;
use super::place::level_lanes::LevelLanes;
use super::rounding::rounding;
use super::stages::Stages;
use super::unspecified;
use super::writeback::{GATHERED, ResultRows, WriteRule};
use crate::format::channel::BytePlanes;
use crate::format::single_texels::{self, BlockHalf};
use crate::format::{ChannelDecode, FormatDecoder, Texel, TexelKind};
use crate::memory::Memory;
use crate::message::{LodSource, Message, Op, OpFlags, Param, Payload, Response, Width};
use crate::state::AddressMode;
use decoders::Decoders;
use elements::Elements;
use filter_stages::{FilterStages, fixed};

/// The work that a message does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Work {
    /// Returns filtered texels.
    Sample,
    /// gather4: returns the four texels of a footprint.
    Gather,
    /// Returns the LOD that a sample would use.
    Lod,
    /// Returns texels at integer coordinates, without a sampler.
    Load,
    /// Returns sizes or sample counts.
    Query,
    /// Returns zeros: the surface is null or the sampler is disabled.
    Zero,
}

/// The mip levels of a message whose LOD is the same for every payload.
#[derive(Clone, Debug)]
pub(super) struct UniformLevels {
    /// Masks of the lanes that read the finer mip level, and of those that read the coarser one.
    pub(super) lanes: [u32; 2],
    /// Mask of the lanes that are magnified; all lanes if both filters are the same.
    pub(super) magnified: u32,
    pub(super) fraction: Lanes<f32>,
    pub(super) level: [LevelLanes; 2],
}

/// How the elements of the surface are decoded to texels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Decode {
    /// Each channel is a bit field of a word.
    Channels,
    /// One texel at a time, by the format's codec: the fallback for formats that no other variant covers.
    Codec,
    /// Single texels of blocks and of palette indices, without decoding the rest of the block: see [`single_texels`].
    SingleTexels,
    /// Blocks of a compressed format, decoded as a whole if the caller keeps a store of decoded blocks.
    Blocks,
    /// One texel at a time, from a luma and a chroma plane.
    Planar,
}

/// Everything about a message that does not depend on the lanes: which stages run, and with which constants. It does not hold the
/// texture that it was made from, so that small targets have one texture on the stack and not two.
#[derive(Clone, Debug)]
pub(super) struct Plan<'p> {
    pub(super) message: Message,
    /// Where each parameter is in the payload; for a prepared message, in the payload that [`Widen`](super::plan::widen::Widen) has
    /// widened to 32 bits, if it applies.
    pub(super) params: ParamLayout,
    pub(super) flags: OpFlags,
    pub(super) response: Response,
    pub(super) work: Work,
    pub(super) write: WriteRule,
    /// Number of coordinate axes: 1 to 3.
    pub(super) axes: usize,
    pub(super) rules: [AxisRule; 3],
    /// The filter of magnified lanes, then that of minified lanes; the same twice for loads and gather4.
    pub(super) filters: [FilterStages; 2],
    pub(super) two_filters: bool,
    pub(super) level_rule: LevelRule,
    pub(super) derivative: DerivativeRule,
    pub(super) table: LevelArrays,
    /// The mip levels, if they are the same for every payload.
    pub(super) uniform_levels: Option<UniformLevels>,
    pub(super) load: LoadRule,
    /// For each axis, the number that rounds coordinates to whole texels and adds the texel offset (see [`rounding`]); `None`: the
    /// offsets are in the payload.
    pub(super) rounding: Option<[Lanes<f32>; 3]>,
    pub(super) reduction: Reduction,
    pub(super) shadow: Shadow,
    pub(super) border: Option<Texel>,
    pub(super) seamless: bool,
    pub(super) cps_lod: f32,
    /// The type of texel channels: floats, integers or raw bits.
    pub(super) kind: TexelKind,
    pub(super) codec: Option<FormatDecoder<'p>>,
    pub(super) decode: Decode,
    /// Mask of the channels that are decoded: bit 0 red to bit 3 alpha. For gather4 it has the one component that is returned.
    pub(super) needed: u8,
    pub(super) decoders: Decoders,
    /// The row of each lane's slice has to be found: lanes can read different slices, or slices count from the start of memory.
    pub(super) sliced: bool,
    /// What is added to slice numbers of the view: the view's first slice, or 0 where the rows in `table` include it.
    pub(super) first_layer: u32,
    /// The elements of the surface by index; `None`: they are read by column and row, one at a time.
    pub(super) elements: Option<Elements>,
    /// For [`Decode::SingleTexels`]: what the one or two halves of an element hold.
    pub(super) block_halves: [Option<BlockHalf>; 2],
    /// Width and height of an element in texels, if elements are blocks of several texels.
    pub(super) block: Option<[BlockSize; 2]>,
    pub(super) stages: &'p Stages,
}

impl<'p> Plan<'p> {
    /// Returns the palette as byte planes (see [`BytePlanes`]), if elements hold 8-bit indices into one.
    pub(super) fn palette(&self) -> Option<BytePlanes<4>> {
        let codec = self
            .codec
            .as_ref()
            .filter(|_| matches!(self.block_halves, [Some(BlockHalf::Index { width: 8, .. }), _]));
        codec.map(|codec| BytePlanes::of_palette(codec.palette()))
    }

    /// Returns the parameters in a payload of the message, by name.
    #[inline]
    pub(super) fn read<'m>(&'m self, payload: &'m Payload<'m>) -> NamedParams<'m> {
        NamedParams { payload, layout: &self.params }
    }

    /// Returns what the memory hands out of the surface: its bytes, a page table, or nothing.
    #[inline(always)]
    pub(super) fn bytes<'m, M: Memory + ?Sized>(&self, memory: &'m M) -> SurfaceBytes<'m> {
        self.elements.as_ref().map_or(SurfaceBytes::Unknown, |elements| elements.map_surface(memory))
    }

    /// Makes the plan of a message that `permit` accepts; [`choose_stages`](Self::choose_stages) completes it. With two steps and
    /// without a `Result`, compilers make the plan in its final place; otherwise it is on the stack twice.
    #[inline(never)]
    pub(super) fn new(
        texture: &Texture<'p>,
        sampler: &Sampler,
        message: &Message,
        stages: &'p Stages,
    ) -> Self {
        let flags = message.op.flags();
        let work = work(texture, sampler, message);
        let normalized = sampler.normalized || texture.dim == Dim::Cube;
        let seamless = texture.dim == Dim::Cube && sampler.seamless;
        let modes = if texture.dim == Dim::Cube { [AddressMode::Clamp; 3] } else { sampler.wrap };
        // Seamless cubes take the border's rule: texels across the edge of a face are marked as outside.
        let rules = modes
            .map(|mode| AxisRule::new(if seamless { AddressMode::ClampBorder } else { mode }, normalized));
        let mip = if texture.is_integer() && sampler.mip == Mip::Linear { Mip::Nearest } else { sampler.mip };
        // Anisotropic filtering needs derivatives: its samples lie along the longer one.
        let directed = normalized && flags.lod.has_derivatives();
        let (mag, min) = (filter(texture, sampler.mag, directed), filter(texture, sampler.min, directed));
        let anisotropic = mag == Filter::Anisotropic || min == Filter::Anisotropic;
        let codec = texture.codec(sampler.srgb_skip_decode && flags.sampler);
        let has_border = modes.iter().take(texture.texel_axes()).any(|mode| mode.has_border());
        let border = match texture.info {
            Some(info) if flags.sampler && has_border => Some(info.border(sampler.border)),
            // The texel that loads out of range return.
            _ if work == Work::Load => Some(texture.outside()),
            _ => None,
        };
        Self {
            message: *message,
            flags,
            params: ParamLayout::new(message),
            response: message.response(),
            work,
            write: write_rule(texture, message, work, stages),
            axes: texture.axes(),
            rules,
            filters: [mag, min].map(|kind| FilterStages { kind, ..FilterStages::NONE }),
            two_filters: false,
            level_rule: LevelRule::new(sampler, mip, flags.gather, texture.levels, texture.resource_min),
            derivative: DerivativeRule {
                size: texture.derivative_size(normalized),
                max_ratio: if anisotropic { sampler.max_anisotropy } else { 1.0 },
                reduce: min == Filter::Anisotropic,
            },
            table: LevelArrays::of([LevelEntry::NONE; _]),
            uniform_levels: None,
            load: LoadRule::new(texture, message),
            rounding: rounding_of(texture, message),
            reduction: match message.op {
                _ if flags.compare || texture.is_integer() => Reduction::Mean,
                Op::SampleMin => Reduction::Minimum,
                Op::SampleMax => Reduction::Maximum,
                _ => sampler.reduction,
            },
            shadow: Shadow::new(sampler.shadow, texture.info.is_some_and(|info| info.unorm)),
            border,
            seamless,
            cps_lod: sampler.cps_lod,
            kind: texture.kind(),
            codec,
            decode: Decode::Codec,
            needed: 0,
            decoders: Decoders::none(stages),
            sliced: texture.has_slices() || texture.dim == Dim::D3,
            first_layer: 0,
            elements: None,
            block: None,
            block_halves: [None; 2],
            stages,
        }
    }

    /// Completes the plan: chooses how texels are decoded and the stages of each filter.
    #[inline(never)]
    pub(super) fn choose_stages(&mut self, texture: &Texture<'p>, sampler: &Sampler) {
        self.place(texture);
        self.choose_decoders(texture);
        if LANES > 1 {
            self.choose_writer();
        }
        let [mag, min] = [&self.filters[0], &self.filters[1]].map(|filter| filter.kind);
        self.two_filters = mag != min || fixed(sampler, 0) != fixed(sampler, 1);
        self.find_uniform_levels(texture);
        self.filters = match self.work {
            Work::Load => [self.filter_stages(texture, Filter::Nearest, None); 2],
            Work::Gather => [self.filter_stages(texture, Filter::Linear, fixed(sampler, 0)); 2],
            Work::Sample => [
                self.filter_stages(texture, mag, fixed(sampler, 0)),
                self.filter_stages(texture, min, fixed(sampler, 1)),
            ],
            Work::Lod | Work::Query | Work::Zero => self.filters,
        };
        self.load.set_elements(self.sliced, self.first_layer, self.block);
    }

    /// Fills in where the elements and the mip levels are in memory.
    #[inline(never)]
    fn place(&mut self, texture: &Texture<'p>) {
        self.elements = Elements::new(texture, self.stages);
        // Slices count from the start of memory in tiles that hold several slices, and where elements are read by column and row.
        if self.elements.as_ref().is_none_or(|elements| elements.tile.slice_mask != 0) {
            (self.sliced, self.first_layer) = (true, texture.first_slice);
        }
        self.table = LevelArrays::new(texture, self.first_layer, &self.rules);
    }

    /// Returns the row at which a slice of the view begins, and what the slice adds to element indices inside a tile. For surfaces
    /// whose elements have no indices: 0, and the slice's number counted from the start of memory.
    #[cfg_attr(target_pointer_width = "64", inline(always))]
    pub(super) fn slice(&self, slice: u32) -> (u32, u32) {
        let layer = slice.wrapping_add(self.first_layer);
        match &self.elements {
            Some(elements) => address::slice(&elements.tile, layer),
            None => (0, layer),
        }
    }

    /// Chooses the writeback of integers for 32-bit results that cannot be NaN: there is no NaN to make canonical.
    fn choose_writer(&mut self) {
        let decoded = matches!(self.decode, Decode::Channels | Decode::SingleTexels | Decode::Blocks);
        let from_texels = match self.work {
            Work::Sample | Work::Gather => true,
            // The clear colour, which multisample loads can return, may have any bits.
            Work::Load => matches!(self.message.op, Op::Ld | Op::LdLz),
            Work::Zero | Work::Query | Work::Lod => false,
        };
        let number = self.flags.compare || decoded && !self.decoders.have_nan();
        if number && from_texels && self.has_finite_border() && !self.write.half {
            self.write.kernel = self.stages.write.get(1).copied();
        }
    }

    /// Returns whether no component of the border is infinite or NaN. (Means of finite texels are finite.)
    fn has_finite_border(&self) -> bool {
        self.border.iter().flatten().all(|component| f32::from_bits(*component).is_finite())
    }

    /// Chooses how texels are decoded, and which of their channels are needed.
    #[inline(never)]
    fn choose_decoders(&mut self, texture: &Texture<'_>) {
        if matches!(texture.source, TexelSource::Planar { .. }) {
            self.decode = Decode::Planar;
        }
        self.needed = match self.work {
            Work::Gather => match gathered(texture, &self.message, self.flags) {
                ChannelSource::Channel(component) => 1 << component,
                ChannelSource::Constant(_) => 0,
            },
            _ if self.flags.compare => 1,
            _ => self.write.sources(),
        };
        let Some(codec) = &self.codec else { return };
        let info = codec.info();
        if info.block_width > 1 || info.block_height > 1 {
            self.block = Some([info.block_width, info.block_height].map(BlockSize::new));
        }
        let all = if LANES > 1
            && let Some(halves) = single_texels::halves(info)
        {
            (self.decode, self.block_halves) = (Decode::SingleTexels, halves);
            [0, 1, 2, 3].map(|channel| single_texels::channel(info, channel).of_block())
        } else if info.is_block() {
            self.decode = Decode::Blocks;
            let stored = crate::format::info(info.decoded_format()).unwrap_or(info).all_channels();
            if LANES > 1 { stored.map(ChannelDecode::of_block) } else { stored }
        } else {
            if info.has_fields() {
                self.decode = Decode::Channels;
            }
            info.all_channels()
        };
        self.decoders.choose(all, self.needed, self.stages);
        // A message that compares filters the results of comparisons, not texels: nothing is refined.
        if self.decode == Decode::Channels && !self.flags.compare {
            // Refined means are made of differences between texels, which infinite texels do not have.
            if !texture.is_integer() && !self.has_finite_border() {
                return self.decoders.decode_first();
            }
            for (refinement, channel) in self.decoders.refinements.iter_mut().zip(&all) {
                *refinement = channel.refinement();
            }
        }
    }

    /// Returns the parameters that hold U, V, R, the array index and the mip level of a load; `None`: 0 in all lanes.
    #[inline]
    pub(crate) fn load_params(&self, texture: &Texture<'_>) -> [Option<Param>; 5] {
        // Coordinates that the surface does not have are ignored; on arrays the first of them is the array index.
        let [u, v, r] = [Param::U, Param::V, Param::R];
        let layer = if texture.dim == Dim::D1 { v } else { r };
        [
            Some(u),
            (self.axes > 1).then_some(v),
            (self.axes > 2).then_some(r),
            texture.array.then_some(layer),
            (self.message.op != Op::LdLz).then_some(Param::Lod),
        ]
    }
}

#[inline(never)]
fn work(texture: &Texture<'_>, sampler: &Sampler, message: &Message) -> Work {
    let flags = message.op.flags();
    if texture.dim == Dim::Null || flags.sampler && sampler.disable {
        Work::Zero
    } else if flags.lod == LodSource::None {
        Work::Query
    } else if message.op == Op::Lod {
        Work::Lod
    } else if flags.gather {
        Work::Gather
    } else if flags.sampler {
        Work::Sample
    } else {
        Work::Load
    }
}

/// Returns, for each axis, the number that rounds coordinates and adds the message's immediate texel offset (see [`rounding`]), the
/// same for all lanes. `None`: the offsets are in the payload. Cubes take no offsets.
#[inline(never)]
fn rounding_of(texture: &Texture<'_>, message: &Message) -> Option<[Lanes<f32>; 3]> {
    if texture.dim == Dim::Cube {
        return Some([[rounding(0); LANES]; 3]);
    }
    let immediate = unspecified::offset_params(message.op).is_none();
    immediate.then(|| message.offsets.map(|offset| [rounding(offset.into()); LANES]))
}

/// Returns the filter that applies to a surface: NEAREST for integers, and LINEAR in place of an anisotropic filter on 3D and cube
/// surfaces and without derivatives of normalized coordinates (U14). `directed`: the message has derivatives of that kind.
#[inline(never)]
fn filter(texture: &Texture<'_>, filter: Filter, directed: bool) -> Filter {
    let isotropic = matches!(texture.dim, Dim::D3 | Dim::Cube) || !directed;
    match filter {
        _ if texture.is_integer() => Filter::Nearest,
        Filter::Anisotropic if isotropic => Filter::Linear,
        filter => filter,
    }
}

/// Returns what gather4 returns of each texel: the channel or constant that the surface's channel select has for the message's source
/// channel. Comparisons skip the select: channel 0 holds their results (U21).
#[inline(never)]
fn gathered(texture: &Texture<'_>, message: &Message, flags: OpFlags) -> ChannelSource {
    let named = texture.select.get(usize::from(message.gather & 3)).copied();
    match named {
        Some(named) if !flags.compare => named,
        _ => ChannelSource::Channel(0),
    }
}

/// Returns how results are written. In the channel select, channels that the format (or a comparison) does not have are replaced by
/// their default constants: a filter would not return them exactly, because its weights do not always add up to 1.
#[inline(never)]
fn write_rule(texture: &Texture<'_>, message: &Message, work: Work, stages: &Stages) -> WriteRule {
    let flags = message.op.flags();
    let raw = message.op == Op::LdMcs && !texture.is_control
        || matches!(work, Work::Lod | Work::Query | Work::Zero);
    let stored = if flags.compare { 1 } else { texture.info.map_or(15, |info| info.channels) };
    let mut select = [0, 1, 2, 3].map(ChannelSource::Channel);
    if work == Work::Gather {
        select = match gathered(texture, message, flags) {
            ChannelSource::Channel(_) => GATHERED.map(ChannelSource::Channel),
            constant @ ChannelSource::Constant(_) => [constant; 4],
        };
    } else if !raw {
        select = texture.select.map(|select| match select {
            ChannelSource::Channel(c) if !texture.is_integer() && stored >> c & 1 == 0 => {
                ChannelSource::Constant(if c == 3 { 1.0_f32.to_bits() } else { 0 })
            }
            select => select,
        });
    }
    let floats = !texture.is_integer() && message.op != Op::LdMcs;
    let float = (floats || flags.compare || message.op == Op::Lod) && flags.lod != LodSource::None;
    let response = message.response();
    let half = response.width == Width::Half;
    let channels = if flags.gather { 15 } else { message.channels.mask() };
    WriteRule {
        rows: ResultRows::new(channels, &select),
        constants: select.map(|select| match select {
            ChannelSource::Constant(value) => [value; LANES],
            ChannelSource::Channel(_) => [0; LANES],
        }),
        float,
        half,
        stride: response.stride,
        kernel: stages.write.get(usize::from(!float) | usize::from(half) << 1).copied(),
    }
}
