//! Properties of TXQ.

use crate::emulator;
use crate::generators::txq::{self as generate, Warp};
use arbitrary::Unstructured;
use std::collections::BTreeMap;
use texwire::state::nv::{Class, Limits, SamplerEntry, TextureHeader};
use texwire::txq::{FlatPools, FullText, GROUP_BYTES, Group, Section, Slot, Sources, Txq};
use texwire::{Platform, rules::Rule};

/// Fuzz target `decode_txq`: any bytes are walked to their end; the quick walk finds what the slow one finds; the emulator decodes and
/// prints every word in the same way; any text parses or is refused with an offset inside it.
pub fn decode(data: &[u8]) {
    walk(data);
    if let Ok(section) = generate::section(&mut Unstructured::new(data)) {
        walk(&section);
    }
    text(&String::from_utf8_lossy(data));
}

/// Returns all slots of a section, and whether it ends without an error.
fn all(mut next: impl FnMut() -> texwire::error::Result<Option<Slot>>) -> (Vec<Slot>, bool) {
    let mut slots = Vec::new();
    loop {
        match next() {
            Ok(Some(slot)) => slots.push(slot),
            end => {
                assert_eq!(next(), Ok(None), "a walk goes on after its end");
                return (slots, end.is_ok());
            }
        }
    }
}

/// Compares a section with the emulator, slot by slot.
pub(crate) fn walk(bytes: &[u8]) {
    let (mut slow, mut quick) = (Section::new(bytes), Section::new(bytes));
    let (slots, whole) = all(|| slow.next());
    let (found, quick_whole) = all(|| quick.next_txq());
    assert_eq!(slots.len(), bytes.len() / GROUP_BYTES * 3);
    assert_eq!((whole, quick_whole), (bytes.len().is_multiple_of(GROUP_BYTES), whole));
    let matching: Vec<Slot> = slots.iter().copied().filter(|slot| Txq::matches(slot.word)).collect();
    assert_eq!(found, matching);
    for slot in &slots {
        let at = slot.offset;
        assert_eq!(bytes.get(at..at + 8), Some(&slot.word.to_le_bytes()[..]));
        let oracle = emulator::txq::decode(slot.word, slot.control.raw());
        match slot.txq() {
            Err(why) => {
                assert_eq!(why.offset(), Some(at));
                assert!(oracle.is_err(), "only the core refuses {slot:x?}");
            }
            Ok(None) => assert_eq!(oracle, Ok(None)),
            Ok(Some(txq)) => {
                let oracle = oracle.unwrap().unwrap();
                assert_eq!(txq.to_string(), oracle.text());
                assert_eq!(usize::from(txq.sources()), oracle.sources());
            }
        }
    }
    for chunk in bytes.as_chunks().0 {
        assert_eq!(Group::from_bytes(chunk).to_bytes(), *chunk);
    }
}

fn text(text: &str) {
    match Txq::parse(text) {
        Ok(txq) => same_text(txq),
        Err(why) => assert!(why.offset().is_some_and(|at| at <= text.len()), "{why} outside the text"),
    }
}

/// Checks that both texts of an instruction parse to the same instruction.
fn same_text(txq: Txq) {
    let word = txq.word() & !txq.ignored_bits();
    let plain = Txq::parse(&txq.to_string()).unwrap();
    assert_eq!((plain.word(), plain.control().phase()), (word, txq.control().phase()));
    let full = Txq::parse(&FullText(txq).to_string()).unwrap();
    assert_eq!((full.word(), full.control()), (word, txq.control()));
}

/// Fuzz target `roundtrip_txq`: fields encode and decode to themselves, so does the text; damaged text is refused or parses as another
/// instruction; rules and header fields are total, and setting a field keeps all other bits.
pub fn roundtrip(data: &[u8]) {
    let mut u = Unstructured::new(data);
    let Ok(txq) = generate::txq(&mut u) else { return };
    assert_eq!(Txq::decode(txq.word(), txq.control()), Ok(Some(txq)));
    assert_eq!(txq.fields().encode(txq.control()), txq);
    same_text(txq);
    for platform in Platform::ALL {
        for rule in txq.validate(platform) {
            assert!(txq.validate(platform).contains(rule) && !rule.name().is_empty());
        }
    }
    let mut damaged = FullText(txq).to_string().into_bytes();
    if let (Ok(at), Ok(byte)) = (u.choose_index(damaged.len()), u.arbitrary()) {
        damaged[at] = byte;
        text(&String::from_utf8_lossy(&damaged));
    }
    if let (Ok(entry), Ok(value)) = (generate::header(&mut u), u.arbitrary()) {
        fields(entry, value);
    }
}

