//! Decodes vISA by the opcode table, which is read as data: each item of an instruction in turn.
//!
//! The table is `data/visa-opcodes.json`; the rules of the fields are those of the visa page, section by section.

use serde_json::Value;
use std::sync::OnceLock;

/// A CISA version, (major, minor).
pub type Version = (u8, u8);

/// The value of an item of an instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// A plain number.
    Number(u64),
    /// A raw operand: variable, byte offset.
    Raw(u64, u64),
    /// A vector operand: tag, and the fields of its class.
    Vector(u64, Vec<(&'static str, u64)>),
}

/// An instruction: its items by name, in order (repeated ones under the same name).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instruction {
    /// Opcode.
    pub opcode: u8,
    /// Length in bytes.
    pub length: usize,
    /// The items.
    pub items: Vec<(&'static str, Item)>,
    version: Version,
}

/// Returns the opcode table.
fn table() -> &'static Value {
    static TABLE: OnceLock<Value> = OnceLock::new();
    TABLE.get_or_init(|| {
        serde_json::from_str(include_str!("../../data/visa-opcodes.json")).expect("the table is JSON")
    })
}

/// A step of the layout of an instruction.
#[derive(Debug)]
pub enum LayoutStep {
    /// An item: its kind and its name.
    Item(&'static str, &'static str),
    /// The steps of the case that the item of this name selects.
    Select(&'static str, Vec<(u64, Vec<LayoutStep>)>),
    /// The steps, as many times as the item of this name says.
    Repeat(&'static str, Vec<LayoutStep>),
    /// The steps, if the item of this name passes the test.
    When(&'static str, ItemTest, Vec<LayoutStep>),
}

/// A condition on an item's value.
#[derive(Debug)]
pub enum ItemTest {
    /// It has one of these bits.
    AnyOf(u64),
    /// It is this.
    Equals(u64),
}

impl ItemTest {
    /// Returns true if a value passes the test.
    pub const fn passes(&self, value: u64) -> bool {
        match self {
            Self::AnyOf(bits) => value & *bits != 0,
            Self::Equals(wanted) => value == *wanted,
        }
    }
}

/// The layout of the typed messages 0x4b and 0x4c in versions before 3.2, which was shorter (section 5).
const TYPED_BEFORE_3_2: [&str; 7] =
    ["ub channels", "exec size", "ub surface", "raw u", "raw v", "raw r", "raw msg"];

/// Returns the layout of an opcode; `None`: it is reserved.
pub fn layout(opcode: u8, version: Version) -> Option<&'static [LayoutStep]> {
    /// The layouts in the table's JSON, parsed once, and the typed layout before 3.2.
    static LAYOUTS: OnceLock<(Vec<Option<Vec<LayoutStep>>>, Vec<LayoutStep>)> = OnceLock::new();
    let (layouts, typed) = LAYOUTS.get_or_init(|| {
        let opcodes = table()["opcodes"].as_array().expect("a list of opcodes");
        let layout = |opcode: &'static Value| opcode["layout"].is_array().then(|| steps(&opcode["layout"]));
        (opcodes.iter().map(layout).collect(), TYPED_BEFORE_3_2.map(item).into())
    });
    match opcode {
        0x4b | 0x4c if version < (3, 2) => Some(typed),
        _ => layouts.get(usize::from(opcode))?.as_deref(),
    }
}

fn item(text: &'static str) -> LayoutStep {
    let (kind, name) = text.split_once(' ').expect("a kind and a name");
    LayoutStep::Item(kind, name)
}

fn steps(list: &'static Value) -> Vec<LayoutStep> {
    list.as_array().expect("a list of items").iter().map(step).collect()
}

fn step(value: &'static Value) -> LayoutStep {
    if let Some(text) = value.as_str() {
        return item(text);
    }
    if let Some(key) = value["select"].as_str() {
        let case = |(number, case): (&String, &'static Value)| {
            (number.parse().expect("a number"), steps(&case["items"]))
        };
        return LayoutStep::Select(
            key,
            value["cases"].as_object().expect("cases").iter().map(case).collect(),
        );
    }
    if let Some(key) = value["repeat"].as_str() {
        return LayoutStep::Repeat(key, steps(&value["items"]));
    }
    let test = match value["mask"].as_u64() {
        Some(bits) => ItemTest::AnyOf(bits),
        None => ItemTest::Equals(value["equals"].as_u64().expect("a mask or a value")),
    };
    LayoutStep::When(value["when"].as_str().expect("an item's name"), test, steps(&value["items"]))
}

/// A position in the bytes of an instruction, and the items read so far.
struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
    version: Version,
    items: Vec<(&'static str, Item)>,
}

/// Reads the instruction at the start of `bytes`.
///
/// # Errors
/// Says what is wrong: a reserved opcode or class, an unknown sub-operation, or the end of the bytes.
pub fn decode(bytes: &[u8], version: Version) -> Result<Instruction, String> {
    let opcode = *bytes.first().ok_or("no opcode")?;
    let layout = layout(opcode, version).ok_or_else(|| format!("opcode {opcode:#x} has no layout"))?;
    let mut cursor = Cursor { bytes, at: 1, version, items: Vec::new() };
    cursor.steps(layout)?;
    Ok(Instruction { opcode, length: cursor.at, items: cursor.items, version })
}

impl Cursor<'_> {
    fn number(&mut self, bytes: usize) -> Result<u64, String> {
        let mut value = 0;
        for index in 0..bytes {
            let byte = self.bytes.get(self.at + index).ok_or("the bytes end")?;
            value |= u64::from(*byte) << (8 * index);
        }
        self.at += bytes;
        Ok(value)
    }

    fn find(&self, name: &str) -> u64 {
        let found = self.items.iter().rev().find(|(key, _)| *key == name);
        match found {
            Some((_, Item::Number(value))) => *value,
            _ => 0,
        }
    }

    fn steps(&mut self, steps: &'static [LayoutStep]) -> Result<(), String> {
        steps.iter().try_for_each(|step| self.step(step))
    }

    fn step(&mut self, step: &'static LayoutStep) -> Result<(), String> {
        match step {
            LayoutStep::Item(kind, name) => {
                if let Some(value) = self.value(kind)? {
                    self.items.push((name, value));
                }
                Ok(())
            }
            LayoutStep::Select(key, cases) => {
                let value = self.find(key);
                let case = cases.iter().find(|(number, _)| *number == value);
                self.steps(&case.ok_or_else(|| format!("no sub-operation {value}"))?.1)
            }
            LayoutStep::Repeat(key, steps) => (0..self.find(key)).try_for_each(|_| self.steps(steps)),
            LayoutStep::When(key, test, steps) if test.passes(self.find(key)) => self.steps(steps),
            LayoutStep::When(..) => Ok(()),
        }
    }

    /// Reads a value of a kind of item; `None`: this version does not have it (section 5).
    fn value(&mut self, kind: &str) -> Result<Option<Item>, String> {
        let index = if self.version < (3, 4) { 2 } else { 4 };
        Ok(Some(match kind {
            "ub" | "exec" => Item::Number(self.number(1)?),
            "uw" | "pred" => Item::Number(self.number(2)?),
            "ud" | "sd" => Item::Number(self.number(4)?),
            "varidx" | "strid" => Item::Number(self.number(index)?),
            "samplerop" => Item::Number(self.number(if self.version.0 >= 4 { 2 } else { 1 })?),
            "ffid" if self.version < (3, 6) => return Ok(None),
            "ffid" => Item::Number(self.number(1)?),
            "waitmask" if self.version < (3, 1) => return Ok(None),
            "aoff" if self.version < (3, 4) => {
                let value = self.number(2)?;
                Item::Vector(5, vec![("type", 2), ("value", value)])
            }
            "raw" => Item::Raw(self.number(index)?, self.number(2)?),
            "vec" | "aoff" | "waitmask" => self.vector(index)?,
            other => return Err(format!("kind {other}")),
        }))
    }

    /// Reads a vector operand (section 4).
    fn vector(&mut self, index: usize) -> Result<Item, String> {
        let tag = self.number(1)?;
        let fields: &[(&'static str, usize)] = match tag & 7 {
            0 => &[("index", index), ("row", 1), ("col", 1), ("region", 2)],
            1 => &[("index", 2), ("offset", 1), ("width", 1)],
            2 => &[("index", 2)],
            3 => &[("index", 2), ("offset", 1), ("bytes", 2), ("type", 1), ("region", 2)],
            5 => &[("type", 1), ("value", 4)],
            6 => &[("class", 1), ("index", 2), ("offset", 1)],
            class => return Err(format!("vector operand of class {class}")),
        };
        let mut found: Vec<(&'static str, u64)> = Vec::new();
        for (name, bytes) in fields {
            // Immediates of types df, uq and q have eight bytes instead of four.
            let wide = *name == "value" && found.iter().any(|(_, kind)| matches!(kind & 15, 6 | 11 | 13));
            found.push((name, self.number(if wide { 8 } else { *bytes })?));
        }
        Ok(Item::Vector(tag, found))
    }
}

/// The operations of later sources that the table of the release does not have (section 3, Operations).
const LATER: &[(u64, &str)] = &[
    (13, "sample4_l"),
    (14, "sample4_b"),
    (15, "sample4_i"),
    (21, "sample4_i_c"),
    (23, "sample4_l_c"),
    (40, "sample4_po"),
    (45, "sample4_po_l"),
    (46, "sample4_po_b"),
    (47, "sample4_po_i"),
    (48, "sample4_po_c"),
    (53, "sample4_po_i_c"),
    (55, "sample4_po_l_c"),
];

/// Returns the name of an operation and the mnemonic of the instruction to which it belongs; `None`: it is unknown.
fn operation(number: u64) -> Option<(&'static str, &'static str)> {
    static OPERATIONS: OnceLock<Vec<(u64, &'static str, &'static str)>> = OnceLock::new();
    let operations = OPERATIONS.get_or_init(|| {
        let text = |value: &'static Value| value.as_str().expect("a name");
        let known = table()["sampler_ops"].as_array().expect("a list of operations").iter();
        let known = known
            .map(|op| (op["op"].as_u64().expect("a number"), text(&op["text"]), text(&op["instruction"])));
        known.chain(LATER.iter().map(|(number, name)| (*number, *name, "3d_gather4"))).collect()
    });
    operations.iter().find(|(known, ..)| *known == number).map(|(_, name, owner)| (*name, *owner))
}

/// Gives the name of the variable with an index.
pub type VariableNames<'a> = &'a dyn Fn(u64) -> String;

impl Instruction {
    /// Returns the first item of this name that is a number.
    pub fn number(&self, name: &str) -> Option<u64> {
        self.items.iter().find_map(|(key, item)| match item {
            Item::Number(value) if *key == name => Some(*value),
            _ => None,
        })
    }

    fn op(&self) -> u64 {
        let field = self.number("op").unwrap_or(0);
        if self.opcode != 0x70 && self.version.0 < 4 { field & 31 } else { field & 255 }
    }

    fn flag(&self, bit: u32) -> bool {
        let first = if self.version.0 < 4 { 5 } else { 8 };
        self.opcode != 0x70 && self.number("op").unwrap_or(0) >> (first + bit) & 1 == 1
    }

    /// Refuses what section 8 recommends to refuse.
    ///
    /// # Errors
    /// Says which field is wrong.
    pub fn legal(&self) -> Result<(), String> {
        let (_, owner) = operation(self.op()).ok_or("unknown operation")?;
        let own = table()["opcodes"][usize::from(self.opcode)]["mnemonic"] == owner;
        let exec = self.number("size").unwrap_or(0);
        let pred = self.number("pred").unwrap_or(0);
        let channels = self.number("channels").unwrap_or(0);
        let most = if self.opcode == 0x6f { 7 } else { 15 };
        let count = self.number("num_params").unwrap_or(1);
        let rules = [
            (own, "operation of another instruction"),
            (exec & 15 <= 5, "size"),
            (self.version != (3, 0) || exec >> 4 <= 9, "mask"),
            (pred == 0 || (pred & 0xfff != 0 && pred >> 13 & 3 != 3), "predicate"),
            (self.opcode == 0x6f || channels & 15 != 0, "no channel"),
            (self.opcode != 0x6f || channels <= 3, "gather channel"),
            (count >= 1 && count <= most, "number of parameters"),
        ];
        for (good, what) in rules {
            if !good {
                return Err(what.to_owned());
            }
        }
        for (_, item) in &self.items {
            let index = match item {
                Item::Raw(index, _) => *index,
                Item::Vector(tag, fields) if tag & 7 == 0 => fields[0].1,
                _ => 0,
            };
            if (21..=31).contains(&index) {
                return Err("variable between the predefined ones and the table".to_owned());
            }
        }
        Ok(())
    }

    /// Returns the line that the reference tool prints (section 7).
    pub fn text(&self, names: VariableNames<'_>) -> String {
        let number = |name| self.number(name).unwrap_or(0);
        let mut line = String::new();
        let pred = number("pred");
        if pred != 0 {
            let control = ["", ".any", ".all", ""][(pred >> 13 & 3) as usize];
            line += &format!("({}P{}{control}) ", if pred >> 15 == 1 { "!" } else { "" }, pred & 0xfff);
        }
        line += operation(self.op()).map_or("", |(name, _)| name);
        line.push('.');
        for (bit, flag) in ["pixel_null_mask.", "cps.", "divS."].iter().enumerate() {
            if self.flag(bit as u32) && (bit == 0 || self.opcode == 0x6d) {
                line += flag;
            }
        }
        for (bit, letter) in "RGBA".chars().enumerate() {
            let channels = number("channels");
            let on = if self.opcode == 0x6f { channels == bit as u64 } else { channels >> bit & 1 == 1 };
            line.extend(on.then_some(letter));
        }
        let nibble = match (self.version, number("size") >> 4) {
            ((3, 0), 9) => 0,
            (_, nibble) => nibble,
        };
        let mask = format!("M{}{}", (nibble & 7) + 1, if nibble >= 8 { "_NM" } else { "" });
        line += &format!(" ({mask}, {})", 1 << (number("size") & 15));
        if self.opcode != 0x6f {
            line.push(' ');
        }
        for (name, item) in &self.items {
            match (*name, item) {
                ("sampler", Item::Number(index)) => line += &format!(" S{index}"),
                ("surface", Item::Number(index)) => {
                    let predefined = ["%slm", "T1", "T2", "TSS", "%bss", "%scratch"];
                    let name = predefined
                        .get(*index as usize)
                        .map_or_else(|| format!("T{index}"), |n| (*n).to_owned());
                    line += &format!(" {name}");
                }
                (_, Item::Raw(0, _)) => line += &format!(" {}.0", names(0)),
                (_, Item::Raw(index, offset)) => line += &format!(" {}.{offset}", names(*index)),
                (_, Item::Vector(tag, fields)) => line += &format!(" {}", vector(*tag, fields, names)),
                _ => {}
            }
        }
        line
    }
}

fn vector(tag: u64, fields: &[(&'static str, u64)], names: VariableNames<'_>) -> String {
    let get = |name: &str| fields.iter().find(|(key, _)| *key == name).map_or(0, |(_, value)| *value);
    let types = |code: u64| table()["types"][(code & 15) as usize].as_str().unwrap_or_default();
    let modifier = ["", "(abs)", "(-)", "(-abs)", "(sat)", "(~)", "", ""][(tag >> 3 & 7) as usize];
    let stride = |code: u64| {
        [None, Some(0), Some(1), Some(2), Some(4), Some(8), Some(16), Some(32)]
            .get(code as usize)
            .copied()
            .flatten()
    };
    let region = |code: u64| {
        let horizontal = stride(code >> 8 & 15).unwrap_or(0);
        match (stride(code & 15), stride(code >> 4 & 15)) {
            (Some(vertical), Some(width)) => format!("<{vertical};{width},{horizontal}>"),
            _ => format!("<{horizontal}>"),
        }
    };
    match tag & 7 {
        0 => format!(
            "{modifier}{}({},{}){}",
            names(get("index")),
            get("row"),
            get("col"),
            region(get("region"))
        ),
        1 => format!("{modifier}A{}({})<{}>", get("index"), get("offset"), get("width")),
        2 => format!("{modifier}P{}", get("index") & 0xfff),
        3 => {
            let bytes = get("bytes") as u16 as i16;
            let place = format!("r[A{}({}),{bytes}]", get("index"), get("offset"));
            format!("{modifier}{place}{}:{}", region(get("region")), types(get("type")))
        }
        5 => {
            // A word is stored in four bytes, of which the lower two count.
            let bits = if types(get("type")) == "uw" { get("value") & 0xffff } else { get("value") };
            format!("{bits:#x}:{}", types(get("type")))
        }
        _ => format!(
            "{modifier}{}{}({})",
            if get("class") == 0 { "T" } else { "S" },
            get("index"),
            get("offset")
        ),
    }
}
