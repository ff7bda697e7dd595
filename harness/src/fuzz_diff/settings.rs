//! The settings of a campaign: the jobs of its seeds, and the model.

use super::accepted::Baseline;
use crate::devices;
use crate::engine::{Engine, Job};
use crate::external::External;
use crate::generators::job::Messages;
use crate::generators::plain;
use crate::generators::random::random;
use arbitrary::Unstructured;
use serde::{Deserialize, Serialize};

/// A part of a campaign: of the groups of seeds, every `of`th one, beginning with number `index` (counted from 1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Shard {
    /// The number of the part, 1 to `of`.
    pub index: u64,
    /// The number of parts.
    pub of: u64,
}

impl Default for Shard {
    fn default() -> Self {
        Self { index: 1, of: 1 }
    }
}

impl std::str::FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.split_once('/').and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
        match parts {
            Some((index, of)) if (1..=of).contains(&index) => Ok(Self { index, of }),
            _ => Err(format!("`{text}` is no shard (expected I/N with I from 1 to N)")),
        }
    }
}

impl std::fmt::Display for Shard {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}

/// The settings of a campaign.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settings {
    /// Restricts jobs to the simple subset that a new model implements first.
    pub plain: bool,
    /// Consecutive messages that share all of their state and differ in their parameters only.
    #[serde(default = "one")]
    pub group: u64,
    /// Disagreements that are accepted.
    #[serde(default)]
    pub known: Baseline,
    /// The command of a model that is compared as well.
    pub against: Option<String>,
    /// The first seed.
    pub seed: u64,
    /// The part of the seeds that this campaign executes.
    pub shard: Shard,
    /// Lanes to compare, all shards together.
    pub lanes: u64,
    /// The largest number of jobs, all shards together.
    pub count: Option<u64>,
    /// The number of disagreements that ends the campaign.
    pub stop: usize,
}

const fn one() -> u64 {
    1
}

impl Settings {
    /// Returns the job of a seed.
    ///
    /// # Errors
    /// The generator has no job for it.
    pub fn job(&self, seed: u64) -> Result<Job, String> {
        let mut jobs = self.jobs(seed..=seed)?;
        jobs.pop().map(|(_, job)| job).ok_or_else(|| format!("no job at seed {seed}"))
    }

    /// Returns the jobs of seeds.
    ///
    /// # Errors
    /// The generator has no job for one.
    pub fn jobs(&self, seeds: impl IntoIterator<Item = u64>) -> Result<Vec<(u64, Job)>, String> {
        let mut messages: Option<(u64, Messages)> = None;
        let mut make = |seed: u64| {
            if self.plain {
                return plain::job(&mut Unstructured::new(&random(seed, 1 << 12)));
            }
            let group = self.group.max(1);
            let (state, number) = (seed / group, seed % group);
            match &messages {
                Some((of, messages)) if *of == state => messages.message(number),
                _ => messages.insert((state, Messages::of(state)?)).1.message(number),
            }
        };
        let made =
            |seed| make(seed).map(|job| (seed, job)).map_err(|why| format!("no job at seed {seed}: {why}"));
        seeds.into_iter().map(made).collect()
    }

    /// Returns the seeds of block `number` of this shard, a block having `block` seeds; past the last seed of the campaign it is empty.
    pub(super) fn seeds_of(&self, number: u64, block: u64) -> Vec<u64> {
        let of = |inside: u64| {
            let group = self.group.max(1);
            let place = number.checked_mul(block)?.checked_add(inside)?;
            let (index, member) = (place / group, place % group);
            let index = index.checked_mul(self.shard.of)?.checked_add(self.shard.index - 1)?;
            let at = index.checked_mul(group)?.checked_add(member)?;
            if self.count.is_some_and(|count| at >= count) {
                return None;
            }
            self.seed.checked_add(at)
        };
        (0..block).map_while(of).collect()
    }

    /// Lanes that this shard has to compare.
    pub(super) fn lanes_here(&self) -> u64 {
        self.lanes.div_ceil(self.shard.of)
    }

    /// Returns the command that repeats the job of a seed.
    pub fn command(&self, seed: u64) -> String {
        let mut command = "texwire fuzz-diff".to_owned();
        if self.plain {
            command += " --plain";
        }
        if self.group > 1 {
            command += &format!(" --group {}", self.group);
        }
        command += &self.against_option();
        format!("{command} --job {seed}")
    }

    /// Returns ` --against 'COMMAND'`, quoted for a shell.
    pub fn against_option(&self) -> String {
        self.against
            .as_ref()
            .map_or(String::new(), |against| format!(" --against '{}'", against.replace('\'', r"'\''")))
    }

    /// Starts a model for one thread.
    ///
    /// # Errors
    /// The command is invalid, or the model cannot start.
    pub fn model(&self) -> Result<Option<Box<dyn Engine>>, String> {
        let Some(against) = &self.against else { return Ok(None) };
        if let Some(device) = devices::named(against) {
            return devices::open(device).map(Some);
        }
        let model = External::new(against)?;
        model.start()?;
        Ok(Some(Box::new(model)))
    }
}

/// Makes an engine for a thread.
pub(super) type MakeEngine<'a> = &'a (dyn Fn() -> Result<Option<Box<dyn Engine>>, String> + Sync);
