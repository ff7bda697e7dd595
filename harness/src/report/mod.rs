//! Reports as an HTML page: surfaces, samplers and messages in one file that needs no others.
//!
//! [`Page`] collects what is shown and limits its size, as a trace may hold millions of messages. [`trace`] fills it from a trace,
//! [`campaign`] from a report of `fuzz-diff`; [`Page::html`] renders it. All text is escaped.
//!
//! Imports: the core, `explain`, `footprint`, `trace_file`, `fuzz_diff`, `core_engine`, `emulator`.

pub mod campaign;
mod html;
mod message;
mod pictures;
pub mod trace;

use std::collections::BTreeMap;

/// The most messages shown of each sort: those that need attention, and all others.
const MOST_MESSAGES: usize = 200;
/// The most surfaces shown, and the most samplers.
const MOST_STATES: usize = 100;
/// The most bytes of pictures in a page.
const MOST_PICTURE_BYTES: usize = 24 << 20;

/// The outcome of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum MessageVerdict {
    /// The result is the recorded one, or the oracle's.
    Equal,
    /// There is nothing to compare it with.
    Unrecorded,
    /// The results differ.
    Differs,
    /// It was not executed.
    Refused,
}

impl MessageVerdict {
    const ALL: [Self; 4] = [Self::Equal, Self::Unrecorded, Self::Differs, Self::Refused];

    /// Returns the name of the verdict in filters and badges.
    const fn name(self) -> &'static str {
        match self {
            Self::Equal => "equal",
            Self::Unrecorded => "not compared",
            Self::Differs => "differs",
            Self::Refused => "not executed",
        }
    }

    const fn needs_attention(self) -> bool {
        matches!(self, Self::Differs | Self::Refused)
    }
}

/// A table: its heading, and its rows, each with whether it is marked, and its cells.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    pub(crate) heading: Vec<String>,
    pub(crate) rows: Vec<(bool, Vec<String>)>,
}

/// Lanes of a campaign by a property of their jobs: a row with a bar for each value of the property.
#[derive(Clone, Debug, Default)]
pub(crate) struct BarTable {
    pub(crate) title: String,
    pub(crate) heading: Vec<String>,
    pub(crate) rows: Vec<BarRow>,
}

/// A row of a [`BarTable`].
#[derive(Clone, Debug)]
pub(crate) struct BarRow {
    /// The counts of lanes that are equal, allowed by a rule, undefined, and different.
    pub(crate) parts: [u64; 4],
    pub(crate) cells: Vec<String>,
    /// The row's worst lane: the number of the message that shows it (`None`: not shown), and its distance from the emulator, as text.
    pub(crate) worst: Option<(Option<u64>, String)>,
}

/// A picture with its caption.
#[derive(Clone, Debug)]
pub(crate) struct Figure {
    pub(crate) caption: String,
    pub(crate) size: [u32; 2],
    /// A PNG file.
    pub(crate) png: Vec<u8>,
}

/// A surface or a sampler.
#[derive(Clone, Debug, Default)]
pub(crate) struct StateCard {
    /// The name by which messages refer to it.
    pub(crate) name: String,
    pub(crate) summary: String,
    pub(crate) images: Vec<Figure>,
    /// The reasons for missing pictures, and broken rules.
    pub(crate) notes: Vec<String>,
    pub(crate) fields: Table,
    messages: u64,
}

/// A message.
#[derive(Clone, Debug)]
pub(crate) struct MessageCard {
    /// Its number, from 0.
    pub(crate) number: u64,
    pub(crate) title: String,
    pub(crate) operation: String,
    pub(crate) format: String,
    pub(crate) verdict: MessageVerdict,
    /// The instruction's text.
    pub(crate) text: String,
    pub(crate) notes: Vec<String>,
    /// Names of its surface and sampler.
    pub(crate) states: Vec<String>,
    pub(crate) lanes: Table,
    pub(crate) footprint: Option<Figure>,
    /// The footprint as text.
    pub(crate) texels: Vec<String>,
}

