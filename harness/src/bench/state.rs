//! A sampling state to measure: every key of `texwire bench --state`, and how it is parsed.

use texwire::enums::SurfaceFormat;
use texwire::message::Op;
use texwire::sample::Precision;
use texwire::state::{
    AddressMode, ChannelSelect, CompareFunction, Filter, MipFilter, SurfaceType, TileMode, TiledResource,
};

/// A surface type, with or without array slices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SurfaceKind {
    pub(super) surface: SurfaceType,
    pub(super) array: bool,
}

impl SurfaceKind {
    /// Returns the number of axes of a texel coordinate; for cubes of the direction.
    pub(super) const fn axes(self) -> usize {
        match self.surface {
            SurfaceType::D1 | SurfaceType::Buffer => 1,
            SurfaceType::D2 => 2,
            _ => 3,
        }
    }
}

/// The order of coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CoordinateOrder {
    /// The pixels of a picture in 2x2 subspans, one texel per pixel (a little less if LODs are implicit).
    Coherent,
    /// A random place for every lane (for every subspan if LODs are implicit).
    Random,
}

/// How the surface's memory is offered to the core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemoryKind {
    /// The whole surface as one slice.
    Slice,
    /// Pages of 4 KiB in any order, with their table.
    Paged,
    /// The same pages, offered one by one.
    Contiguous,
    /// One texel at a time.
    Reads,
}

/// The multisample control surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum McsKind {
    /// No control surface.
    Off,
    /// For every texel, all samples are in one plane.
    On,
    /// As `On`, but every fourth texel of a message has the clear colour.
    Clear,
}

/// The instruction set that stages are compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SimdChoice {
    /// The best one that the processor has.
    Auto,
    /// The one that every processor of the target has.
    Baseline,
    /// AVX2.
    Avx2,
    /// AVX-512.
    Avx512,
}

/// A state: what is sampled, how, and with which coordinates.
#[derive(Clone, Debug, PartialEq)]
pub struct SamplingState {
    pub(super) op: Op,
    pub(super) format: SurfaceFormat,
    pub(super) kind: SurfaceKind,
    pub(super) tile: (TileMode, TiledResource),
    /// As given; empty: the default size of the kind.
    pub(super) size: Vec<u32>,
    pub(super) layers: Option<u32>,
    pub(super) samples: u32,
    /// As given; `None`: the default of [`control`](Self::control).
    pub(super) control: Option<McsKind>,
    pub(super) modes: [AddressMode; 3],
    pub(super) filters: [Filter; 2],
    pub(super) mip: MipFilter,
    pub(super) aniso: u32,
    pub(super) rounding: bool,
    pub(super) compare: CompareFunction,
    pub(super) normalized: bool,
    pub(super) swizzle: [ChannelSelect; 4],
    pub(super) simd: u8,
    pub(super) lanes: Option<u32>,
    pub(super) mask: u8,
    pub(super) channel: u8,
    pub(super) offset: i8,
    pub(super) precision: Precision,
    pub(super) half_return: bool,
    pub(super) half_params: bool,
    pub(super) pattern: CoordinateOrder,
    /// The range of LODs; both are equal for a single number.
    pub(super) lod: Option<[f32; 2]>,
    pub(super) cps: Option<f32>,
    pub(super) stretch: Option<f32>,
    pub(super) memory: MemoryKind,
    pub(super) cache: usize,
    pub(super) simd_level: SimdChoice,
    pub(super) messages: usize,
    /// The number of messages that are executed in one call.
    pub(super) batch: usize,
}

impl Default for SamplingState {
    fn default() -> Self {
        use ChannelSelect::{Alpha, Blue, Green, Red};
        Self {
            op: Op::SampleLz,
            format: SurfaceFormat::R8G8B8A8_UNORM,
            kind: SurfaceKind { surface: SurfaceType::D2, array: false },
            tile: (TileMode::Linear, TiledResource::None),
            size: Vec::new(),
            layers: None,
            samples: 1,
            control: None,
            modes: [AddressMode::Wrap; 3],
            filters: [Filter::Linear; 2],
            mip: MipFilter::None,
            aniso: 1,
            rounding: false,
            compare: CompareFunction::Less,
            normalized: true,
            swizzle: [Red, Green, Blue, Alpha],
            simd: 16,
            lanes: None,
            mask: 15,
            channel: 0,
            offset: 0,
            precision: Precision::Float,
            half_return: false,
            half_params: false,
            pattern: CoordinateOrder::Coherent,
            lod: None,
            cps: None,
            stretch: None,
            memory: MemoryKind::Slice,
            cache: usize::MAX,
            simd_level: SimdChoice::Auto,
            messages: 2048,
            batch: 8,
        }
    }
}

