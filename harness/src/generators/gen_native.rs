//! Gen native words, streams and messages, most of them legal or nearly so.

use arbitrary::{Result, Unstructured};
use std::borrow::Cow;
use texwire::Platform;
use texwire::eu::descriptor::{HANDLE_MASK, type_of};
use texwire::eu::fields::{InstructionField, Word};
use texwire::eu::{ExecutionControl, Form, SendInstruction};
use texwire::message::{Binding, Channels, Message, Op, Width};

/// Platforms with Gen native sends.
pub const PLATFORMS: [Platform; 4] = [Platform::Gen9, Platform::Gen11, Platform::XeLp, Platform::XeHpg];

/// Chooses a platform.
pub fn platform(u: &mut Unstructured<'_>) -> Result<Platform> {
    u.choose(&PLATFORMS).copied()
}

/// How an input of `decode_gen` is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GenInput<'a> {
    /// Instructions.
    Stream(Cow<'a, [u8]>),
    /// A line of assembler text.
    Text(Cow<'a, str>),
}

/// The meaning of the first byte of an input of `decode_gen`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// The rest of the input is instructions.
    Stream,
    /// The rest of the input is the source of choices for generated instructions.
    Drawn,
    /// The rest of the input is assembler text.
    Text,
}

const READINGS: [Reading; 3] = [Reading::Stream, Reading::Drawn, Reading::Text];

/// Returns the platform and the content of an input; `None` if it is empty or too short. The first byte selects both, so that each
/// execution does one thing only, and a fuzzer reaches all of them by changing that byte.
pub fn input(data: &[u8]) -> Option<(Platform, GenInput<'_>)> {
    let (&first, rest) = data.split_first()?;
    let first = usize::from(first);
    let platform = PLATFORMS[first % PLATFORMS.len()];
    let input = match READINGS[first / PLATFORMS.len() % READINGS.len()] {
        Reading::Stream => GenInput::Stream(rest.into()),
        Reading::Drawn => GenInput::Stream(stream(&mut Unstructured::new(rest), platform).ok()?.into()),
        Reading::Text => GenInput::Text(String::from_utf8_lossy(rest)),
    };
    Some((platform, input))
}

/// Returns the first byte of an input for a platform; `None` if the platform has no sends.
pub fn first(platform: Platform, reading: Reading) -> Option<u8> {
    let platform = PLATFORMS.iter().position(|&one| one == platform)?;
    let reading = READINGS.iter().position(|&one| one == reading)?;
    u8::try_from(reading * PLATFORMS.len() + platform).ok()
}

/// The opcodes of sends, and those next to them.
const OPCODES: [u8; 8] = [0x31, 0x32, 0x33, 0x34, 0x31, 0x33, 0x30, 0x35];

/// Generates a word that is often a send: its fields are chosen one by one, then up to two bits are flipped.
pub fn word(u: &mut Unstructured<'_>, platform: Platform) -> Result<Word> {
    let opcode = *u.choose(&OPCODES)?;
    let form = SendInstruction::form_of(platform, opcode).unwrap_or(Form::Plain);
    let mut word =
        if u.ratio(1, 4)? { Word { lo: u.arbitrary()?, hi: u.arbitrary()? } } else { Word::default() };
    word.lo &= !(1 << 29);
    let fields = form.fields();
    for field in fields.all().filter(|field| field.exists()) {
        let value = draw(u, field)?;
        word = field.put(field.clear(word), value).unwrap_or(word);
    }
    if u.ratio(9, 10)? {
        word = legal(u, form, word)?;
    }
    word = fields.sfid.put(word, if u.ratio(7, 8)? { 2 } else { 3 }).unwrap_or(word);
    word.lo = word.lo & !0x7f | u64::from(opcode);
    for _ in 0..u.int_in_range(0..=3u32)?.saturating_sub(1) {
        match u.int_in_range(0..=127)? {
            bit @ 0..=63 => word.lo ^= 1 << bit,
            bit => word.hi ^= 1 << (bit - 64),
        }
    }
    Ok(word)
}

/// Replaces the undefined values in the fields of a word with defined ones.
fn legal(u: &mut Unstructured<'_>, form: Form, word: Word) -> Result<Word> {
    let f = form.fields();
    let mut word = word;
    let mut set = |field: &InstructionField, value: u32| word = field.put(word, value).unwrap_or(word);
    set(&f.exec, u.int_in_range(0..=5)?);
    set(&f.predicate, u.int_in_range(0..=13)?);
    set(&f.dst_type, u.int_in_range(0..=10)?);
    set(&f.src0_type, u.int_in_range(0..=10)?);
    // Only two of the four thread controls are chosen, and two of the descriptor selectors.
    set(&f.thread, u.int_in_range(0..=1)?);
    if form == Form::Plain {
        set(&f.desc_select, if u.ratio(3, 4)? { 3 } else { 0 });
    }
    set(&f.scoreboard, *u.choose(&[0, 1, 7, 0x20, 0x2f, 0x35, 0x4f, 0x80, 0xff])?);
    for (file, register, indirect) in [
        (&f.dst_file, &f.dst, &f.dst_indirect),
        (&f.src0_file, &f.src0, &f.src0_indirect),
        (&f.src1_file, &f.src1, &InstructionField { name: "", pieces: &[] }),
    ] {
        let null = u.ratio(1, 4)? && (form != Form::Plain || file.name != f.src0_file.name);
        set(file, u32::from(!null));
        if null && file.exists() {
            set(register, *u.choose(&[0, 0x10, 0x21, 0x71])?);
            set(indirect, 0);
        }
    }
    Ok(word)
}