/// The contents of a report.
#[derive(Debug, Default)]
pub struct Page {
    pub(crate) title: String,
    pub(crate) summary: Vec<String>,
    pub(crate) bars: Vec<BarTable>,
    /// Tables below the bars: a heading and the table.
    pub(crate) tables: Vec<(String, Table)>,
    surfaces: Vec<StateCard>,
    samplers: Vec<StateCard>,
    /// Indices in `surfaces` and `samplers` by the dwords of the state, followed by 1 for surfaces and 0 for samplers.
    known: BTreeMap<Vec<u32>, usize>,
    attention: Vec<MessageCard>,
    others: Vec<MessageCard>,
    counts: BTreeMap<MessageVerdict, u64>,
    states_left_out: u64,
    picture_bytes: usize,
    pictures_left_out: u64,
}

impl Page {
    pub(crate) fn new(title: &str) -> Self {
        Self { title: title.to_owned(), ..Self::default() }
    }

    /// Counts a use of the state with these dwords and returns its name. A new state gets a card from `make` if there is room.
    pub(crate) fn state(&mut self, key: &[u32], surface: bool, make: impl FnOnce() -> StateCard) -> String {
        let mut key = key.to_vec();
        key.push(surface.into());
        let cards = if surface { &mut self.surfaces } else { &mut self.samplers };
        if let Some(at) = self.known.get(&key) {
            cards[*at].messages += 1;
            return cards[*at].name.clone();
        }
        if cards.len() == MOST_STATES {
            self.states_left_out += 1;
            return format!("{} (not shown)", if surface { "surface" } else { "sampler" });
        }
        let at = cards.len();
        let name = format!("{} {at}", if surface { "surface" } else { "sampler" });
        let mut card = StateCard { name: name.clone(), messages: 1, ..make() };
        let room = MOST_PICTURE_BYTES.saturating_sub(self.picture_bytes);
        let bytes: usize = card.images.iter().map(|image| image.png.len()).sum();
        if bytes > room {
            self.pictures_left_out += card.images.len() as u64;
            card.images.clear();
            card.notes.push("no pictures: the page has no room for more".to_owned());
        } else {
            self.picture_bytes += bytes;
        }
        cards.push(card);
        self.known.insert(key, at);
        name
    }

    /// Counts a message with this verdict. Returns whether there is room to show it.
    pub(crate) fn wants(&mut self, verdict: MessageVerdict) -> bool {
        *self.counts.entry(verdict).or_default() += 1;
        let list = if verdict.needs_attention() { &self.attention } else { &self.others };
        list.len() < MOST_MESSAGES
    }

    /// Adds a message that is [wanted](Self::wants), without its footprint if there is no room for the picture.
    pub(crate) fn show(&mut self, mut card: MessageCard) {
        if let Some(image) = &card.footprint {
            if image.png.len() > MOST_PICTURE_BYTES.saturating_sub(self.picture_bytes) {
                self.pictures_left_out += 1;
                card.footprint = None;
            } else {
                self.picture_bytes += image.png.len();
            }
        }
        let list = if card.verdict.needs_attention() { &mut self.attention } else { &mut self.others };
        list.push(card);
    }

    /// Returns the number of all messages, shown or not.
    pub fn messages(&self) -> u64 {
        self.counts.values().sum()
    }

    /// Returns the messages that are shown, in order.
    fn cards(&self) -> Vec<&MessageCard> {
        let mut cards: Vec<_> = self.attention.iter().chain(&self.others).collect();
        cards.sort_by_key(|card| card.number);
        cards
    }

    /// Returns what is not shown, in words.
    fn left_out(&self) -> Vec<String> {
        let shown = (self.attention.len() + self.others.len()) as u64;
        let parts = [
            (self.messages() - shown, "messages (the first ones of each sort are shown)"),
            (self.states_left_out, "uses of surfaces and samplers past the first ones"),
            (self.pictures_left_out, "pictures, for the size of the page"),
        ];
        parts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")).collect()
    }
}