/// Parses a value into the state; `None`: it is not a value of the key.
type Set = fn(&mut SamplingState, &str) -> Option<()>;

/// A key of `--state`.
struct Key {
    name: &'static str,
    /// The values, as help and error messages show them. The first one is the default.
    values: &'static str,
    help: &'static str,
    set: Set,
}

const fn key(name: &'static str, values: &'static str, help: &'static str, set: Set) -> Key {
    Key { name, values, help, set }
}

const KINDS: [(&str, SurfaceType, bool); 8] = [
    ("2d", SurfaceType::D2, false),
    ("1d", SurfaceType::D1, false),
    ("3d", SurfaceType::D3, false),
    ("cube", SurfaceType::Cube, false),
    ("1d_array", SurfaceType::D1, true),
    ("2d_array", SurfaceType::D2, true),
    ("cube_array", SurfaceType::Cube, true),
    ("buffer", SurfaceType::Buffer, false),
];

const TILES: [(&str, (TileMode, TiledResource)); 6] = [
    ("linear", (TileMode::Linear, TiledResource::None)),
    ("x", (TileMode::XMajor, TiledResource::None)),
    ("y", (TileMode::YMajor, TiledResource::None)),
    ("w", (TileMode::WMajor, TiledResource::None)),
    ("yf", (TileMode::YMajor, TiledResource::Yf)),
    ("ys", (TileMode::YMajor, TiledResource::Ys)),
];

const MODES: [(&str, AddressMode); 8] = [
    ("wrap", AddressMode::Wrap),
    ("mirror", AddressMode::Mirror),
    ("clamp", AddressMode::Clamp),
    ("cube", AddressMode::Cube),
    ("border", AddressMode::ClampBorder),
    ("mirror_once", AddressMode::MirrorOnce),
    ("half_border", AddressMode::HalfBorder),
    ("mirror_101", AddressMode::Mirror101),
];

const FILTERS: [(&str, Filter); 2] = [("linear", Filter::Linear), ("nearest", Filter::Nearest)];

const MIPS: [(&str, MipFilter); 3] =
    [("none", MipFilter::None), ("nearest", MipFilter::Nearest), ("linear", MipFilter::Linear)];

const COMPARISONS: [(&str, CompareFunction); 8] = [
    ("less", CompareFunction::Less),
    ("less_equal", CompareFunction::LessEqual),
    ("greater", CompareFunction::Greater),
    ("greater_equal", CompareFunction::GreaterEqual),
    ("equal", CompareFunction::Equal),
    ("not_equal", CompareFunction::NotEqual),
    ("always", CompareFunction::Always),
    ("never", CompareFunction::Never),
];

const SELECTS: [(&str, ChannelSelect); 6] = [
    ("r", ChannelSelect::Red),
    ("g", ChannelSelect::Green),
    ("b", ChannelSelect::Blue),
    ("a", ChannelSelect::Alpha),
    ("0", ChannelSelect::Zero),
    ("1", ChannelSelect::One),
];

const SWITCH: [(&str, bool); 2] = [("off", false), ("on", true)];

const LEVELS: [(&str, SimdChoice); 4] = [
    ("auto", SimdChoice::Auto),
    ("baseline", SimdChoice::Baseline),
    ("avx2", SimdChoice::Avx2),
    ("avx512", SimdChoice::Avx512),
];

