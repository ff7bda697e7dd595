//! `texwire enum`

use super::inputs::CommandResult;
use crate::console::say;
use crate::json::enumerations::table_json;
use clap::builder::NonEmptyStringValueParser;
use serde_json::Value;
use texwire::enums::{Context, Enumeration as _, Extra, Row, SurfaceFormat, TABLES, Table};
use texwire::format;

/// Looks up the PRM's enumerations.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The table, in the PRM's words (case, blanks and underscores do not matter).
    #[arg(value_parser = NonEmptyStringValueParser::new())]
    table: Option<String>,
    /// A value (decimal, 0x hex, 0b binary, or hex with `h`) or the name of one.
    #[arg(value_parser = NonEmptyStringValueParser::new())]
    entry: Option<String>,
    /// Print JSON: a list of tables with their rows.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> CommandResult {
    let Some(name) = &args.table else {
        if args.json {
            print_json(TABLES.iter().map(|table| table_json(table, table.rows.iter())).collect());
        } else {
            for table in TABLES {
                say!("{:<36} {} bits, {} rows, {}", table.name, table.bits, table.rows.len(), table.source);
            }
        }
        return Ok(true);
    };
    let table = find(name)?;
    let others = other_formats(table, args.entry.as_deref());
    let rows = match &args.entry {
        Some(_) if !others.is_empty() && !args.json => Vec::new(),
        Some(entry) => select(table, entry)?,
        None => table.rows.iter().collect(),
    };
    if args.json {
        print_json(vec![table_json(table, rows.into_iter())]);
    } else {
        say!("{} ({} bits, {})", table.name, table.bits, table.source);
        for row in rows {
            say!("{}", line(table, row));
        }
        if !others.is_empty() {
            say!("not in the PRM's table (names of Mesa's isl, 10 bits with the ASTC selector):");
        }
        for (format, name) in others {
            let code = format!("{:#05x}", format.0);
            say!("{code:<12} {name:<40}  128 bits{}", element(format.0));
        }
    }
    Ok(true)
}

/// Returns the surface formats that the PRM's table lacks: all of them, or those whose name or code is `entry`.
fn other_formats(table: &Table, entry: Option<&str>) -> Vec<(SurfaceFormat, &'static str)> {
    if table.name != SurfaceFormat::TABLE.name {
        return Vec::new();
    }
    let asked = |(format, name): &(SurfaceFormat, &str)| {
        entry.is_none_or(|entry| name.eq_ignore_ascii_case(entry) || number(entry) == Some(format.0.into()))
    };
    format::not_in_prm().filter(asked).collect()
}

fn find(name: &str) -> Result<&'static Table, String> {
    let plain = |name: &str| -> String {
        name.chars().filter(|c| c.is_ascii_alphanumeric()).map(|c| c.to_ascii_lowercase()).collect()
    };
    TABLES
        .into_iter()
        .find(|table| plain(table.name) == plain(name))
        .ok_or_else(|| format!("unknown table at `{name}`: `texwire enum` lists the {} tables", TABLES.len()))
}

fn select(table: &'static Table, entry: &str) -> Result<Vec<&'static Row>, String> {
    if let Some(value) = number(entry) {
        if !table.fits(value) {
            return Err(format!("value at `{entry}`: {} has {} bits", table.name, table.bits));
        }
        let rows: Vec<_> = table.rows_of(value as u16).collect();
        if !rows.is_empty() {
            return Ok(rows);
        }
        return Err(format!("value at `{entry}`: {} does not mention it", table.name));
    }
    let same = |row: &&Row| [row.name, row.ident].iter().any(|name| name.eq_ignore_ascii_case(entry));
    let rows: Vec<_> = table.rows.iter().filter(same).collect();
    if rows.is_empty() {
        Err(format!("unknown name at `{entry}`: {} has no such row", table.name))
    } else {
        Ok(rows)
    }
}

/// Parses a value in one of the manuals' notations: `0x` hex, `0b` binary, hex with a final `h`, or decimal.
fn number(text: &str) -> Option<u32> {
    let text = text.to_ascii_lowercase();
    if let Some(hex) = text.strip_prefix("0x") {
        u32::from_str_radix(hex, 16).ok()
    } else if let Some(binary) = text.strip_prefix("0b") {
        u32::from_str_radix(binary, 2).ok()
    } else if let Some(hex) =
        text.strip_suffix('h').filter(|hex| hex.starts_with(|c: char| c.is_ascii_digit()))
    {
        u32::from_str_radix(hex, 16).ok()
    } else {
        text.parse().ok()
    }
}

fn line(table: &Table, row: &Row) -> String {
    let digits = usize::from(table.bits).div_ceil(4);
    let value = if row.last > row.first {
        format!("{:#0w$x}-{:#0w$x}", row.first, row.last, w = digits + 2)
    } else {
        format!("{:#0w$x}", row.first, w = digits + 2)
    };
    let extra = match row.extra {
        Extra::None => String::new(),
        // The PRM has no size for blocks; the table of formats has it.
        Extra::Bits(0) => format!("  {}{}", block_bits(row.first), element(row.first)),
        Extra::Bits(bits) => format!("  {bits} bits{}", element(row.first)),
        Extra::Region(region) => format!("  {region}"),
    };
    let when = match row.context {
        Context::Any => String::new(),
        context => format!("  [{context:?}]"),
    };
    let meaning = if let Extra::Bits(_) = row.extra { "" } else { row.meaning };
    format!("{value:<12} {:<40}{extra}{when}  {meaning}", row.name).trim_end().to_owned()
}

/// Returns the size in bits of an element that is a block of texels, and of one texel in it, as text.
fn block_bits(code: u16) -> String {
    let Some(info) = format::info(SurfaceFormat(code)).filter(|info| info.bytes > 0) else {
        return "no single element".to_owned();
    };
    let bits = u32::from(info.bytes) * 8;
    let texels = u32::from(info.block_width) * u32::from(info.block_height);
    let each = f64::from(bits) / f64::from(texels.max(1));
    format!("{bits} bits a block, {} bits a texel", (each * 100.0).round() / 100.0)
}

/// Returns what the table of formats adds to SURFACE_FORMAT, as text: block size, channels, numeric kind.
fn element(code: u16) -> String {
    let Some(info) = format::info(SurfaceFormat(code)) else { return String::new() };
    let channels: String = (0..4)
        .filter(|bit| info.channels >> bit & 1 == 1)
        .map(|bit| "RGBA".as_bytes()[bit] as char)
        .collect();
    let srgb = if info.srgb { ", sRGB" } else { "" };
    let size = match info.bytes {
        0 => String::new(),
        bytes => format!(", {bytes} bytes a {}x{} element", info.block_width, info.block_height),
    };
    let planar = format::Planar::of(info.code).is_some();
    let sampled = planar || format::FormatDecoder::with_palette(info.code, &[]).is_ok();
    let refused = if sampled { "" } else { ", not sampled" };
    format!("{size}, {channels} {:?}{srgb}{refused}", info.kind)
}

fn print_json(tables: Vec<Value>) {
    say!("{}", Value::from(tables));
}
