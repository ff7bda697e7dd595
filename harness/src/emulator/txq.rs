//! Decodes TXQ bit by bit from a table of fields, and executes it lane by lane (txq page, sections 1 to 6).

use super::nv;
use std::collections::BTreeMap;

/// Fields of the instruction word (section 2): name, lowest bit, width.
const FIELDS: &[(&str, u32, u32)] = &[
    ("rd", 0, 8),
    ("ra", 8, 8),
    ("pred", 16, 3),
    ("pred_neg", 19, 1),
    ("query", 22, 6),
    ("wmsk", 31, 4),
    ("index", 36, 13),
    ("nodep", 49, 1),
    ("opcode", 51, 13),
];

/// The queries that have a name, by their 6-bit number (section 3).
const QUERIES: &[(u64, &str)] = &[
    (0x01, "TEX_HEADER_DIMENSION"),
    (0x02, "TEX_HEADER_TEXTURE_TYPE"),
    (0x05, "TEX_HEADER_SAMPLER_POS"),
    (0x10, "TEX_SAMPLER_FILTER"),
    (0x12, "TEX_SAMPLER_LOD"),
    (0x14, "TEX_SAMPLER_WRAP"),
    (0x16, "TEX_SAMPLER_BORDER_COLOR"),
];

/// Fields of a 21-bit control field (section 1): name, lowest bit, width.
const CONTROL: [(&str, u32, u32); 6] =
    [("stall", 0, 4), ("yield", 4, 1), ("wr", 5, 3), ("rd", 8, 3), ("wait", 11, 6), ("reuse", 17, 4)];

/// Returns the fields of slot `slot` (0, 1, 2) of a control word: stall, yield, wr, rd, wait, reuse.
pub fn control(word: u64, slot: u32) -> [u64; 6] {
    CONTROL.map(|(_, low, width)| bits(word, slot * 21 + low, width))
}

/// A decoded TXQ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Txq {
    word: u64,
    phase: u64,
}

/// Returns bits `lo .. lo + width` of a word, one at a time.
fn bits(word: u64, lo: u32, width: u32) -> u64 {
    (0..width).filter(|bit| word & 1 << (lo + bit) != 0).map(|bit| 1 << bit).sum()
}

/// Decodes a word with its control field; `Ok(None)`: it is another instruction.
///
/// # Errors
/// The query is not defined.
pub fn decode(word: u64, control: u32) -> Result<Option<Txq>, String> {
    let txq = Txq { word, phase: bits(control.into(), 17, 2) };
    let query = txq.field("query");
    match txq.field("opcode") {
        0b1_1011_1110_1001 | 0b1_1011_1110_1010 => {}
        _ => return Ok(None),
    }
    let named = QUERIES.iter().any(|(code, _)| *code == query);
    let numbered = query.is_multiple_of(2) && query != 0 && query != 4;
    if !named && !numbered {
        return Err(format!("query {query:#x} is not defined"));
    }
    Ok(Some(txq))
}

impl Txq {
    /// Returns a field by its name in the field table.
    pub fn field(&self, name: &str) -> u64 {
        let (_, lo, width) = FIELDS.iter().find(|row| row.0 == name).expect("a field of the table");
        bits(self.word, *lo, *width)
    }

    fn bindless(&self) -> bool {
        self.field("opcode").is_multiple_of(2)
    }

    fn query_text(&self) -> String {
        let code = self.field("query");
        let name = QUERIES.iter().find(|(known, _)| *known == code);
        name.map_or_else(|| (code / 2).to_string(), |(_, name)| (*name).to_owned())
    }

    /// Returns the text that nvdisasm prints (section 4).
    pub fn text(&self) -> String {
        let register = |name| match self.field(name) {
            255 => "RZ".to_owned(),
            number => format!("R{number}"),
        };
        let guard = match (self.field("pred"), self.field("pred_neg")) {
            (7, 0) => String::new(),
            (7, _) => "@!PT ".to_owned(),
            (number, 0) => format!("@P{number} "),
            (number, _) => format!("@!P{number} "),
        };
        let dot = |on: bool, text: &str| if on { text.to_owned() } else { String::new() };
        let phase = ["", ".T", ".P", ".INVALIDPHASE3"][self.phase as usize];
        let index = if self.bindless() { 0 } else { self.field("index") };
        [
            guard,
            "TXQ".to_owned(),
            dot(self.bindless(), ".B"),
            dot(self.field("nodep") == 1, ".NODEP"),
            phase.to_owned(),
            format!(" {}, {}, {}, ", register("rd"), register("ra"), self.query_text()),
            format!("0x{index:x}, 0x{:x};", self.field("wmsk")),
        ]
        .concat()
    }

    /// Returns the number of registers that each lane reads (section 5).
    pub fn sources(&self) -> usize {
        usize::from(self.bindless()) + (self.field("query") % 2) as usize
    }
}

/// The state from which the queries of a warp are answered.
#[derive(Clone, Debug, Default)]
pub struct QueryState {
    /// The class of the headers, `B197` and the like.
    pub class: String,
    /// The header pool, by index; the query of an entry that is missing fails.
    pub headers: BTreeMap<u32, [u32; 8]>,
    /// The 32-bit words of the constant bank, by byte offset.
    pub constants: BTreeMap<u32, u32>,
    /// MAXIMUM_INDEX of the header pool.
    pub max_header: u32,
}

/// The registers of a warp after a TXQ: `written[register][lane]`, `None` where nothing was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WarpResult {
    /// The registers from Rd on.
    pub written: Vec<[Option<u32>; 32]>,
    /// Mask of the lanes whose query failed; 0 is written for them.
    pub failed: u32,
}

/// Executes a TXQ for the lanes in the mask `active`. `sources` has, for each active lane in order, the registers that it reads.
///
/// # Errors
/// The query is not documented, or the constant bank does not have the handle.
pub fn execute(
    txq: &Txq,
    active: u32,
    sources: &[Vec<u32>],
    state: &QueryState,
) -> Result<WarpResult, String> {
    let name = txq.query_text();
    if !name.starts_with("TEX_HEADER_") {
        return Err(format!("what query {name} answers is not documented"));
    }
    let components: Vec<usize> = (0..4).filter(|bit| txq.field("wmsk") >> bit & 1 == 1).collect();
    let count = if txq.field("rd") == 255 { 0 } else { components.len() };
    let mut result = WarpResult { written: vec![[None; 32]; count], failed: 0 };
    let lanes = (0..32).filter(|lane| active >> lane & 1 == 1);
    for (lane, sources) in lanes.zip(sources) {
        let handle = match txq.bindless() {
            true => sources[0],
            false => {
                let offset = txq.field("index") as u32 * 4;
                *state.constants.get(&offset).ok_or_else(|| format!("no constant at {offset:#x}"))?
            }
        };
        let argument = if txq.field("query") % 2 == 1 { sources[sources.len() - 1] } else { 0 };
        let index = handle % (1 << 20);
        let answer = match state.headers.get(&index) {
            _ if index > state.max_header => Ok([0; 4]),
            None => Err("no such header".to_owned()),
            Some(entry) => nv::TextureHeader::new(&state.class, *entry)
                .and_then(|header| nv::query(&header, &name, argument)),
        };
        if answer.is_err() {
            result.failed |= 1 << lane;
        }
        let answer = answer.unwrap_or_default();
        for (register, component) in result.written.iter_mut().zip(&components) {
            register[lane as usize] = Some(answer[*component]);
        }
    }
    Ok(result)
}
