//! Decodes Gen native sends bit by bit from tables of fields (gen-message page, sections 1, 2, 3 and 9).
//!
//! A field is written as bit ranges `high:low`, the most significant range first; `<<n` shifts their number left by n.

use std::sync::LazyLock;

/// The fields of the three forms of sends.
#[derive(Clone, Copy, Debug)]
enum Name {
    Offset,
    Thread,
    Predicate,
    Inverse,
    Exec,
    Sfid,
    Flag,
    Subflag,
    Nomask,
    DstFile,
    DstType,
    Src0File,
    Src0Type,
    Dst,
    DstIndirect,
    Src0,
    Src0Indirect,
    DescFrom,
    Desc,
    Exdesc,
    Cps,
    Eot,
    Src1File,
    Src1,
    ExdescFrom,
    ExdescRegister,
    ExdescHigh,
    ExdescLength,
    Scoreboard,
}

use Name::{
    Cps, Desc, DescFrom, Dst, DstFile, DstIndirect, DstType, Eot, Exdesc, ExdescFrom, ExdescHigh,
    ExdescLength, ExdescRegister, Exec, Flag, Inverse, Nomask, Offset, Predicate, Scoreboard, Sfid, Src0,
    Src0File, Src0Indirect, Src0Type, Src1, Src1File, Subflag, Thread,
};

/// Fields of `send` and `sendc`, Gen9 and Gen11 (section 2).
const SEND: &[(Name, &str)] = &[
    (Offset, "13:12 11:11"),
    (Thread, "15:14"),
    (Predicate, "19:16"),
    (Inverse, "20:20"),
    (Exec, "23:21"),
    (Sfid, "27:24"),
    (Flag, "33:33"),
    (Subflag, "32:32"),
    (Nomask, "34:34"),
    (DstFile, "36:35"),
    (DstType, "40:37"),
    (Src0File, "42:41"),
    (Src0Type, "46:43"),
    (Dst, "60:53"),
    (DstIndirect, "63:63"),
    (Src0, "76:69"),
    (Src0Indirect, "79:79"),
    (DescFrom, "90:89"),
    (Desc, "126:96"),
    (Exdesc, "94:91 88:85 83:80 67:64 <<16"),
    (Cps, "94:94"),
    (Eot, "127:127"),
];

/// Fields of `sends` and `sendsc`, Gen9 and Gen11 (section 3).
const SENDS: &[(Name, &str)] = &[
    (Offset, "13:12 11:11"),
    (Thread, "15:14"),
    (Predicate, "19:16"),
    (Inverse, "20:20"),
    (Exec, "23:21"),
    (Sfid, "27:24"),
    (Cps, "31:31"),
    (Flag, "33:33"),
    (Subflag, "32:32"),
    (Nomask, "34:34"),
    (DstFile, "35:35"),
    (Src1File, "36:36"),
    (DstType, "40:37"),
    (Src1, "51:44"),
    (Dst, "60:53"),
    (ExdescFrom, "61:61"),
    (DstIndirect, "63:63"),
    (Src0, "76:69"),
    (DescFrom, "77:77"),
    (Src0Indirect, "79:79"),
    (ExdescRegister, "82:80"),
    (ExdescHigh, "95:80 <<16"),
    (ExdescLength, "67:64 <<6"),
    (Desc, "126:96"),
    (Eot, "127:127"),
];

/// Fields of the only form of Gen12 (section 9).
const GEN12: &[(Name, &str)] = &[
    (Scoreboard, "15:8"),
    (Exec, "18:16"),
    (Offset, "21:19"),
    (Flag, "23:23"),
    (Subflag, "22:22"),
    (Predicate, "27:24"),
    (Inverse, "28:28"),
    (Nomask, "31:31"),
    (Thread, "33:32"),
    (Eot, "34:34"),
    (ExdescRegister, "42:40"),
    (DescFrom, "48:48"),
    (ExdescFrom, "49:49"),
    (DstFile, "50:50"),
    (Dst, "63:56"),
    (Src0File, "66:66"),
    (Src0, "79:72"),
    (Sfid, "95:92"),
    (Src1File, "98:98"),
    (Src1, "111:104"),
    (Desc, "123:122 71:67 55:51 121:113 91:81"),
    (Exdesc, "127:124 97:96 65:64 47:35 103:99 <<6"),
    (Cps, "35:35"),
];

/// Names of the type codes (section 2.2).
const TYPES_GEN11: &[&str] = &["ud", "d", "uw", "w", "ub", "b", "uq", "q", "hf", "f", "df", "nf"];
const TYPES_GEN9: &[&str] = &["ud", "d", "uw", "w", "ub", "b", "df", "f", "uq", "q", "hf"];

/// Architecture register numbers that exist on Gen9 and Gen11: first and last of each class.
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

