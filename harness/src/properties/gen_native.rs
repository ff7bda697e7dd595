//! Properties of Gen native.

use crate::emulator;
use crate::generators::gen_native::{self as generate, GenInput, SentMessage};
use crate::wires::gen_send::{comment, fields, instruction_text};
use arbitrary::Unstructured;
use texwire::eu::fields::Word;
use texwire::eu::payload::{self, MAX_BYTES, MAX_REGISTERS};
use texwire::eu::{Instruction, Runtime, SendInstruction, Stream, assemble};
use texwire::message::{Op, Payload};
use texwire::rules::Rule;
use texwire::{Kind, Platform};

/// Fuzz target `decode_gen`: any bytes are walked to their end; the emulator finds the same instructions and the same fields in every send,
/// and refuses what the core refuses. Text is refused with an offset inside it, or assembles to a send whose encoding and text are read
/// back. [`generate::input`] says which of the two an input is.
pub fn decode(data: &[u8]) {
    match generate::input(data) {
        Some((platform, GenInput::Stream(bytes))) => walk(&bytes, platform),
        Some((platform, GenInput::Text(text))) => match assemble::parse(platform, &text) {
            Ok(send) => inverse(&send, send.encode().expect("a parsed send has a word")),
            Err(why) => {
                assert!(why.offset().is_none_or(|at| at <= text.len()), "{why} outside the text");
            }
        },
        None => {}
    }
}

/// Compares a stream with the emulator, instruction by instruction.
pub(crate) fn walk(bytes: &[u8], platform: Platform) {
    let mut stream = Stream::new(platform, bytes);
    let mut at = 0;
    loop {
        match stream.next() {
            Ok(Some(instruction)) => {
                assert_eq!(instruction.offset(), at);
                let rest = &bytes[at..];
                let (length, opcode) = emulator::gen_native::length(rest.first_chunk().unwrap());
                assert_eq!((instruction.len(), instruction.opcode()), (length, opcode));
                judge(&instruction, &rest[..length], platform);
                at += length;
            }
            end => {
                assert_eq!(end.is_err(), at != bytes.len());
                assert_eq!(stream.next(), Ok(None), "a walk goes on after its end");
                return;
            }
        }
    }
}

fn judge(instruction: &Instruction, bytes: &[u8], platform: Platform) {
    assert!(instruction.common().is_err() || instruction.operation().is_ok());
    let mut word = [0; 16];
    word[..bytes.len()].copy_from_slice(bytes);
    let oracle = emulator::gen_native::decode(platform.name(), &word);
    match instruction.send() {
        Err(why) => {
            assert_eq!(why.offset(), Some(instruction.offset()));
            assert!(oracle.is_err(), "only the core refuses {word:02x?}: {why}");
        }
        Ok(None) => assert_eq!(oracle, Ok(None)),
        Ok(Some(send)) => {
            assert_eq!(oracle, Ok(Some(fields(&send))), "{word:02x?}");
            inverse(&send, instruction.word());
        }
    }
}

/// Checks that fields encode to the word and the text parses to the fields, and that `validate` is total.
fn inverse(send: &SendInstruction, word: Word) {
    assert_eq!(send.encode(), Ok(word));
    for rule in send.validate() {
        assert!(!rule.name().is_empty() && !rule.text().is_empty());
    }
    let text = instruction_text(send);
    assert!(!comment(send).is_empty());
    let back = assemble::parse(send.platform, &text).unwrap_or_else(|why| panic!("{text}: {why}"));
    // Bits that are not in the text may differ, but then both sends must have the same text.
    if back != *send {
        assert_eq!(instruction_text(&back), text);
    }
}

/// Returns the execution mask of a send, worked out channel by channel (PRM table PredCtrl).
fn channels(send: &SendInstruction, dispatch: u32, [flag, other]: [u32; 2]) -> u32 {
    let control = &send.execution;
    let any_or_all = |channel: u32, size: u32, all: bool| {
        let mut group = (channel / size * size..).take(size as usize).map(|one| flag >> one & 1 == 1);
        if all { group.all(|set| set) } else { group.any(|set| set) }
    };
    let predicate = |channel: u32| match control.predicate.code() {
        component @ 2..=5 if send.align16() => flag >> (channel / 4 * 4 + u32::from(component) - 2) & 1 == 1,
        0 => true,
        1 => flag >> channel & 1 == 1,
        2 => (flag | other) >> channel & 1 == 1,
        3 => flag & other & 1 << channel != 0,
        code => any_or_all(channel, 1 << (code / 2 - 1), code % 2 == 1),
    };
    let inverse = control.inverse && control.predicate.code() != 0;
    let lanes = (0..u32::from(control.size)).filter(|lane| {
        let channel = u32::from(control.offset) + lane;
        channel < 32 && (control.no_mask || dispatch >> channel & 1 == 1) && predicate(channel) != inverse
    });
    lanes.fold(0, |mask, lane| mask | 1 << lane)
}

