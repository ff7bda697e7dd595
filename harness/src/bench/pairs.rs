//! Random states, each measured without and with one changed property: what the property costs in many contexts, compared with a goal.

use super::random::Random;
use super::state::SamplingState;
use super::{measure, sampling};
use std::time::Duration;
use texwire::enums::{Enumeration, SurfaceFormat};
use texwire::format;

/// Goals: the time with the property, divided by the time without it.
const TILE: f64 = 1.3;
const PAGES: f64 = 1.5;
const SELECTION: f64 = 1.2;
const SIZE: f64 = 1.3;
const MODE: f64 = 1.4;
const BORDER: f64 = 1.5;
const OPERATION: f64 = 1.5;
const FORMAT: f64 = 1.5;
/// The goal of formats with texels of more than 64 bits.
const WIDE_FORMAT: f64 = 2.5;

/// The keys of `--state` without the property; the keys with it, and the goal of each.
type Property = (&'static str, &'static [(&'static str, f64)]);

/// Every property except the format.
const PROPERTIES: &[Property] = &[
    ("tile=linear", &[("tile=x", TILE), ("tile=y", TILE), ("tile=yf", TILE), ("tile=ys", TILE)]),
    ("memory=slice", &[("memory=paged", PAGES)]),
    ("swizzle=rgba", &[("swizzle=bgra", SELECTION), ("swizzle=a0r1", SELECTION)]),
    ("mask=15", &[("mask=7", SELECTION), ("mask=1", SELECTION), ("mask=10", SELECTION)]),
    ("offset=0", &[("offset=1", SELECTION), ("offset=-8", SELECTION)]),
    ("precision=float", &[("precision=fixed8", SELECTION)]),
    ("return=32", &[("return=16", SELECTION)]),
    ("mip=none,mode=clamp,coords=normalized", &[("mip=none,mode=clamp,coords=texels", SELECTION)]),
    ("size=64", &[("size=60", SIZE), ("size=50", SIZE)]),
    (
        "mode=wrap",
        &[
            ("mode=clamp", MODE),
            ("mode=mirror", MODE),
            ("mode=mirror_once", MODE),
            ("mode=mirror_101", MODE),
            ("mode=half_border", BORDER),
            ("mode=border", BORDER),
        ],
    ),
    (
        "op=sample_l,mip=linear",
        &[
            ("op=sample,mip=linear", OPERATION),
            ("op=sample_b,mip=linear", OPERATION),
            ("op=sample_d,mip=linear", OPERATION),
        ],
    ),
    ("op=gather4", &[("op=gather4_po", OPERATION)]),
    ("op=gather4,format=R32_FLOAT", &[("op=gather4_c,format=R32_FLOAT", OPERATION)]),
];

/// The other keys of states; a value that is listed twice is chosen twice as often.
const CONTEXT: &[&[&str]] = &[
    &["op=sample_lz", "op=sample_lz", "op=sample_l", "op=sample", "op=sample_b", "op=gather4", "op=ld"],
    &["kind=2d", "kind=2d", "kind=2d", "kind=cube", "kind=3d"],
    &["filter=linear", "filter=linear", "filter=nearest"],
    &["mip=none", "mip=nearest", "mip=linear"],
    &["pattern=coherent", "pattern=random"],
    &["simd=16", "simd=16", "simd=8", "simd=32"],
    &["tile=linear", "tile=linear", "tile=x", "tile=y", "tile=yf", "tile=ys"],
    &["memory=slice", "memory=slice", "memory=paged"],
    &["mode=wrap", "mode=wrap", "mode=clamp", "mode=mirror", "mode=border"],
    // Volumes of these sizes fit into a processor's caches; the time of larger ones depends on what other programs keep there.
    &["size=64", "size=120"],
];

/// Block formats that are decoded texel by texel, without a cache.
const BLOCKS: [&str; 4] =
    ["BC1_UNORM,cache=0", "BC3_UNORM,cache=0", "BC4_SNORM,cache=0", "BC5_UNORM,cache=0"];

/// Further measurements of both states before a property is reported as too expensive, since other programs cost time as well.
const MORE_TURNS: usize = 4;

/// Measurements of a state without and with a property. Times are nanoseconds per sample in the fastest run.
#[derive(Clone, Debug, PartialEq)]
pub struct Pair {
    /// The changed keys.
    pub property: String,
    /// The goal for [`ratio`](Self::ratio).
    pub goal: f64,
    /// The time without the property.
    pub plain: f64,
    /// The time with the property.
    pub changed: f64,
    /// The state with the property, for `--state`.
    pub state: String,
}

impl Pair {
    /// Returns the time with the property, divided by the time without it.
    pub fn ratio(&self) -> f64 {
        self.changed / self.plain
    }

    /// Returns true if the property costs more than its goal.
    pub fn is_over(&self) -> bool {
        self.ratio() > self.goal
    }
}

/// Chooses and measures pairs, without end.
#[derive(Debug)]
pub struct Pairs {
    random: Random,
    /// The keys that all states have.
    common: String,
    time: Duration,
    /// Formats with elements of single texels, and their goals.
    formats: Vec<(&'static str, f64)>,
}

impl Pairs {
    /// Makes pairs of states that all have the keys in `common` (may be empty); each measurement takes `time`.
    ///
    /// # Errors
    /// `common` is not a state.
    pub fn new(seed: u64, common: &str, time: Duration) -> Result<Self, String> {
        common.parse::<SamplingState>()?;
        Ok(Self { random: Random::seeded(seed), common: common.to_owned(), time, formats: formats() })
    }

    /// Chooses a property: the keys without it, the keys with it, and its goal.
    fn property(&mut self) -> (String, String, f64) {
        // There are so many formats that they are chosen as often as three properties.
        let number = self.random.next() as usize % (PROPERTIES.len() + 3);
        if let Some((plain, changes)) = PROPERTIES.get(number) {
            let (changed, goal) = self.random.pick(changes);
            return (plain.to_string(), changed.to_owned(), goal);
        }
        let (name, goal) = self.random.pick(&self.formats);
        ("format=R8G8B8A8_UNORM".into(), format!("format={name}"), goal)
    }

    /// Chooses the keys of a state, except those of the property.
    fn context(&mut self) -> String {
        let mut keys: Vec<_> = CONTEXT.iter().map(|values| self.random.pick(values).to_owned()).collect();
        let format = match self.random.next() % 8 {
            0 => self.random.pick(&BLOCKS),
            1..4 => self.random.pick(&self.formats).0,
            _ => "R8G8B8A8_UNORM",
        };
        keys.extend([format!("format={format}"), self.common.clone()]);
        keys.retain(|key| !key.is_empty());
        keys.join(",")
    }

    /// Chooses and measures one pair. `None`: a state cannot be executed, or the property is among the keys that all states have.
    fn draw(&mut self) -> Option<Pair> {
        let (plain, changed, goal) = self.property();
        if keys(&plain).any(|key| keys(&self.common).any(|common| common == key)) {
            return None;
        }
        let context = self.context();
        let [before, after] = [&plain, &changed].map(|property| format!("{context},{property}"));
        let prepare = |text: &str| sampling::prepare(&text.parse().ok()?, text).ok();
        let ((mut one, _), (mut other, _)) = (prepare(&before)?, prepare(&after)?);
        let mut pair =
            Pair { property: changed, goal, plain: f64::INFINITY, changed: f64::INFINITY, state: after };
        for turn in 0..=MORE_TURNS {
            if turn == 0 || pair.is_over() {
                pair.plain = pair.plain.min(measure(&mut one, self.time).fastest_nanoseconds());
                pair.changed = pair.changed.min(measure(&mut other, self.time).fastest_nanoseconds());
            }
        }
        Some(pair)
    }
}

impl Iterator for Pairs {
    type Item = Pair;

    fn next(&mut self) -> Option<Pair> {
        // More than half of the chosen states can be executed, unless the common keys exclude it.
        (0..1000).find_map(|_| self.draw())
    }
}

/// Returns the names of the keys in a state.
fn keys(state: &str) -> impl Iterator<Item = &str> {
    state.split(',').filter_map(|pair| Some(pair.split_once('=')?.0.trim()))
}

/// Returns the formats of single texels that can be sampled, and their goals relative to R8G8B8A8_UNORM.
fn formats() -> Vec<(&'static str, f64)> {
    let rows = SurfaceFormat::TABLE.rows.iter().filter(|row| !row.is_reserved());
    let single = rows.filter_map(|row| {
        let info =
            format::info(SurfaceFormat(row.first)).filter(|info| info.bytes > 0 && !info.is_block())?;
        Some((row.name, if info.bytes > 8 { WIDE_FORMAT } else { FORMAT }))
    });
    single.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_property_and_part_of_a_context_is_a_state() {
        let changes = PROPERTIES
            .iter()
            .flat_map(|(plain, changes)| changes.iter().map(|(changed, _)| *changed).chain([*plain]));
        for text in changes.chain(CONTEXT.iter().copied().flatten().copied()) {
            assert!(text.parse::<SamplingState>().is_ok(), "{text}");
        }
        for text in BLOCKS {
            assert!(format!("format={text}").parse::<SamplingState>().is_ok(), "{text}");
        }
        assert!(formats().len() > 150);
    }

    #[test]
    fn pairs_differ_in_their_property_and_come_again_with_their_seed() {
        let draw = |seed| {
            let mut pairs = Pairs::new(seed, "messages=1,simd_level=baseline", Duration::ZERO).unwrap();
            [(); 20].map(|()| {
                let pair = pairs.next().unwrap();
                assert!(pair.plain.is_finite() && pair.changed.is_finite(), "{pair:?}");
                assert!(pair.state.ends_with(&format!(",simd_level=baseline,{}", pair.property)), "{pair:?}");
                pair.state
            })
        };
        let (first, again, other) = (draw(1), draw(1), draw(2));
        assert_eq!(first, again);
        assert_ne!(first, other);
    }

    /// Properties do not change keys that all states have.
    #[test]
    fn what_all_states_have_is_no_property() {
        let common = "messages=1,op=ld,tile=y,format=R8_UNORM";
        let pairs = Pairs::new(1, common, Duration::ZERO).unwrap().take(30);
        for pair in pairs {
            assert!(keys(&pair.property).all(|key| !["op", "tile", "format"].contains(&key)), "{pair:?}");
        }
        // gather4 of a buffer is refused: there is nothing to measure.
        let refused = "messages=1,kind=buffer,op=gather4,size=16";
        assert_eq!(Pairs::new(1, refused, Duration::ZERO).unwrap().next(), None);
    }

    #[test]
    fn a_pair_is_over_its_goal_by_its_ratio() {
        let pair = |changed| Pair {
            property: "tile=y".into(),
            goal: TILE,
            plain: 2.0,
            changed,
            state: "tile=y".into(),
        };
        assert_eq!([2.5, 2.7].map(|changed| pair(changed).is_over()), [false, true]);
    }
}