/// Scoreboard (SWSB) codes that are defined: first and last of each range.
const SCOREBOARD_XE_LP: &[(u32, u32)] = &[(0x00, 0x0f), (0x20, 0x4f), (0x80, 0xff)];
const SCOREBOARD_XE_HPG: &[(u32, u32)] = &[(0x00, 0x57), (0x80, 0xff)];

/// Names of the predicate controls (section 2.1).
const PREDICATES: [&str; 14] = [
    "none", "", "anyv", "allv", "any2h", "all2h", "any4h", "all4h", "any8h", "all8h", "any16h", "all16h",
    "any32h", "all32h",
];

/// Where a field is: its bit ranges as (high, low), and how far their number is shifted left. No range: the form does not have it.
type FieldBits = (Vec<(u32, u32)>, u32);
/// A form's fields, by [`Name`].
type Form = [FieldBits; FIELDS];
const FIELDS: usize = Scoreboard as usize + 1;

/// The tables of the three forms, their notation parsed once.
static TABLES: LazyLock<[Form; 3]> = LazyLock::new(|| [SEND, SENDS, GEN12].map(field_bits));

fn field_bits(table: &[(Name, &'static str)]) -> Form {
    let number = |digits: &str| digits.parse::<u32>().unwrap();
    let range = |range: &str| {
        let (high, low) = range.split_once(':').unwrap();
        (number(high), number(low))
    };
    let mut form = Form::default();
    for &(name, text) in table {
        let (ranges, shift) = text.split_once(" <<").unwrap_or((text, "0"));
        form[name as usize] = (ranges.split_whitespace().map(range).collect(), number(shift));
    }
    form
}

/// An instruction word, and the form by which it is read.
struct WordReader<'a> {
    word: &'a [u8; 16],
    form: &'a Form,
}

impl WordReader<'_> {
    fn bit(&self, n: u32) -> u32 {
        u32::from(self.word[(n / 8) as usize] >> (n % 8) & 1)
    }

    fn range(&self, value: u32, high: u32, low: u32) -> u32 {
        (low..=high).rev().fold(value, |value, n| value << 1 | self.bit(n))
    }

    /// Returns a field; 0 if the form does not have it.
    fn get(&self, name: Name) -> u32 {
        let (ranges, shift) = &self.form[name as usize];
        ranges.iter().fold(0, |value, &(high, low)| self.range(value, high, low)) << shift
    }

    fn is(&self, name: Name) -> bool {
        self.get(name) != 0
    }
}

/// The fields of a send, named as in the ground truth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the keys of the ground truth")]
pub struct Fields {
    pub op: &'static str,
    pub exec: u32,
    pub chan_off: u32,
    pub nomask: bool,
    pub pred: Option<PredicateFields>,
    pub thread_ctrl: u32,
    pub sfid: u32,
    pub eot: bool,
    pub dst_type: Option<&'static str>,
    pub dst_file: &'static str,
    pub dst_reg: u32,
    pub src0_reg: Option<u32>,
    pub src1_file: Option<&'static str>,
    pub src1_reg: Option<u32>,
    pub exdesc_reg: Option<u32>,
    pub desc_reg: Option<u32>,
    pub cps: bool,
    pub exdesc: Option<u32>,
    pub desc: Option<u32>,
}

/// A predicate: flag register and subregister, control, inverted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the keys of the ground truth")]
pub struct PredicateFields {
    pub flag: [u32; 2],
    pub ctrl: &'static str,
    pub inv: bool,
}

fn among(value: u32, ranges: &[(u32, u32)]) -> bool {
    ranges.iter().any(|&(first, last)| first <= value && value <= last)
}

/// Returns the length of an instruction in bytes, and its opcode (section 1).
pub fn length(first: &[u8; 8]) -> (usize, u8) {
    (if first[3] & 0x20 != 0 { 8 } else { 16 }, first[0] & 0x7f)
}