/// Fuzz target `roundtrip_gen`: words that decode encode to themselves, and execute in the channels of their predicate; a message that is laid out in registers, sent and lowered is the
/// same message with the same parameters.
pub fn roundtrip(data: &[u8]) {
    let mut u = Unstructured::new(data);
    let Ok(platform) = generate::platform(&mut u) else { return };
    if let Ok(word) = generate::word(&mut u, platform)
        && let Ok(Some(send)) = SendInstruction::decode(platform, word)
    {
        inverse(&send, word);
        if let Ok([dispatch, flag, other_flag]) = u.arbitrary::<[u32; 3]>() {
            // Whole groups of channels are rarely set in random bits: half of the flags have equal bits in every four channels.
            let flag = if u.arbitrary().unwrap_or(false) { (flag & 0x1111_1111) * 15 } else { flag };
            assert_eq!(
                send.lanes(dispatch, flag, other_flag),
                channels(&send, dispatch, [flag, other_flag]),
                "{send} with {dispatch:#x}, {flag:#x}, {other_flag:#x}"
            );
        }
    }
    if let Ok(sent) = generate::sent(&mut u) {
        deliver(&mut u, &sent, platform);
    }
}

fn deliver(u: &mut Unstructured<'_>, sent: &SentMessage, platform: Platform) {
    let message = &sent.message;
    let bytes = usize::from(message.simd) * message.param_width.bytes();
    let mut given = Payload::new();
    for lanes in sent.params.chunks(bytes) {
        given.push(lanes).unwrap();
    }
    let mut registers = [0xa5; MAX_BYTES];
    let encoded = match payload::build(message, &given, sent.sampler_table, &mut registers) {
        Ok(encoded) => encoded,
        Err(why) => {
            assert_eq!(why.kind(), Kind::Invalid, "{why}");
            // Too long or too wide for 16 lanes: then it is sent as two messages of 8 lanes.
            for (half, params) in payload::halves(message, &given).into_iter().flatten() {
                if let Ok(encoded) = payload::build(&half, &params, sent.sampler_table, &mut registers) {
                    arrive(u, &half, &params, encoded, &registers, sent.sampler_table, platform);
                }
            }
            return;
        }
    };
    assert!(usize::from(encoded.registers) <= MAX_REGISTERS);
    arrive(u, message, &given, encoded, &registers, sent.sampler_table, platform);
}

fn arrive(
    u: &mut Unstructured<'_>,
    message: &texwire::Message,
    given: &Payload<'_>,
    encoded: payload::EncodedMessage,
    registers: &[u8; MAX_BYTES],
    sampler_table: u32,
    platform: Platform,
) {
    let Ok((execution, [dispatch, flag, other_flag])) = generate::execution(u, message.simd, message.lanes)
    else {
        return;
    };
    let split = u.arbitrary().unwrap_or(true);
    let send = encoded.send(platform, execution, Some(20), 2, split.then_some(60));
    let word = send.encode().unwrap();
    assert_eq!(SendInstruction::decode(platform, word), Ok(Some(send)));
    let xlen = if split { encoded.second_block() } else { 0 };
    let all = &registers[..usize::from(encoded.registers) * 32];
    let (first, second) = all.split_at(all.len() - usize::from(xlen) * 32);
    let blocks = if u.arbitrary().unwrap_or(true) { [first, second] } else { [all, &[]] };
    let runtime = Runtime {
        extended: encoded.extended(xlen),
        payload: blocks,
        dispatch,
        flag,
        other_flag,
        sampler_table,
        ..Runtime::default()
    };
    let (arrived, params) = send.lower(&runtime).unwrap();
    assert_eq!(arrived, *message);
    let bytes = usize::from(message.simd) * message.param_width.bytes();
    for index in 0..usize::from(message.params) {
        assert_eq!(&params.slot(index)[..bytes], &given.slot(index)[..bytes], "parameter {index}");
    }
    if encoded.descriptor.header()
        && let Ok(noise) = u.arbitrary()
    {
        let header = other_header(runtime.payload[0], noise);
        let second = runtime.payload[1];
        let runtime = Runtime { payload: [&header, second], ..runtime };
        assert_eq!(send.lower(&runtime).map(|(arrived, _)| arrived), Ok(of_header(message, &header)));
    }
}

/// Returns registers with other texel offsets, another source channel of gather4 and other bits in the dwords of the header that the
/// sampler does not read. Drivers copy r0 to the header.
fn other_header(registers: &[u8], noise: [u32; 8]) -> Vec<u8> {
    const CHANGED: [u32; 8] = [u32::MAX, u32::MAX, 0x3_0fff, 0, u32::MAX, u32::MAX, u32::MAX, u32::MAX];
    let mut bytes = registers.to_vec();
    for (dword, (noise, changed)) in
        bytes.as_chunks_mut::<4>().0.iter_mut().zip(noise.into_iter().zip(CHANGED))
    {
        *dword = (u32::from_le_bytes(*dword) & !changed | noise & changed).to_le_bytes();
    }
    bytes
}

/// Returns a message with the texel offsets and the source channel in its header: signed nibbles for R, V and U, from bit 0 on, and bits 17
/// and 16, which only two operations read.
fn of_header(message: &texwire::Message, header: &[u8]) -> texwire::Message {
    let nibble = |byte: u8, shift: u32| (byte << (4 - shift)) as i8 >> 4;
    let [low, high, select] = [header[8], header[9], header[10] & 3];
    let selects = matches!(message.op, Op::Gather4 | Op::Gather4Po);
    texwire::Message {
        offsets: [nibble(high, 0), nibble(low, 4), nibble(low, 0)],
        gather: if selects { select } else { 0 },
        ..*message
    }
}
