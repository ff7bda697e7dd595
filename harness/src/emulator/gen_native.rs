//! Gen native sends as their bit tables say, read bit by bit.
//!
//! A field is written as ranges `high:low`, most significant first; `<<n` shifts what they give.

use serde_json::{Value, json};
use std::sync::LazyLock;

/// Fields of `send`, Gen9 and Gen11.
const SEND: &[(&str, &str)] = &[
    ("offset", "13:12 11:11"),
    ("thread", "15:14"),
    ("predicate", "19:16"),
    ("inverse", "20:20"),
    ("exec", "23:21"),
    ("sfid", "27:24"),
    ("flag", "33:33"),
    ("subflag", "32:32"),
    ("nomask", "34:34"),
    ("dst file", "36:35"),
    ("dst type", "40:37"),
    ("src0 file", "42:41"),
    ("src0 type", "46:43"),
    ("dst", "60:53"),
    ("dst indirect", "63:63"),
    ("src0", "76:69"),
    ("src0 indirect", "79:79"),
    ("desc from", "90:89"),
    ("desc", "126:96"),
    ("exdesc", "94:91 88:85 83:80 67:64 <<16"),
    ("cps", "94:94"),
    ("eot", "127:127"),
];

/// Fields of `sends`, Gen9 and Gen11.
const SENDS: &[(&str, &str)] = &[
    ("offset", "13:12 11:11"),
    ("thread", "15:14"),
    ("predicate", "19:16"),
    ("inverse", "20:20"),
    ("exec", "23:21"),
    ("sfid", "27:24"),
    ("cps", "31:31"),
    ("flag", "33:33"),
    ("subflag", "32:32"),
    ("nomask", "34:34"),
    ("dst file", "35:35"),
    ("src1 file", "36:36"),
    ("dst type", "40:37"),
    ("src1", "51:44"),
    ("dst", "60:53"),
    ("exdesc from", "61:61"),
    ("dst indirect", "63:63"),
    ("src0", "76:69"),
    ("desc from", "77:77"),
    ("src0 indirect", "79:79"),
    ("exdesc register", "82:80"),
    ("exdesc high", "95:80 <<16"),
    ("exdesc length", "67:64 <<6"),
    ("desc", "126:96"),
    ("eot", "127:127"),
];

/// Fields of the one send of Gen12.
const GEN12: &[(&str, &str)] = &[
    ("scoreboard", "15:8"),
    ("exec", "18:16"),
    ("offset", "21:19"),
    ("flag", "23:23"),
    ("subflag", "22:22"),
    ("predicate", "27:24"),
    ("inverse", "28:28"),
    ("nomask", "31:31"),
    ("thread", "33:32"),
    ("eot", "34:34"),
    ("exdesc register", "42:40"),
    ("desc from", "48:48"),
    ("exdesc from", "49:49"),
    ("dst file", "50:50"),
    ("dst", "63:56"),
    ("src0 file", "66:66"),
    ("src0", "79:72"),
    ("sfid", "95:92"),
    ("src1 file", "98:98"),
    ("src1", "111:104"),
    ("desc", "123:122 71:67 55:51 121:113 91:81"),
    ("exdesc", "127:124 97:96 65:64 47:35 103:99 <<6"),
    ("cps", "35:35"),
];

const TYPES_GEN11: &[&str] = &["ud", "d", "uw", "w", "ub", "b", "uq", "q", "hf", "f", "df", "nf"];
const TYPES_GEN9: &[&str] = &["ud", "d", "uw", "w", "ub", "b", "df", "f", "uq", "q", "hf"];

/// Architecture register numbers: first and last of each class.
const ARCH_OLD: &[(u32, u32)] = &[
    (0x00, 0x00),
    (0x10, 0x10),
    (0x20, 0x29),
    (0x30, 0x31),
    (0x40, 0x40),
    (0x50, 0x57),
    (0x60, 0x60),
    (0x70, 0x71),
    (0x80, 0x80),
    (0x90, 0x90),
    (0xa0, 0xa0),
    (0xb0, 0xb0),
    (0xc0, 0xc0),
    (0xd0, 0xd4),
    (0xf0, 0xf0),
];
const ARCH_XE_LP: &[(u32, u32)] = &[
    (0x00, 0x00),
    (0x10, 0x10),
    (0x20, 0x2f),
    (0x30, 0x31),
    (0x40, 0x40),
    (0x50, 0x57),
    (0x60, 0x60),
    (0x70, 0x71),
    (0x80, 0x80),
    (0x90, 0x90),
    (0xa0, 0xa0),
    (0xb0, 0xb0),
    (0xc0, 0xc0),
    (0xd0, 0xd3),
    (0xf0, 0xf0),
];
const ARCH_XE_HPG: &[(u32, u32)] = &[
    (0x00, 0x00),
    (0x10, 0x10),
    (0x20, 0x2f),
    (0x30, 0x31),
    (0x40, 0x40),
    (0x50, 0x57),
    (0x70, 0x71),
    (0x80, 0x80),
    (0x90, 0x90),
    (0xa0, 0xa0),
    (0xb0, 0xb0),
    (0xc0, 0xc0),
    (0xd0, 0xd3),
    (0xf0, 0xf0),
];