/// Decodes a word of `platform` (gen9, gen11, xe-lp, xe-hpg); `None`: it is not a send.
///
/// # Errors
/// Which field has a value that is not defined.
pub fn decode(platform: &str, word: &[u8; 16]) -> Result<Option<Fields>, String> {
    let gen12 = platform.starts_with("xe");
    let opcode = word[0] & 0x7f;
    let [send, sends, gen12_send] = &*TABLES;
    let (name, form) = match (opcode, gen12) {
        (0x31, false) => ("send", send),
        (0x32, false) => ("sendc", send),
        (0x33, false) => ("sends", sends),
        (0x34, false) => ("sendsc", sends),
        (0x31, true) => ("send", gen12_send),
        (0x32, true) => ("sendc", gen12_send),
        _ => return Ok(None),
    };
    let r = WordReader { word, form };
    refuse(platform, name, &r)?;
    let split = name.starts_with("sends");
    let plain = !split && !gen12;
    let desc_in_register = if plain { r.get(DescFrom) == 0 } else { r.is(DescFrom) };
    let exdesc_in_register = r.is(ExdescFrom);
    let common = r.get(Sfid) | r.get(Eot) << 5;
    let exdesc = match name {
        _ if gen12 => r.get(Exdesc),
        "sends" | "sendsc" => r.get(ExdescHigh) | r.get(ExdescLength) | common,
        _ => r.get(Exdesc) | common,
    };
    let file = |code: u32| if code == 1 { "grf" } else { "arf" };
    // In align16 of Gen9, predicate controls 2 to 5 replicate one component's flag; the reference tool does not print them.
    let replicates = platform == "gen9" && r.bit(8) == 1 && (2..=5).contains(&r.get(Predicate));
    let predicate = if replicates { 0 } else { r.get(Predicate) };
    let types = if platform == "gen9" { TYPES_GEN9 } else { TYPES_GEN11 };
    let cps = r.is(Cps) && !(gen12 && exdesc_in_register);
    Ok(Some(Fields {
        op: name,
        exec: 1 << r.get(Exec),
        chan_off: r.get(Offset) * 4,
        nomask: r.is(Nomask),
        pred: (predicate != 0).then(|| PredicateFields {
            flag: [r.get(Flag), r.get(Subflag)],
            ctrl: PREDICATES[predicate as usize],
            inv: r.is(Inverse),
        }),
        thread_ctrl: r.get(Thread),
        sfid: r.get(Sfid),
        eot: r.is(Eot),
        dst_type: (!gen12).then(|| types[r.get(DstType) as usize]),
        dst_file: if r.is(DstIndirect) { "indirect" } else { file(r.get(DstFile)) },
        dst_reg: r.get(Dst),
        src0_reg: (!r.is(Src0Indirect)).then(|| r.get(Src0)),
        src1_file: (!plain).then(|| file(r.get(Src1File))),
        src1_reg: (!plain).then(|| r.get(Src1)),
        exdesc_reg: exdesc_in_register.then(|| r.get(ExdescRegister)),
        desc_reg: desc_in_register.then_some(0),
        cps,
        exdesc: (!exdesc_in_register).then_some(exdesc),
        desc: (!desc_in_register).then(|| r.get(Desc)),
    }))
}

/// Refuses fields with values that are not defined.
fn refuse(platform: &str, name: &str, r: &WordReader<'_>) -> Result<(), String> {
    let gen12 = platform.starts_with("xe");
    let split = name.starts_with("sends");
    let wrong = |what: &str| Err(format!("{what} is not defined"));
    if r.bit(29) == 1 {
        return wrong("a compacted send");
    }
    if r.get(Exec) > 5 {
        return wrong("exec");
    }
    if r.get(Predicate) > 13 {
        return wrong("predicate");
    }
    let types = if platform == "gen9" { TYPES_GEN9.len() } else { TYPES_GEN11.len() };
    if r.get(DstType) as usize >= types || r.get(Src0Type) as usize >= types {
        return wrong("type");
    }
    if !gen12 && r.get(Thread) == if platform == "gen9" { 3 } else { 2 } {
        return wrong("thread");
    }
    if !gen12 && !split {
        if !matches!(r.get(DescFrom), 0 | 3) {
            return wrong("desc from");
        }
        if r.get(DstFile) > 1 || r.get(Src0File) != 1 {
            return wrong("register file");
        }
    }
    let arch = match platform {
        "xe-lp" => ARCH_XE_LP,
        "xe-hpg" => ARCH_XE_HPG,
        _ => ARCH_OLD,
    };
    for (present, file, register, indirect) in [
        (true, DstFile, Dst, r.is(DstIndirect)),
        (gen12, Src0File, Src0, false),
        (gen12 || split, Src1File, Src1, false),
    ] {
        if present && r.get(file) == 0 {
            if indirect {
                return wrong("indirect architecture register");
            }
            if !among(r.get(register), arch) {
                return wrong("architecture register");
            }
        }
    }
    if gen12 {
        let codes = if platform == "xe-lp" { SCOREBOARD_XE_LP } else { SCOREBOARD_XE_HPG };
        if !among(r.get(Scoreboard), codes) {
            return wrong("scoreboard");
        }
        if platform == "xe-lp" && matches!(r.get(Sfid), 1 | 14 | 15) {
            return wrong("sfid");
        }
    }
    if platform == "gen9" && r.bit(8) == 1 {
        let enabled = !split && r.range(0, 51, 48) == 15;
        if r.get(Predicate) > 7 || r.is(Src0Indirect) || r.is(DstIndirect) && !enabled {
            return wrong("align16");
        }
    }
    Ok(())
}