/// Every key.
const KEYS: &[Key] = &[
    key(
        "op",
        "sample_lz, or any operation of the vISA documents",
        "operation: sample, sample_l, sample_d, gather4_po_c, ld, lod ...",
        |s, v| put(&mut s.op, operation(v)),
    ),
    key("format", "R8G8B8A8_UNORM, or any SURFACE_FORMAT with elements", "format by its PRM name", |s, v| {
        put(&mut s.format, texwire::format::from_name(v))
    }),
    key("kind", "2d, 1d, 3d, cube, 1d_array, 2d_array, cube_array, buffer", "surface type", |s, v| {
        let found = KINDS.into_iter().find(|(name, ..)| *name == v);
        put(&mut s.kind, found.map(|(_, surface, array)| SurfaceKind { surface, array }))
    }),
    key(
        "tile",
        "linear, x, y, w, yf, ys",
        "tile mode; w: formats of one byte; yf, ys: tiled resources",
        |s, v| put(&mut s.tile, choice(&TILES, v)),
    ),
    key(
        "size",
        "512 (3d 64, cube 256, buffer 65536), or W, WxH, WxHxD",
        "size in texels; one number: all axes",
        |s, v| {
            let sides: Option<Vec<u32>> = v.split('x').map(|side| number(side, 1, 1 << 27)).collect();
            put(&mut s.size, sides.filter(|sides| sides.len() <= 3))
        },
    ),
    key("layers", "4 (cube_array 2), or 1..=2048", "array slices or cubes, of arrays", |s, v| {
        put(&mut s.layers, number(v, 1, 2048).map(Some))
    }),
    key("samples", "1, 2, 4, 8, 16", "samples of a texel (ld2dms, ld2dms_w, ld2dss)", |s, v| {
        put(&mut s.samples, number(v, 1, 16).filter(|n: &u32| n.is_power_of_two()))
    }),
    key(
        "mcs",
        "off (ld_mcs: on), on, clear",
        "multisample control surface; clear: every fourth texel has the clear colour (what ld_mcs reads is random)",
        |s, v| {
            let values = [("off", McsKind::Off), ("on", McsKind::On), ("clear", McsKind::Clear)];
            put(&mut s.control, choice(&values, v).map(Some))
        },
    ),
    key(
        "mode",
        "wrap, mirror, clamp, cube, border, mirror_once, half_border, mirror_101",
        "address mode, or U/V/R apart: wrap/clamp/border; cubes are seamless with wrap and cube",
        |s, v| {
            let modes: Option<Vec<_>> = v.split('/').map(|mode| choice(&MODES, mode)).collect();
            put(
                &mut s.modes,
                modes.and_then(|modes| match modes[..] {
                    [all] => Some([all; 3]),
                    [u, v] => Some([u, v, v]),
                    [u, v, r] => Some([u, v, r]),
                    _ => None,
                }),
            )
        },
    ),
    key("filter", "linear, nearest", "filter, or MAG/MIN apart: linear/nearest", |s, v| {
        let filters: Option<Vec<_>> = v.split('/').map(|filter| choice(&FILTERS, filter)).collect();
        put(
            &mut s.filters,
            filters.and_then(|filters| match filters[..] {
                [both] => Some([both; 2]),
                [mag, min] => Some([mag, min]),
                _ => None,
            }),
        )
    }),
    key(
        "mip",
        "none, nearest, linear",
        "mip filter; the surface has all levels unless it is none",
        |s, v| put(&mut s.mip, choice(&MIPS, v)),
    ),
    key(
        "aniso",
        "1, 2, 4, 6, 8, 10, 12, 14, 16",
        "largest ratio of the anisotropic filter; 1: off",
        |s, v| put(&mut s.aniso, number(v, 1, 16).filter(|n: &u32| *n == 1 || n.is_multiple_of(2))),
    ),
    key("rounding", "off, on", "address rounding bits of the sampler", |s, v| {
        put(&mut s.rounding, choice(&SWITCH, v))
    }),
    key(
        "compare",
        "less, less_equal, greater, greater_equal, equal, not_equal, always, never",
        "shadow function",
        |s, v| put(&mut s.compare, choice(&COMPARISONS, v)),
    ),
    key("coords", "normalized, texels", "unit of coordinates", |s, v| {
        put(&mut s.normalized, choice(&[("normalized", true), ("texels", false)], v))
    }),
    key("swizzle", "rgba, or four of r, g, b, a, 0, 1", "channel selects of the surface", |s, v| {
        let selects: Option<Vec<_>> =
            v.chars().map(|c| choice(&SELECTS, c.encode_utf8(&mut [0; 4]))).collect();
        put(&mut s.swizzle, selects.and_then(|selects| selects.try_into().ok()))
    }),
    key("simd", "16, 1, 2, 4, 8, 32", "lanes of a message", |s, v| {
        put(&mut s.simd, number(v, 1, 32).filter(|n: &u8| n.is_power_of_two()))
    }),
    key("lanes", "all, or a mask such as 0x00ff", "execution mask", |s, v| {
        let mask = v.strip_prefix("0x").and_then(|hex| u32::from_str_radix(hex, 16).ok());
        put(&mut s.lanes, if v == "all" { Some(None) } else { mask.map(Some) })
    }),
    key("mask", "15, or 1..=15", "returned channels: 1 red + 2 green + 4 blue + 8 alpha", |s, v| {
        put(&mut s.mask, number(v, 1, 15))
    }),
    key("channel", "r, g, b, a", "source channel of gather4", |s, v| {
        put(&mut s.channel, choice(&[("r", 0), ("g", 1), ("b", 2), ("a", 3)], v))
    }),
    key(
        "offset",
        "0, or -8..=7",
        "texel offset of all axes, immediate or (gather4_po) programmable",
        |s, v| put(&mut s.offset, number(v, -8, 7)),
    ),
    key(
        "precision",
        "float, fixed8",
        "filter weights and LOD: floats, or 8-bit fractions as hardware",
        |s, v| {
            put(&mut s.precision, choice(&[("float", Precision::Float), ("fixed8", Precision::Fixed8)], v))
        },
    ),
    key("return", "32, 16", "bits of a result", |s, v| {
        put(&mut s.half_return, choice(&[("32", false), ("16", true)], v))
    }),
    key("params", "32, 16", "bits of a parameter", |s, v| {
        put(&mut s.half_params, choice(&[("32", false), ("16", true)], v))
    }),
    key(
        "pattern",
        "coherent, random",
        "pixels of a picture, one texel a pixel (0.999 where LODs are implicit); or every lane anywhere",
        |s, v| {
            put(
                &mut s.pattern,
                choice(&[("coherent", CoordinateOrder::Coherent), ("random", CoordinateOrder::Random)], v),
            )
        },
    ),
    key(
        "lod",
        "sweep, a number, or a range such as -1..1",
        "explicit LOD (and 0.3 levels of bias), log2 of the texels that gradients have along V; a range: any for each lane; sweep: 0 to 3 over all messages, random 0 to 8, gradients of 1.9 texels",
        |s, v| put(&mut s.lod, if v == "sweep" { Some(None) } else { range(v).map(Some) }),
    ),
    key("cps", "off, or a number", "LOD that coarse pixel shading adds", |s, v| {
        put(&mut s.cps, if v == "off" { Some(None) } else { real(v).map(Some) })
    }),
    key("stretch", "1 (aniso: 6), or a number", "texels a pixel in U over those in V", |s, v| {
        put(&mut s.stretch, real(v).map(Some))
    }),
    key(
        "memory",
        "slice, paged, contiguous, reads",
        "the surface as one slice; in pages of 4 KiB in any order, with a table or page by page; texel by texel",
        |s, v| {
            put(
                &mut s.memory,
                choice(
                    &[
                        ("slice", MemoryKind::Slice),
                        ("paged", MemoryKind::Paged),
                        ("contiguous", MemoryKind::Contiguous),
                        ("reads", MemoryKind::Reads),
                    ],
                    v,
                ),
            )
        },
    ),
    key("cache", "surface, 256, 0", "decoded blocks that are kept (block formats)", |s, v| {
        put(&mut s.cache, choice(&[("surface", usize::MAX), ("256", 256), ("0", 0)], v))
    }),
    key("simd_level", "auto, baseline, avx2, avx512", "instruction set of the stages", |s, v| {
        put(&mut s.simd_level, choice(&LEVELS, v))
    }),
    key("messages", "2048, or 1..=65536", "messages of one run, each with its own coordinates", |s, v| {
        put(&mut s.messages, number(v, 1, 65536))
    }),
    key("batch", "8, or 1..=64", "messages of one call; 1: each by itself", |s, v| {
        put(&mut s.batch, number(v, 1, 64))
    }),
];

