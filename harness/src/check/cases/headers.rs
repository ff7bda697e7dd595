//! Runs `headers.json`: texture headers with queries, each executed as a TXQ.B of one lane.

use crate::emulator;
use serde_json::{Value, json};
use std::error::Error;
use std::io::Write;
use texwire::message::Channels;
use texwire::state::nv::{Class, Handle, Limits};
use texwire::txq::{FlatPools, Guard, Query, SchedulingControl, Sources, TxqFields};

/// Returns whether the text is a file of texture headers.
pub fn claims(text: &str) -> bool {
    text.get(..200).unwrap_or(text).contains("\"txq-headers/")
}

/// A texture header of the file.
#[derive(Clone, Debug)]
pub struct HeaderCase {
    /// Its number.
    pub id: u64,
    /// Its class, as in `B197`.
    pub class: String,
    /// The header's dwords.
    pub dwords: [u32; 8],
    /// The queries.
    pub queries: Vec<QueryCase>,
}

/// A query of a header.
#[derive(Clone, Debug)]
pub struct QueryCase {
    /// The query's name.
    pub query: String,
    /// LOD or sample index.
    pub argument: Option<u32>,
    /// The write mask.
    pub mask: u8,
    /// The source of the expected answer; `guess...` is not ground truth.
    pub basis: String,
    /// The four components.
    pub rgba: Value,
    /// The registers written.
    pub regs: Value,
}

/// The answer to a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueryAnswer {
    /// The four components.
    pub rgba: Vec<u32>,
    /// The registers written.
    pub regs: Vec<u32>,
}

/// Parses the file.
///
/// # Errors
/// The file is malformed.
pub fn parse(text: &str) -> Result<Vec<HeaderCase>, Box<dyn Error>> {
    let file: Value = serde_json::from_str(text)?;
    let headers = file["headers"].as_array().ok_or("headers.json at `headers`: no list")?;
    headers.iter().map(header).collect()
}

fn header(value: &Value) -> Result<HeaderCase, Box<dyn Error>> {
    let id = value["id"].as_u64().ok_or("header without id")?;
    let bad = |what: &str| format!("header {id}: {what}");
    let words = value["header"].as_array().ok_or_else(|| bad("no header"))?;
    let words: Vec<u32> = words.iter().filter_map(hex).collect();
    let dwords = words.try_into().map_err(|_| bad("not eight dwords"))?;
    let queries = value["queries"].as_array().ok_or_else(|| bad("no queries"))?;
    let queries = queries
        .iter()
        .map(|q| {
            Some(QueryCase {
                query: q["query"].as_str()?.to_owned(),
                argument: q["arg"].as_u64().map(u32::try_from).transpose().ok()?,
                mask: u8::try_from(q["wmsk"].as_u64()?).ok()?,
                basis: q["basis"].as_str().unwrap_or_default().to_owned(),
                rgba: q["rgba"].clone(),
                regs: q["regs"].clone(),
            })
        })
        .collect::<Option<_>>()
        .ok_or_else(|| bad("a query has no query, arg or wmsk"))?;
    Ok(HeaderCase { id, class: value["class"].as_str().unwrap_or_default().to_owned(), dwords, queries })
}

/// Parses a number as in `0x1a`.
pub fn hex(value: &Value) -> Option<u32> {
    u32::from_str_radix(value.as_str()?.strip_prefix("0x")?, 16).ok()
}

/// What executes a query: [`core()`] or [`oracle`].
pub type QueryEngine = fn(&HeaderCase, &QueryCase) -> Result<QueryAnswer, String>;

/// Runs the file on an engine and writes a line per header, `{"id", "queries": [{"rgba", "regs"} or {"error"}]}`.
///
/// # Errors
/// The file is malformed, or `out` fails.
pub fn run(engine: QueryEngine, text: &str, out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    for header in parse(text)? {
        let answers: Vec<Value> = header
            .queries
            .iter()
            .map(|case| match engine(&header, case) {
                Ok(answer) => json!({"rgba": answer.rgba, "regs": answer.regs}),
                Err(why) => json!({"error": why}),
            })
            .collect();
        writeln!(out, "{}", json!({"id": header.id, "queries": answers}))?;
    }
    Ok(())
}

/// Executes a query on the core, as a whole instruction.
///
/// # Errors
/// The error of the core.
pub fn core(header: &HeaderCase, case: &QueryCase) -> Result<QueryAnswer, String> {
    let rgba = core_registers(header, case, Channels::RGBA)?;
    let regs = core_registers(header, case, Channels::new(case.mask))?;
    Ok(QueryAnswer { rgba, regs })
}

fn core_registers(header: &HeaderCase, case: &QueryCase, mask: Channels) -> Result<Vec<u32>, String> {
    let code =
        u16::from_str_radix(&header.class, 16).map_err(|why| format!("class {}: {why}", header.class))?;
    let class = Class::from_code(code).map_err(|why| why.to_string())?;
    let query = Query::from_name(&case.query).ok_or_else(|| format!("unknown query {}", case.query))?;
    let txq = TxqFields {
        bindless: true,
        guard: Guard::ALWAYS,
        rd: 0,
        ra: 4,
        query,
        index: 0,
        mask,
        nodep: false,
        unused: 0,
    }
    .encode(SchedulingControl::NEUTRAL);
    let entry: Vec<u8> = header.dwords.iter().flat_map(|dword| dword.to_le_bytes()).collect();
    let pools = FlatPools { class, headers: &entry, constants: &[], limits: Limits::default() };
    let mut sources = Handle::join(0, 0).raw().to_le_bytes().to_vec();
    sources.extend(case.argument.unwrap_or_default().to_le_bytes());
    let mut registers = vec![0; txq.destinations() * 128];
    let outcome =
        txq.execute(1, Sources::Packed(&sources), &pools, &mut registers).map_err(|why| why.to_string())?;
    match outcome.first_error {
        Some((_, why)) => Err(why.to_string()),
        None => Ok(registers
            .chunks_exact(128)
            .filter_map(|register| register.first_chunk())
            .map(|lane| u32::from_le_bytes(*lane))
            .collect()),
    }
}

/// Executes a query on the emulator.
///
/// # Errors
/// The error of the emulator.
pub fn oracle(header: &HeaderCase, case: &QueryCase) -> Result<QueryAnswer, String> {
    let entry = emulator::nv::TextureHeader::new(&header.class, header.dwords)?;
    let rgba = emulator::nv::query(&entry, &case.query, case.argument.unwrap_or_default())?;
    let regs = (0..4).filter(|bit| case.mask >> bit & 1 == 1).map(|bit| rgba[bit]).collect();
    Ok(QueryAnswer { rgba: rgba.to_vec(), regs })
}