/// Chooses a value of a field: 0, all ones, the lowest bit, or anything.
fn draw(u: &mut Unstructured<'_>, field: &InstructionField) -> Result<u32> {
    let all = field.get(Word { lo: u64::MAX, hi: u64::MAX });
    Ok(match u.int_in_range(0..=5)? {
        0 | 1 => 0,
        2 => all,
        3 => all & 1,
        _ => u.arbitrary::<u32>()? & all,
    })
}

/// Generates a stream of words by [`word`] and of random compacted instructions; one in four is cut short.
pub fn stream(u: &mut Unstructured<'_>, platform: Platform) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    while !u.is_empty() && bytes.len() < 1024 {
        if u.ratio(1, 4)? {
            let lo = u.arbitrary::<u64>()? | 1 << 29;
            bytes.extend(lo.to_le_bytes());
        } else {
            bytes.extend(word(u, platform)?.to_bytes());
        }
    }
    let cut = u.choose_index(16).unwrap_or(0);
    bytes.truncate(bytes.len().saturating_sub(if cut < 12 { 0 } else { cut - 11 }));
    Ok(bytes)
}

/// A message that Gen native can carry, with its parameters.
#[derive(Debug)]
pub struct SentMessage {
    /// The message.
    pub message: Message,
    /// The parameters one after another, without gaps.
    pub params: Vec<u8>,
    /// The offset of the thread's sampler state table.
    pub sampler_table: u32,
}

/// Generates a message with its parameters.
pub fn sent(u: &mut Unstructured<'_>) -> Result<SentMessage> {
    let ops: Vec<Op> = Op::ALL.iter().copied().filter(|&op| type_of(op).is_some()).collect();
    let op = *u.choose(&ops)?;
    let mut message = Message::new(op);
    message.simd = if u.arbitrary()? { 16 } else { 8 };
    message.lanes = u.arbitrary::<u32>()? & message.all_lanes();
    let width = |half: bool| if half { Width::Half } else { Width::Full };
    message.param_width = width(u.ratio(1, 4)?);
    message.return_width = width(u.ratio(1, 4)?);
    let most = op.params(message.param_width).len();
    message.params = if most == 0 { 0 } else { u.int_in_range(1..=most)? } as u8;
    if !op.flags().gather {
        message.channels = Channels::new(u.int_in_range(0..=15)?);
    }
    if matches!(op, Op::Gather4 | Op::Gather4Po) {
        message.gather = u.int_in_range(0..=3)?;
    }
    if u.ratio(1, 3)? {
        message.offsets = [u.int_in_range(-8..=7)?, u.int_in_range(-8..=7)?, u.int_in_range(-8..=7)?];
    }
    message.null_mask = u.ratio(1, 4)?;
    message.cps = u.ratio(1, 4)?;
    message.surface = if u.ratio(1, 4)? {
        Binding::Bindless(u.arbitrary::<u32>()? & HANDLE_MASK)
    } else {
        Binding::Index(u.int_in_range(0..=239)?)
    };
    message.sampler = match u.int_in_range(0..=4)? {
        0 => Binding::Bindless(u.arbitrary::<u32>()? | 1),
        1 => Binding::Index(u.int_in_range(16..=400)?),
        _ => Binding::Index(u.int_in_range(0..=15)?),
    };
    let bytes = usize::from(message.params) * usize::from(message.simd) * message.param_width.bytes();
    let mut params = vec![0; bytes];
    for byte in &mut params {
        *byte = u.arbitrary()?;
    }
    Ok(SentMessage { message, params, sampler_table: u.int_in_range(0..=0xffff)? * 32 })
}

/// Chooses an execution control under which exactly `lanes` of `simd` execute. Returns it with the dispatch mask, its flag register and the
/// other flag register that the thread has then.
pub fn execution(u: &mut Unstructured<'_>, simd: u8, lanes: u32) -> Result<(ExecutionControl, [u32; 3])> {
    let offset = if u.arbitrary()? { 32 - u32::from(simd) } else { 0 };
    let mut execution = ExecutionControl { size: simd, offset: offset as u8, ..ExecutionControl::default() };
    let noise: u32 = u.arbitrary()?;
    let all = (1u32 << simd) - 1;
    let placed = lanes << offset | noise & !(all << offset);
    let flag = texwire::eu::PredicateControl::FLAG;
    Ok(match u.int_in_range(0..=3)? {
        0 => (execution, [placed, noise, 0]),
        1 => {
            execution.predicate = flag;
            execution.no_mask = true;
            (execution, [noise, placed, 0])
        }
        2 => {
            execution.predicate = flag;
            execution.inverse = true;
            execution.flag = (1, 0);
            (execution, [u32::MAX, !placed, 0])
        }
        _ => {
            execution.predicate = flag;
            (execution, [placed, lanes << offset | !placed, 0])
        }
    })
}