impl SamplingState {
    /// Returns the control surface. By default only `ld_mcs` has one, since it reads it.
    pub(super) fn control(&self) -> McsKind {
        let usual = if self.op == Op::LdMcs { McsKind::On } else { McsKind::Off };
        self.control.unwrap_or(usual)
    }
}

impl std::str::FromStr for SamplingState {
    type Err = String;

    /// Parses `key=value,key=value`; keys that are not named have their defaults.
    fn from_str(text: &str) -> Result<Self, String> {
        let mut state = Self::default();
        for pair in text.split(',').map(str::trim).filter(|pair| !pair.is_empty()) {
            let (name, value) = pair
                .split_once('=')
                .ok_or_else(|| format!("no value at --state: {pair} (expected KEY=VALUE)"))?;
            let key = KEYS.iter().find(|key| key.name == name).ok_or_else(|| {
                let names: Vec<_> = KEYS.iter().map(|key| key.name).collect();
                format!("unknown key at --state: {name} (expected one of {})", names.join(", "))
            })?;
            (key.set)(&mut state, value).ok_or_else(|| {
                format!("unknown value at --state: {name}={value} (expected {})", key.values)
            })?;
        }
        Ok(state)
    }
}

/// Returns the keys, their values and their meaning, for `--help`.
pub fn help() -> String {
    let mut text = String::from("Keys of --state (first value: the default):\n");
    for key in KEYS {
        text += &format!("  {:<11}{}\n             {}\n", key.name, key.help, key.values);
    }
    text
}