/// Checks that setting a field changes that field only.
fn fields(entry: [u32; 8], value: u32) {
    for class in Class::ALL {
        let header = TextureHeader::from_dwords(class, entry);
        assert_eq!(TextureHeader::from_bytes(class, &header.to_bytes()), header);
        for info in header.fields().unwrap_or_default() {
            let fits = u64::from(value) < 1 << info.width;
            let mut changed = header;
            assert_eq!(changed.set(info.field, value).is_ok(), fits);
            assert_eq!(info.read(&changed.dwords), if fits { value } else { info.read(&entry) });
            changed.dwords.iter().zip(entry).enumerate().for_each(|(index, (new, old))| {
                let inside = usize::from(info.lsb / 32) == index;
                let mask = if inside { (((1_u64 << info.width) - 1) << (info.lsb % 32)) as u32 } else { 0 };
                assert_eq!(new & !mask, old & !mask, "{} spills", info.field.name());
            });
        }
        let mut sampler = SamplerEntry::from_bytes(class, &header.to_bytes());
        assert_eq!(sampler.to_bytes(), header.to_bytes());
        for info in sampler.fields() {
            assert_eq!(sampler.set(info.field, value).is_ok(), u64::from(value) < 1 << info.width);
        }
    }
}

/// Fuzz target `execute_txq`: the core executes a warp as the emulator does, and writes no other bytes.
pub fn execute(data: &[u8]) {
    let Ok(warp) = generate::warp(&mut Unstructured::new(data)) else { return };
    const UNTOUCHED: u8 = 0xa5;
    let txq = warp.txq;
    let offset = usize::from(txq.index()) * 4;
    let mut constants = vec![0; offset];
    constants.extend(warp.handle.into_iter().flat_map(u32::to_le_bytes));
    let headers: Vec<u8> = warp.headers.iter().flatten().flat_map(|dword| dword.to_le_bytes()).collect();
    let limits = Limits { max_header: warp.max_header, ..Limits::default() };
    let class = Class::from_code(warp.class).unwrap();
    let pools = FlatPools { class, headers: &headers, constants: &constants, limits };
    let packed: Vec<u8> = warp.sources.iter().flatten().flat_map(|value| value.to_le_bytes()).collect();
    let mut registers = vec![UNTOUCHED; 4 * 128];
    let core = txq.execute(warp.active, Sources::Packed(&packed), &pools, &mut registers);
    let oracle = oracle(&warp);
    let (Ok(core), Ok(oracle)) = (core, &oracle) else {
        // Without active lanes the handle is never fetched.
        assert!(core.is_err() == oracle.is_err() || warp.active == 0, "{core:?}, emulator {oracle:?}");
        return;
    };
    assert_eq!(core.failed, oracle.failed, "{:?}", core.first_error);
    assert_eq!(core.first_error.is_some(), core.failed != 0);
    let lanes = oracle.written.iter().flatten();
    let expected: Vec<u8> = lanes.flat_map(|lane| lane.map_or([UNTOUCHED; 4], u32::to_le_bytes)).collect();
    let (written, rest) = registers.split_at(expected.len());
    assert_eq!(written, expected, "{warp:?}");
    assert!(rest.iter().all(|byte| *byte == UNTOUCHED));
    in_registers(&warp, &pools, &registers);
}

/// Returns the emulator's answers to the lanes of a warp.
///
/// # Errors
/// The emulator's reason why the word is not a query, or cannot be executed.
pub fn oracle(warp: &Warp) -> Result<emulator::txq::WarpResult, String> {
    let txq = emulator::txq::decode(warp.txq.word(), warp.txq.control().raw())?.ok_or("no TXQ")?;
    let state = emulator::txq::QueryState {
        class: format!("{:X}", warp.class),
        headers: (0..).zip(warp.headers.iter().copied()).collect(),
        constants: warp
            .handle
            .map(|handle| (u32::from(warp.txq.index()) * 4, handle))
            .into_iter()
            .collect::<BTreeMap<_, _>>(),
        max_header: warp.max_header,
    };
    emulator::txq::execute(&txq, warp.active, &warp.sources, &state)
}

/// Checks that sources in whole registers give the same results as packed ones.
fn in_registers(warp: &Warp, pools: &FlatPools<'_>, expected: &[u8]) {
    let mut sources = [vec![0; 128], vec![0; 128]];
    let lanes = (0..32).filter(|lane| warp.active >> lane & 1 == 1);
    for (lane, values) in lanes.zip(&warp.sources) {
        for (register, value) in sources.iter_mut().zip(values) {
            register[lane * 4..][..4].copy_from_slice(&value.to_le_bytes());
        }
    }
    let mut registers = vec![0xa5; expected.len()];
    let sources = Sources::Registers(&sources[0], &sources[1]);
    warp.txq.execute(warp.active, sources, pools, &mut registers).unwrap();
    assert_eq!(registers, expected);
}
