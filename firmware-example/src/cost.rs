//! What messages cost, by kind of operation.

use texwire::Op;
use texwire::message::LodSource;

/// Messages that are remembered; later ones are not counted.
const MOST: usize = 2048;

/// Kinds of operations that cost alike.
const NAMES: [&str; 10] = [
    "sample, implicit LOD",
    "sample, given LOD",
    "sample, gradients",
    "sample, compare",
    "gather4",
    "gather4, compare",
    "LOD",
    "ld",
    "ld, multisampled",
    "queries",
];

/// The row of [`NAMES`] of an operation.
const fn kind(op: Op) -> u8 {
    let flags = op.flags();
    match (op, flags.gather, flags.compare, flags.lod) {
        (Op::Lod, ..) => 6,
        (Op::Ld | Op::LdLz, ..) => 7,
        (Op::LdMcs | Op::Ld2dms | Op::Ld2dmsW | Op::Ld2dss, ..) => 8,
        (_, _, _, LodSource::None) => 9,
        (_, true, false, _) => 4,
        (_, true, true, _) => 5,
        (_, false, true, _) => 3,
        (_, _, _, LodSource::Quad | LodSource::QuadBias) => 0,
        (_, _, _, LodSource::Gradients) => 2,
        _ => 1,
    }
}

/// Costs of messages, in static memory.
#[derive(Debug)]
pub struct Costs {
    /// Kind and cost.
    all: [(u8, u32); MOST],
    len: usize,
}

/// The costs of one kind.
#[derive(Clone, Copy, Debug, defmt::Format)]
pub struct Summary {
    /// The kind.
    pub name: &'static str,
    /// Messages.
    pub count: usize,
    /// The cheapest.
    pub least: u32,
    /// The one in the middle.
    pub median: u32,
    /// The dearest.
    pub most: u32,
}

impl Costs {
    /// None yet.
    pub const fn new() -> Self {
        Self { all: [(0, 0); MOST], len: 0 }
    }

    /// Takes the cost of a message.
    pub fn add(&mut self, op: Op, cost: u32) {
        if let Some(place) = self.all.get_mut(self.len) {
            *place = (kind(op), cost);
            self.len += 1;
        }
    }

    /// A row for each kind that was seen.
    pub fn summaries(&mut self) -> impl Iterator<Item = Summary> {
        let all = &mut self.all[..self.len];
        all.sort_unstable();
        all.chunk_by(|a, b| a.0 == b.0).map(|rows| Summary {
            name: NAMES[usize::from(rows[0].0)],
            count: rows.len(),
            least: rows[0].1,
            median: rows[rows.len() / 2].1,
            most: rows[rows.len() - 1].1,
        })
    }
}

impl Default for Costs {
    fn default() -> Self {
        Self::new()
    }
}