/// Returns an operation by its name in the vISA documents; case does not matter.
pub fn operation(name: &str) -> Option<Op> {
    Op::ALL.iter().copied().find(|op| op.name().eq_ignore_ascii_case(name))
}

fn put<T>(place: &mut T, value: Option<T>) -> Option<()> {
    *place = value?;
    Some(())
}

fn choice<T: Copy>(values: &[(&str, T)], text: &str) -> Option<T> {
    values.iter().find(|(name, _)| *name == text).map(|(_, value)| *value)
}

fn number<T: std::str::FromStr + PartialOrd>(text: &str, least: T, most: T) -> Option<T> {
    text.parse().ok().filter(|n| *n >= least && *n <= most)
}

fn real(text: &str) -> Option<f32> {
    text.parse().ok().filter(|value: &f32| value.is_finite())
}

/// Parses `A..B`, or a number, which is the range from it to itself.
fn range(text: &str) -> Option<[f32; 2]> {
    let (low, high) = text.split_once("..").unwrap_or((text, text));
    let range = [real(low)?, real(high)?];
    range.is_sorted().then_some(range)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first value in help is the default, and every value of a closed list can be parsed.
    #[test]
    fn help_names_values_and_defaults() {
        for key in KEYS {
            let open = key.values.contains(" or ");
            for (index, value) in key.values.split(", ").take(if open { 1 } else { usize::MAX }).enumerate() {
                let mut state = SamplingState::default();
                let value = value.split(' ').next().unwrap_or(value);
                assert_eq!((key.set)(&mut state, value), Some(()), "{}={value}", key.name);
                if index == 0 && !["size", "layers", "mcs", "stretch"].contains(&key.name) {
                    assert_eq!(state, SamplingState::default(), "{}={value}", key.name);
                }
            }
        }
    }

    #[test]
    fn an_lod_is_a_number_or_a_range() {
        let lod = |text: &str| text.parse::<SamplingState>().unwrap().lod;
        assert_eq!(lod("lod=sweep"), None);
        assert_eq!(lod("lod=-0.5"), Some([-0.5; 2]));
        assert_eq!(lod("lod=-1..1.5"), Some([-1.0, 1.5]));
    }

    #[test]
    fn errors_name_key_value_and_what_is_expected() {
        let error = |text: &str| text.parse::<SamplingState>().unwrap_err();
        assert!(
            error("flter=linear").starts_with("unknown key at --state: flter (expected one of op, format")
        );
        assert_eq!(
            error("filter=cubic"),
            "unknown value at --state: filter=cubic (expected linear, nearest)"
        );
        assert_eq!(error("simd"), "no value at --state: simd (expected KEY=VALUE)");
        for wrong in [
            "size=0",
            "size=1x2x3x4",
            "simd=3",
            "aniso=3",
            "mask=16",
            "swizzle=rgb",
            "format=RGBA8",
            "lod=inf",
            "lod=1..-1",
            "lod=0..",
        ] {
            assert!(error(wrong).starts_with("unknown value at --state: "), "{wrong}");
        }
    }
}
