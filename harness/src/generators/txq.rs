//! Code sections, TXQ instructions and warps.

use arbitrary::{Result, Unstructured};
use texwire::message::Channels;
use texwire::txq::{Guard, Query, SchedulingControl, Txq, TxqFields};

const OPCODES: [u64; 2] = [0x1be9, 0x1bea];
const CORNERS: [u8; 8] = [0, 1, 2, 4, 252, 253, 254, 255];

/// Chooses a register number; the lowest and highest ones are likely.
fn register(u: &mut Unstructured<'_>) -> Result<u8> {
    if u.ratio(1, 3)? { u.choose(&CORNERS).copied() } else { u.arbitrary() }
}

/// Chooses a control field; a quarter of them begin a dual-issued pair.
pub fn control(u: &mut Unstructured<'_>) -> Result<SchedulingControl> {
    let raw: u32 = u.arbitrary()?;
    Ok(SchedulingControl::new(if u.ratio(1, 4)? { raw & !0x1f | 0x10 } else { raw }))
}

/// Generates an instruction with a defined query.
pub fn txq(u: &mut Unstructured<'_>) -> Result<Txq> {
    let defined: Vec<Query> = (0..64).filter_map(Query::from_raw).collect();
    let header = [Query::DIMENSION, Query::TEXTURE_TYPE, Query::SAMPLER_POS];
    let fields = TxqFields {
        bindless: u.arbitrary()?,
        guard: Guard { predicate: u.int_in_range(0..=7)?, negate: u.arbitrary()? },
        rd: register(u)?,
        ra: register(u)?,
        query: if u.arbitrary()? { *u.choose(&header)? } else { *u.choose(&defined)? },
        index: u.int_in_range(0..=0x1fff)?,
        mask: Channels::new(u.arbitrary()?),
        nodep: u.arbitrary()?,
        unused: if u.ratio(1, 4)? { u.arbitrary()? } else { 0 },
    };
    Ok(fields.encode(control(u)?))
}

/// Generates an instruction word: a third are TXQ with any query, a third differ from that in one bit, a third are random.
pub fn word(u: &mut Unstructured<'_>) -> Result<u64> {
    let raw: u64 = u.arbitrary()?;
    let near = (raw & ((1 << 51) - 1)) | (*u.choose(&OPCODES)? << 51);
    Ok(match u.int_in_range(0..=2)? {
        0 => near,
        1 => near ^ 1 << u.int_in_range(0..=63)?,
        _ => raw,
    })
}

/// Generates a code section; one in four is cut inside a group.
pub fn section(u: &mut Unstructured<'_>) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    for _ in 0..u.int_in_range(0..=8)? {
        let control = (0..3).try_fold(u64::from(u.arbitrary::<bool>()?) << 63, |word, slot| {
            control(u).map(|field| field.into_word(word, slot))
        })?;
        bytes.extend(control.to_le_bytes());
        for _ in 0..3 {
            bytes.extend(word(u)?.to_le_bytes());
        }
    }
    if u.ratio(1, 4)? {
        bytes.truncate(bytes.len().saturating_sub(u.int_in_range(1..=31)?));
    }
    Ok(bytes)
}

/// Generates a texture header: random bits, but the fields that queries depend on mostly have values at or near their limits.
pub fn header(u: &mut Unstructured<'_>) -> Result<[u32; 8]> {
    let mut dwords: [u32; 8] = u.arbitrary()?;
    let mut set = |dword: usize, lo: u32, width: u32, value: u32| {
        let mask = ((1 << width) - 1) << lo;
        dwords[dword] = dwords[dword] & !mask | value << lo & mask;
    };
    if u.ratio(7, 8)? {
        // A defined version and type, in the fields of the newer and of the older layouts.
        set(2, 21, 3, u.int_in_range(0..=4)?);
        let kind = u.int_in_range(0..=8)?;
        set(4, 23, 4, kind);
        if u.arbitrary()? {
            set(2, 14, 4, kind);
        }
    }
    if u.ratio(3, 4)? {
        let first = u.int_in_range(0..=15)?;
        set(7, 0, 4, first);
        set(7, 4, 4, u.int_in_range(first.saturating_sub(1)..=15)?);
    }
    if u.arbitrary()? {
        set(7, 8, 4, u.int_in_range(0..=6)?);
        set(7, 12, 4, u.int_in_range(0..=6)?);
    }
    Ok(dwords)
}

/// A warp that executes a TXQ.
#[derive(Clone, Debug)]
pub struct Warp {
    /// The instruction.
    pub txq: Txq,
    /// Lanes that execute.
    pub active: u32,
    /// The registers that each active lane reads.
    pub sources: Vec<Vec<u32>>,
    /// The class number of the headers.
    pub class: u16,
    /// The header pool from index 0 on.
    pub headers: Vec<[u32; 8]>,
    /// MAXIMUM_INDEX of the pool.
    pub max_header: u32,
    /// The handle in the constant bank; `None`: the bank ends before it.
    pub handle: Option<u32>,
}

/// Generates a warp. Its handles are mostly in the pool, some beyond the pool's limit or its end.
pub fn warp(u: &mut Unstructured<'_>) -> Result<Warp> {
    let txq = txq(u)?;
    let class = *u.choose(&[0x9097, 0xa097, 0xb097, 0xb197, 0xc097])?;
    let headers = (0..u.int_in_range(1..=4)?).map(|_| header(u)).collect::<Result<Vec<_>>>()?;
    let end = headers.len() as u32;
    let handle = |u: &mut Unstructured<'_>| -> Result<u32> {
        Ok(u.arbitrary::<u32>()? & 0xfff0_0000 | u.int_in_range(0..=end)?)
    };
    let argument = |u: &mut Unstructured<'_>| -> Result<u32> {
        if u.ratio(7, 8)? { u.int_in_range(0..=16) } else { u.arbitrary() }
    };
    let active = if u.ratio(1, 4)? { u32::MAX } else { u.arbitrary::<u32>()? & u.arbitrary::<u32>()? };
    let sources = (0..active.count_ones())
        .map(|_| {
            let mut registers = Vec::new();
            if txq.bindless() {
                registers.push(handle(u)?);
            }
            if txq.query().takes_argument() {
                registers.push(argument(u)?);
            }
            Ok(registers)
        })
        .collect::<Result<_>>()?;
    let max_header = u.int_in_range(0..=end + 1)?;
    let bound = if u.ratio(7, 8)? { Some(handle(u)?) } else { None };
    Ok(Warp { txq, active, sources, class, headers, max_header, handle: bound })
}