/// Scoreboard codes that are defined: first and last.
const SCOREBOARD_XE_LP: &[(u32, u32)] = &[(0x00, 0x0f), (0x20, 0x4f), (0x80, 0xff)];
const SCOREBOARD_XE_HPG: &[(u32, u32)] = &[(0x00, 0x57), (0x80, 0xff)];

const PREDICATES: [&str; 14] = [
    "none", "", "anyv", "allv", "any2h", "all2h", "any4h", "all4h", "any8h", "all8h", "any16h", "all16h",
    "any32h", "all32h",
];

/// A field: its name, its ranges as (high, low), and how far what they give is shifted.
type Field = (&'static str, Vec<(u32, u32)>, u32);

/// The tables as they are read: the notation is taken apart once.
static TABLES: LazyLock<[Vec<Field>; 3]> = LazyLock::new(|| [SEND, SENDS, GEN12].map(fields));

fn fields(table: &[(&'static str, &'static str)]) -> Vec<Field> {
    let number = |digits: &str| digits.parse::<u32>().unwrap();
    let range = |range: &str| {
        let (high, low) = range.split_once(':').unwrap();
        (number(high), number(low))
    };
    let field = |&(name, places): &(&'static str, &'static str)| {
        let (ranges, shift) = places.split_once(" <<").unwrap_or((places, "0"));
        (name, ranges.split_whitespace().map(range).collect(), number(shift))
    };
    table.iter().map(field).collect()
}

/// A word and the table it is read with.
struct Reader<'a> {
    word: &'a [u8; 16],
    table: &'a [Field],
}

impl Reader<'_> {
    fn bit(&self, n: u32) -> u32 {
        u32::from(self.word[(n / 8) as usize] >> (n % 8) & 1)
    }

    fn range(&self, value: u32, high: u32, low: u32) -> u32 {
        (low..=high).rev().fold(value, |value, n| value << 1 | self.bit(n))
    }

    /// The field called `name`; 0 when the form does not have it.
    fn get(&self, name: &str) -> u32 {
        let Some((_, ranges, shift)) = self.table.iter().find(|(known, ..)| *known == name) else { return 0 };
        ranges.iter().fold(0, |value, &(high, low)| self.range(value, high, low)) << shift
    }

    fn is(&self, name: &str) -> bool {
        self.get(name) != 0
    }
}

fn among(value: u32, ranges: &[(u32, u32)]) -> bool {
    ranges.iter().any(|&(first, last)| first <= value && value <= last)
}

/// The length of an instruction, and its opcode.
pub fn length(first: &[u8; 8]) -> (usize, u8) {
    (if first[3] & 0x20 != 0 { 8 } else { 16 }, first[0] & 0x7f)
}

