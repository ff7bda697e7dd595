//! Random states beside themselves with one property changed: what the property costs wherever it stands, and what it may cost.

use super::random::Random;
use super::state::State;
use super::{measure, sampling};
use std::time::Duration;
use texwire::enums::{Enumeration, SurfaceFormat};
use texwire::format;

/// Goals, times what the state takes without the property.
const TILE: f64 = 1.3;
const PAGES: f64 = 1.5;
const SELECTION: f64 = 1.2;
const SIZE: f64 = 1.3;
const MODE: f64 = 1.4;
const BORDER: f64 = 1.5;
const OPERATION: f64 = 1.5;
const FORMAT: f64 = 1.5;
/// Texels of more than 64 bits.
const WIDE_FORMAT: f64 = 2.5;

/// What is changed (keys of `--state`), into what, and what that may cost.
type Property = (&'static str, &'static [(&'static str, f64)]);

/// Every property but the format.
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

/// What states are made of; a value that stands twice is drawn twice as often.
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
    // Volumes of these sizes fit into a processor's caches; of larger ones the time depends on what other programs keep there.
    &["size=64", "size=120"],
];

/// Block formats that are decoded texel by texel, without a cache.
const BLOCKS: [&str; 4] =
    ["BC1_UNORM,cache=0", "BC3_UNORM,cache=0", "BC4_SNORM,cache=0", "BC5_UNORM,cache=0"];

/// Turns that both states take once more before a property is said to cost too much: other programs cost time as well.
const MORE_TURNS: usize = 4;

/// A state beside itself with a property changed. Times are nanoseconds a sample, of the fastest run.
#[derive(Clone, Debug, PartialEq)]
pub struct Pair {
    /// What was changed.
    pub property: String,
    /// What it may cost, times the plain state.
    pub goal: f64,
    /// Without the property.
    pub plain: f64,
    /// With it.
    pub changed: f64,
    /// The state with the property, for `--state`.
    pub state: String,
}

impl Pair {
    /// What the property costs, times the plain state.
    pub fn ratio(&self) -> f64 {
        self.changed / self.plain
    }

    /// It costs more than it may.
    pub fn is_over(&self) -> bool {
        self.ratio() > self.goal
    }
}

/// Draws pairs and measures them, without end.
#[derive(Debug)]
pub struct Pairs {
    random: Random,
    /// What all states have.
    common: String,
    time: Duration,
    /// Formats with elements of their own.
    formats: Vec<(&'static str, f64)>,
}

impl Pairs {
    /// Pairs of states that all have what `common` says (keys of `--state`, or nothing); a measurement takes `time`.
    ///
    /// # Errors
    /// `common` is not a state.
    pub fn new(seed: u64, common: &str, time: Duration) -> Result<Self, String> {
        common.parse::<State>()?;
        Ok(Self { random: Random::seeded(seed), common: common.to_owned(), time, formats: formats() })
    }

    /// What is changed, into what, and its goal.
    fn property(&mut self) -> (String, String, f64) {
        // The formats are so many that they stand for three properties.
        let number = self.random.next() as usize % (PROPERTIES.len() + 3);
        if let Some((plain, changes)) = PROPERTIES.get(number) {
            let (changed, goal) = self.random.pick(changes);
            return (plain.to_string(), changed.to_owned(), goal);
        }
        let (name, goal) = self.random.pick(&self.formats);
        ("format=R8G8B8A8_UNORM".into(), format!("format={name}"), goal)
    }

    /// The keys of a state but for one property's.
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

    /// Draws one pair and measures it. `None`: a state that cannot be executed, or a property that all states have.
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
        // More than half of what is drawn can be executed, unless what all states have cannot.
        (0..1000).find_map(|_| self.draw())
    }
}

/// The keys that a state names.
fn keys(state: &str) -> impl Iterator<Item = &str> {
    state.split(',').filter_map(|pair| Some(pair.split_once('=')?.0.trim()))
}

/// Formats of single texels that can be sampled, and what they may cost beside R8G8B8A8_UNORM.
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
            assert!(text.parse::<State>().is_ok(), "{text}");
        }
        for text in BLOCKS {
            assert!(format!("format={text}").parse::<State>().is_ok(), "{text}");
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

    /// What all states have stays as it is: no property changes it.
    #[test]
    fn what_all_states_have_is_no_property() {
        let common = "messages=1,op=ld,tile=y,format=R8_UNORM";
        let pairs = Pairs::new(1, common, Duration::ZERO).unwrap().take(30);
        for pair in pairs {
            assert!(keys(&pair.property).all(|key| !["op", "tile", "format"].contains(&key)), "{pair:?}");
        }
        // A buffer is not gathered from: there is nothing to measure.
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