/// Decodes a word of `platform` (gen9, gen11, xe-lp, xe-hpg); `None` when it is no send.
///
/// # Errors
/// Which field has a value that is not defined.
pub fn decode(platform: &str, word: &[u8; 16]) -> Result<Option<Value>, String> {
    let gen12 = platform.starts_with("xe");
    let opcode = word[0] & 0x7f;
    let [send, sends, gen12_send] = &*TABLES;
    let (name, table) = match (opcode, gen12) {
        (0x31, false) => ("send", send),
        (0x32, false) => ("sendc", send),
        (0x33, false) => ("sends", sends),
        (0x34, false) => ("sendsc", sends),
        (0x31, true) => ("send", gen12_send),
        (0x32, true) => ("sendc", gen12_send),
        _ => return Ok(None),
    };
    let r = Reader { word, table };
    refuse(platform, name, &r)?;
    let split = name.starts_with("sends");
    let plain = !split && !gen12;
    let desc_in_register = if plain { r.get("desc from") == 0 } else { r.is("desc from") };
    let exdesc_in_register = r.is("exdesc from");
    let common = r.get("sfid") | r.get("eot") << 5;
    let exdesc = match name {
        _ if gen12 => r.get("exdesc"),
        "sends" | "sendsc" => r.get("exdesc high") | r.get("exdesc length") | common,
        _ => r.get("exdesc") | common,
    };
    let file = |code: u32| if code == 1 { "grf" } else { "arf" };
    // Align16 of Gen9: controls 2 to 5 replicate a component's flag; the reference tool does not print them (section 2.1).
    let replicates = platform == "gen9" && r.bit(8) == 1 && (2..=5).contains(&r.get("predicate"));
    let predicate = if replicates { 0 } else { r.get("predicate") };
    let types = if platform == "gen9" { TYPES_GEN9 } else { TYPES_GEN11 };
    let cps = r.is("cps") && !(gen12 && exdesc_in_register);
    Ok(Some(json!({
        "op": name,
        "exec": 1 << r.get("exec"),
        "chan_off": r.get("offset") * 4,
        "nomask": r.is("nomask"),
        "pred": (predicate != 0).then(|| json!({
            "flag": format!("f{}.{}", r.get("flag"), r.get("subflag")),
            "ctrl": PREDICATES[predicate as usize],
            "inv": r.is("inverse"),
        })),
        "thread_ctrl": r.get("thread"),
        "sfid": r.get("sfid"),
        "eot": r.is("eot"),
        "dst_type": (!gen12).then(|| types[r.get("dst type") as usize]),
        "dst_file": if r.is("dst indirect") { "indirect" } else { file(r.get("dst file")) },
        "dst_reg": r.get("dst"),
        "src0_reg": (!r.is("src0 indirect")).then(|| r.get("src0")),
        "src1_file": (!plain).then(|| file(r.get("src1 file"))),
        "src1_reg": (!plain).then(|| r.get("src1")),
        "exdesc_reg": exdesc_in_register.then(|| r.get("exdesc register")),
        "desc_reg": desc_in_register.then_some(0),
        "cps": cps,
        "exdesc": (!exdesc_in_register).then(|| format!("0x{exdesc:08X}")),
        "desc": (!desc_in_register).then(|| format!("0x{:08X}", r.get("desc"))),
    })))
}

/// The values that are not defined.
fn refuse(platform: &str, name: &str, r: &Reader<'_>) -> Result<(), String> {
    let gen12 = platform.starts_with("xe");
    let split = name.starts_with("sends");
    let wrong = |what: &str| Err(format!("{what} is not defined"));
    if r.bit(29) == 1 {
        return wrong("a compacted send");
    }
    if r.get("exec") > 5 {
        return wrong("exec");
    }
    if r.get("predicate") > 13 {
        return wrong("predicate");
    }
    let types = if platform == "gen9" { TYPES_GEN9.len() } else { TYPES_GEN11.len() };
    if r.get("dst type") as usize >= types || r.get("src0 type") as usize >= types {
        return wrong("type");
    }
    if !gen12 && r.get("thread") == if platform == "gen9" { 3 } else { 2 } {
        return wrong("thread");
    }
    if !gen12 && !split {
        if !matches!(r.get("desc from"), 0 | 3) {
            return wrong("desc from");
        }
        if r.get("dst file") > 1 || r.get("src0 file") != 1 {
            return wrong("register file");
        }
    }
    let arch = match platform {
        "xe-lp" => ARCH_XE_LP,
        "xe-hpg" => ARCH_XE_HPG,
        _ => ARCH_OLD,
    };
    for operand in ["dst", "src0", "src1"] {
        let present = operand == "dst" || gen12 || split && operand == "src1";
        if present && r.get(&format!("{operand} file")) == 0 {
            if operand == "dst" && r.is("dst indirect") {
                return wrong("indirect architecture register");
            }
            if !among(r.get(operand), arch) {
                return wrong("architecture register");
            }
        }
    }
    if gen12 {
        let codes = if platform == "xe-lp" { SCOREBOARD_XE_LP } else { SCOREBOARD_XE_HPG };
        if !among(r.get("scoreboard"), codes) {
            return wrong("scoreboard");
        }
        if platform == "xe-lp" && matches!(r.get("sfid"), 1 | 14 | 15) {
            return wrong("sfid");
        }
    }
    if platform == "gen9" && r.bit(8) == 1 {
        let enabled = !split && r.range(0, 51, 48) == 15;
        if r.get("predicate") > 7 || r.is("src0 indirect") || r.is("dst indirect") && !enabled {
            return wrong("align16");
        }
    }
    Ok(())
}
