//! Replay of traces: records set state, messages of the three wires are executed, writebacks are compared.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test may panic")]

use texwire::enums::SurfaceFormat;
use texwire::eu::{DescriptorSource, Form, Operand, SendInstruction};
use texwire::message::Op;
use texwire::state::nv::{Class, Handle, NvField, NvLayout, TextureHeader};
use texwire::state::{AddressMode, ChannelSelect, Filter, SamplerState, SurfaceState, SurfaceType};
use texwire::trace::replay::{Comparison, Executed, Replay, StateTable, Step};
use texwire::trace::{
    Decoder, Event, Frame, GenRecord, MAX_FRAME, Record, RecordKind, StreamHeader, TxqRecord, VisaRecord,
    Writer, encoded_len,
};
use texwire::txq::Txq;
use texwire::visa::{Anonymous, Type, Version, assemble};
use texwire::{Kind as Why, Platform, What};

const HEADER: Record<'_> = Record::Header(StreamHeader::new(Platform::Gen11, true, false));

/// Returns the state of a 2x2 R8_UNORM surface at 0x1000 with a pitch of 64 bytes; its texels are 0 255 / 0 255.
fn surface() -> [u8; 64] {
    let mut state = SurfaceState { dwords: [0; 16] };
    state.set_surface_type(SurfaceType::D2).set_format(SurfaceFormat::R8_UNORM);
    state
        .set_width(2)
        .unwrap()
        .set_height(2)
        .unwrap()
        .set_depth(1)
        .unwrap()
        .set_pitch(64)
        .unwrap()
        .set_mip_count(1)
        .unwrap()
        .set_halign(4)
        .set_valign(4);
    state.set_channel_select([
        ChannelSelect::Red,
        ChannelSelect::Green,
        ChannelSelect::Blue,
        ChannelSelect::Alpha,
    ]);
    state.set_base_address(0x1000);
    state.to_bytes()
}

fn texels() -> [u8; 66] {
    let mut texels = [0; 66];
    (texels[1], texels[65]) = (255, 255);
    texels
}

fn sampler(mode: AddressMode) -> SamplerState {
    let mut state = SamplerState { dwords: [0; 4] };
    state.set_mag_filter(Filter::Linear).set_min_filter(Filter::Linear).set_address_modes([mode; 3]);
    state
}

/// `sends (16|M0)`: SIMD16 sample_lz with U in two registers and V in two.
const SEND: [u8; 16] = [0x33, 0, 0x80, 2, 0x78, 0x20, 0x81, 2, 2, 2, 0, 0, 0, 0x80, 0x85, 4];

/// Returns the coordinates: U of lane n is n/15, V is 0.
fn coordinates() -> Vec<u8> {
    let u = (0..16_u8).flat_map(|lane| (f32::from(lane) / 15.0).to_le_bytes());
    u.chain([0; 64]).collect()
}

fn send(payload: &[u8]) -> Record<'_> {
    Record::Gen(GenRecord {
        thread: 7,
        dispatch: 0xffff,
        flags: 0,
        instruction: &SEND,
        descriptor: 0,
        extended: 0,
        payload,
    })
}

fn red(executed: &Executed<'_>, lane: usize) -> f32 {
    f32::from_le_bytes(executed.writeback[lane * 4..][..4].try_into().unwrap())
}

/// Replays a message record, which must be executed, and returns the result.
fn executed<'a, const S: usize, const R: usize>(
    replay: &'a mut Replay<'_, S, R>,
    record: &Record<'a>,
) -> Executed<'a> {
    match replay.record(record) {
        Ok(Step::Executed(executed)) => executed,
        other => panic!("{other:?}"),
    }
}

/// Replays the header and all state that `SEND` needs.
fn prepare<const S: usize, const R: usize>(replay: &mut Replay<'_, S, R>, header: Record<'_>) {
    let (surface, sampler) = (surface(), sampler(AddressMode::Clamp).to_bytes());
    for record in [
        header,
        Record::Surface { slot: 0, state: &surface },
        Record::Sampler { slot: 0, state: &sampler },
        Record::Memory { address: 0x1000, bytes: &texels() },
    ] {
        assert_eq!(replay.record(&record), Ok(Step::State));
    }
}

#[test]
fn a_message_needs_its_state() {
    let (mut memory, payload) = ([0; 256], coordinates());
    let mut replay = Replay::<4, 4>::new(&mut memory);
    let missing = |table| Ok(Step::Missing { table, slot: 0 });
    assert_eq!((replay.header(), replay.memory_used()), (None, 0));
    assert_eq!(replay.record(&send(&payload)), missing(StateTable::Header));
    assert_eq!(replay.record(&HEADER), Ok(Step::State));
    assert_eq!(replay.header(), Some(StreamHeader::new(Platform::Gen11, true, false)));
    assert_eq!(replay.record(&send(&payload)), missing(StateTable::Surface));
    replay.record(&Record::Surface { slot: 0, state: &surface() }).unwrap();
    assert_eq!(replay.record(&send(&payload)), missing(StateTable::Sampler));
    replay.record(&Record::Sampler { slot: 0, state: &sampler(AddressMode::Clamp).to_bytes() }).unwrap();
    assert_eq!(executed(&mut replay, &send(&payload)).faults, 0xffff);
    replay.record(&Record::Memory { address: 0x1000, bytes: &texels() }).unwrap();
    assert_eq!(replay.memory_used(), 66);
    let done = executed(&mut replay, &send(&payload));
    assert_eq!((done.kind, done.thread, done.message.op, done.faults), (RecordKind::GEN, 7, Op::SampleLz, 0));
    assert_eq!(done.writeback.len(), 8 * 32);
    // Red is u * 2 - 1/2 between the texels' centres, and constant outside of them.
    let lane = |n: f32| (n / 15.0 * 2.0 - 0.5).clamp(0.0, 1.0);
    for n in 0..16 {
        assert!((red(&done, n) - lane(n as f32)).abs() < 1e-6, "lane {n}");
    }
    // The format has red only: green and blue are 0, alpha is 1.
    assert!(done.writeback[64..192].iter().all(|&byte| byte == 0));
    assert_eq!(done.writeback[192..196], 1.0_f32.to_le_bytes());
    let cut = executed(&mut replay, &Record::Gen(GenRecord { dispatch: 0x8001, ..gen_of(&payload) }));
    assert_eq!((red(&cut, 0), red(&cut, 7), red(&cut, 15)), (0.0, 0.0, 1.0));
    let why = replay.record(&send(&payload[..96])).unwrap_err();
    assert_eq!((why.kind(), why.what()), (Why::Truncated, What::Payload));
}

fn gen_of(payload: &[u8]) -> GenRecord<'_> {
    let Record::Gen(record) = send(payload) else { panic!() };
    record
}

#[test]
fn headers_say_version_and_precision() {
    let (mut memory, payload) = ([0; 256], coordinates());
    let mut replay = Replay::<4, 4>::new(&mut memory);
    let later = StreamHeader { version: 2, ..StreamHeader::new(Platform::Gen11, true, false) };
    let why = replay.record(&Record::Header(later)).unwrap_err();
    assert_eq!(
        (why.kind(), why.what(), why.offset(), why.found()),
        (Why::Unsupported, What::Record, Some(4), 2)
    );
    let unknown = StreamHeader { platform: 13, ..later };
    assert_eq!(unknown.platform(), None);
    // With weights of 8 bits, results between 0 and 1 are multiples of 1/256; with float weights they are not.
    for fixed8 in [false, true] {
        let header = StreamHeader::new(Platform::Gen11, false, fixed8);
        assert_eq!((header.writebacks(), header.fixed8()), (false, fixed8));
        prepare(&mut replay, Record::Header(header));
        let between = red(&executed(&mut replay, &send(&payload)), 7);
        assert_eq!((between * 256.0).fract() == 0.0, fixed8, "{between}");
    }
}

/// A prepared message is reused only while its states are the same, bit for bit.
#[test]
fn messages_follow_their_state() {
    let (mut memory, payload) = ([0; 256], coordinates());
    let mut replay = Replay::<16, 4>::new(&mut memory);
    prepare(&mut replay, HEADER);
    let mut samplers = [AddressMode::Clamp, AddressMode::Wrap, AddressMode::Mirror].map(sampler).to_vec();
    for number in 0..8 {
        let mut state = sampler(AddressMode::ClampBorder);
        state.set_border_offset(0x40 * number);
        samplers.push(state);
    }
    // Eleven messages, more than the replay keeps prepared, then the same in reverse: the first of those are still kept.
    for state in samplers.iter().chain(samplers.iter().rev()) {
        let state = state.to_bytes();
        let mut color = [0; 16];
        color[..4].copy_from_slice(&f32::from(state[8]).to_le_bytes());
        let records = [
            Record::Sampler { slot: 0, state: &state },
            Record::Border { offset: SamplerState::from_bytes(&state).border_offset(), color: &color },
        ];
        let (mut memory, mut other) = ([0; 256], None);
        let fresh = other.insert(Replay::<16, 4>::new(&mut memory));
        prepare(fresh, HEADER);
        for record in &records {
            replay.record(record).unwrap();
            fresh.record(record).unwrap();
        }
        let want = executed(fresh, &send(&payload)).writeback.to_vec();
        assert_eq!(executed(&mut replay, &send(&payload)).writeback, want);
        assert_eq!(executed(&mut replay, &send(&payload)).writeback, want);
    }
    // The message also follows another surface in the slot and other contents of a palette.
    let mut state = SurfaceState::from_bytes(&surface());
    state.set_format(SurfaceFormat::P8_UNORM_PALETTE0);
    replay.record(&Record::Surface { slot: 0, state: &state.to_bytes() }).unwrap();
    replay.record(&Record::Sampler { slot: 0, state: &sampler(AddressMode::Clamp).to_bytes() }).unwrap();
    let why = replay.record(&send(&payload)).unwrap_err();
    assert_eq!((why.kind(), why.what()), (Why::Unsupported, What::Format));
    for red_of_entry in [255, 0, 51] {
        let entries = [[0, 0, red_of_entry, 255]; 256];
        let record = Record::Palette { palette: 0, first: 0, entries: entries.as_flattened() };
        replay.record(&record).unwrap();
        let found = red(&executed(&mut replay, &send(&payload)), 3);
        assert!((found - f32::from(red_of_entry) / 255.0).abs() < 1e-6, "{found}");
    }
}

#[test]
fn writebacks_are_compared_once() {
    let (mut memory, payload) = ([0; 256], coordinates());
    let mut replay = Replay::<4, 4>::new(&mut memory);
    prepare(&mut replay, HEADER);
    let good = executed(&mut replay, &send(&payload)).writeback.to_vec();
    let writeback = Record::Writeback { of: RecordKind::GEN, registers: &good };
    let Ok(Step::Compared(same)) = replay.record(&writeback) else { panic!() };
    assert!(same.is_equal() && same.difference().is_none() && same.kind == RecordKind::GEN);
    assert_eq!(replay.record(&writeback), Ok(Step::Unmatched(RecordKind::GEN)));
    let mut bad = good.clone();
    (bad[5], bad[9]) = (1, 1);
    executed(&mut replay, &send(&payload));
    let Ok(Step::Compared(other)) =
        replay.record(&Record::Writeback { of: RecordKind::GEN, registers: &bad })
    else {
        panic!()
    };
    assert!(!other.is_equal());
    assert_eq!(other.difference(), Some(5));
    let pair = |recorded, executed| Comparison { kind: RecordKind::GEN, recorded, executed }.difference();
    assert_eq!(pair(&[1, 2, 3], &[1, 2]), Some(2));
    assert_eq!(pair(&[], &[1]), Some(0));
    executed(&mut replay, &send(&payload));
    let visa = Record::Writeback { of: RecordKind::VISA, registers: &good };
    assert_eq!(replay.record(&visa), Ok(Step::Unmatched(RecordKind::VISA)));
    // After lost frames, which may have contained another message, a writeback has no match.
    executed(&mut replay, &send(&payload));
    assert_eq!(replay.record(&Record::Lost(3)), Ok(Step::Lost(3)));
    assert_eq!(replay.record(&writeback), Ok(Step::Unmatched(RecordKind::GEN)));
    // State and notes between message and writeback do not matter, but a message that fails does.
    executed(&mut replay, &send(&payload));
    assert_eq!(replay.record(&Record::Mark { time: 1, ticks_per_us: 1 }), Ok(Step::Note));
    assert_eq!(replay.record(&Record::Text("between")), Ok(Step::Note));
    assert_eq!(replay.record(&Record::TexSampler { index: 0, sampler: &[0; 32] }), Ok(Step::State));
    assert!(matches!(replay.record(&writeback), Ok(Step::Compared(_))));
    executed(&mut replay, &send(&payload));
    replay.record(&send(&[])).unwrap_err();
    assert_eq!(replay.record(&writeback), Ok(Step::Unmatched(RecordKind::GEN)));
}

#[test]
fn borders_and_null_pages() {
    let (mut memory, payload) = ([0; 256], coordinates());
    let mut replay = Replay::<4, 4>::new(&mut memory);
    prepare(&mut replay, HEADER);
    let mut state = sampler(AddressMode::ClampBorder);
    state.set_border_offset(0x40);
    replay.record(&Record::Sampler { slot: 0, state: &state.to_bytes() }).unwrap();
    // A border colour that was not set is 0. At u = 1, half of the weight is on the border and half on a texel of 1; at v = 0,
    // half of that is on the border again.
    assert_eq!(red(&executed(&mut replay, &send(&payload)), 15), 0.25);
    let mut color = [0; 16];
    color[..4].copy_from_slice(&1.0_f32.to_le_bytes());
    replay.record(&Record::Border { offset: 0x40, color: &color }).unwrap();
    assert_eq!(red(&executed(&mut replay, &send(&payload)), 15), 1.0);
    replay.record(&Record::Unmap { address: 0x1000, length: 0x1000 }).unwrap();
    let done = executed(&mut replay, &send(&payload));
    assert_eq!((done.faults, red(&done, 15)), (0, 0.75));
    replay.clear();
    assert_eq!((replay.header(), replay.memory_used()), (None, 0));
    replay.record(&HEADER).unwrap();
    assert!(matches!(
        replay.record(&send(&payload)),
        Ok(Step::Missing { table: StateTable::Surface, slot: 0 })
    ));
}

#[test]
fn tables_are_bounded() {
    let mut memory = [0; 16];
    let mut replay = Replay::<2, 2>::new(&mut memory);
    let state = surface();
    for slot in [1, 2, 1, 2] {
        assert_eq!(replay.record(&Record::Surface { slot, state: &state }), Ok(Step::State));
    }
    let why = replay.record(&Record::Surface { slot: 3, state: &state }).unwrap_err();
    assert_eq!((why.kind(), why.what(), why.found()), (Why::Capacity, What::Slot, 3));
    let why = replay.record(&Record::Memory { address: 0, bytes: &[1; 17] }).unwrap_err();
    assert_eq!((why.kind(), why.what(), why.found()), (Why::Capacity, What::ReplayMemory, 17));
    let why = replay.record(&Record::TexHeader { index: 0, header: &[0; 32], class: 0x1234 }).unwrap_err();
    assert_eq!((why.kind(), why.what()), (Why::Unknown, What::TextureClass));
}

#[test]
fn visa_messages() {
    let mut instruction = [0; 64];
    let line = "sample_lz.R (M1, 8) 0x0:uw S0 T6 V0040.0 V0032.0 V0033.0";
    let len = assemble(line, &Anonymous, Version::V4_1, &mut instruction).unwrap();
    let u: Vec<u8> =
        (0..8_u8).flat_map(|lane| (f32::from(lane) / 7.0).to_le_bytes()).chain([0; 32]).collect();
    let mut memory = [0; 256];
    let mut replay = Replay::<4, 4>::new(&mut memory);
    prepare(&mut replay, HEADER);
    let message = VisaRecord {
        thread: 9,
        dispatch: 0x7f,
        predicate: 0,
        aoffimmi: 0,
        dst_type: Type::F.code(),
        version: [4, 1],
        instruction: &instruction[..len],
        half: false,
        params: &u,
    };
    assert_eq!(message.sampler().unwrap().surface, 6);
    let missing = Ok(Step::Missing { table: StateTable::Surface, slot: 6 });
    assert_eq!(replay.record(&Record::Visa(message)), missing);
    replay.record(&Record::Surface { slot: 6, state: &surface() }).unwrap();
    let done = executed(&mut replay, &Record::Visa(message));
    assert_eq!(
        (done.kind, done.thread, done.message.lanes, done.writeback.len()),
        (RecordKind::VISA, 9, 0x7f, 32)
    );
    assert_eq!((red(&done, 0), red(&done, 6), red(&done, 7)), (0.0, 1.0, 0.0));
    // With a destination of %null nothing is written back, not even the four channels of a gather4.
    for operation in ["sample_lz.R", "sample4.R"] {
        let line = format!("{operation} (M1, 8) 0x0:uw S0 T6 %null.0 V0032.0 V0033.0");
        let mut without = [0; 64];
        let len = assemble(&line, &Anonymous, Version::V4_1, &mut without).unwrap();
        let dropped = VisaRecord { instruction: &without[..len], ..message };
        assert_eq!(executed(&mut replay, &Record::Visa(dropped)).writeback, []);
    }
}

#[test]
fn txq_messages() {
    let mut header = TextureHeader::from_dwords(Class::Maxwell1, [0; 8]);
    header.set_layout(NvLayout::Blocklinear).unwrap();
    for (field, value) in
        [(NvField::TextureType, 1), (NvField::WidthMinusOne, 63), (NvField::HeightMinusOne, 31)]
    {
        header.set(field, value).unwrap();
    }
    let txq = Txq::parse("TXQ R4, R6, TEX_HEADER_DIMENSION, 0x2, 0x3;").unwrap();
    let lods = [0_u32.to_le_bytes(), 0_u32.to_le_bytes()];
    let query = TxqRecord {
        warp: 3,
        active: 0b101,
        word: txq.word(),
        control: txq.control().raw(),
        sources: lods.as_flattened(),
    };
    let mut memory = [0; 64];
    let mut replay = Replay::<4, 4>::new(&mut memory);
    let why = replay.record(&Record::Txq(query)).unwrap_err();
    assert_eq!((why.kind(), why.what(), why.found()), (Why::Fault, What::ConstantBank, 8));
    let handle = Handle::join(5, 0).raw().to_le_bytes();
    replay.record(&Record::Constant { offset: 0, bytes: &[0; 8] }).unwrap();
    replay.record(&Record::Constant { offset: 8, bytes: &handle }).unwrap();
    // The texture header is not set: the lanes have no answer.
    let done = executed(&mut replay, &Record::Txq(query));
    assert_eq!((done.faults, done.writeback.len()), (0b101, 256));
    replay.record(&Record::TexHeader { index: 5, header: &header.to_bytes(), class: 0xb097 }).unwrap();
    let done = executed(&mut replay, &Record::Txq(query));
    assert_eq!(
        (done.kind, done.thread, done.message.op, done.faults),
        (RecordKind::TXQ, 3, Op::TxqDimension, 0)
    );
    let words: Vec<u32> =
        done.writeback.chunks(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect();
    assert_eq!((words[0], words[1], words[2], words[3]), (64, 0, 64, 0), "width");
    assert_eq!((words[32], words[33], words[34]), (32, 0, 32), "height");
    let why = replay.record(&Record::Txq(TxqRecord { word: 0, ..query })).unwrap_err();
    assert_eq!((why.kind(), why.what()), (Why::Unknown, What::Opcode));
}

/// A killpix message that returns no channel still returns its kill mask.
#[test]
fn a_kill_mask_without_channels() {
    let (mut memory, mut payload) = ([0; 256], [0; 96]);
    let mut replay = Replay::<4, 4>::new(&mut memory);
    prepare(&mut replay, HEADER);
    let mut killpix = SendInstruction::new(Platform::Gen11, Form::Plain);
    (killpix.dst, killpix.src0) = (Operand::grf(20), Operand::grf(10));
    // SIMD8, with a header, U and V; the response is one register.
    killpix.descriptor = DescriptorSource::Immediate(3 << 25 | 1 << 20 | 1 << 19 | 1 << 17 | 0x0c << 12);
    // The header returns no channel.
    payload[9] = 0xf0;
    let instruction = killpix.encode().unwrap().to_bytes();
    let record = Record::Gen(GenRecord { instruction: &instruction, ..gen_of(&payload) });
    let done = executed(&mut replay, &record);
    assert_eq!((done.message.kill_mask, done.message.channels.mask()), (true, 0));
    assert_eq!((done.writeback.len(), &done.writeback[..4]), (32, &[0xff; 4][..]));
}

/// Returns the frames of `records`, with sequence numbers from `first` on.
fn frames(first: u16, records: &[Record<'_>]) -> Vec<u8> {
    let mut buffer = vec![0; records.len() * encoded_len(MAX_FRAME)];
    let mut writer = Writer::resume(&mut buffer, first);
    for record in records {
        writer.write(record).unwrap();
    }
    writer.bytes().to_vec()
}

/// Feeds a stream to the decoder and the replay; returns the names of the steps.
fn steps<const S: usize, const R: usize>(
    replay: &mut Replay<'_, S, R>,
    decoder: &mut Decoder<MAX_FRAME>,
    stream: &[u8],
) -> Vec<&'static str> {
    let mut names = Vec::new();
    let mut rest = stream;
    while let Some(event) = decoder.feed(&mut rest) {
        names.push(match replay.event(&event) {
            Ok(Step::State) => "state",
            Ok(Step::Note) => "note",
            Ok(Step::Executed(_)) => "executed",
            Ok(Step::Compared(compared)) => {
                if compared.is_equal() {
                    "equal"
                } else {
                    "differs"
                }
            }
            Ok(Step::Unmatched(_)) => "unmatched",
            Ok(Step::Missing { .. }) => "missing",
            other => panic!("{other:?}"),
        });
    }
    names
}

#[test]
fn streams_with_losses() {
    let (mut memory, payload) = ([0; 256], coordinates());
    let mut replay = Replay::<4, 4>::new(&mut memory);
    let mut decoder = Decoder::<MAX_FRAME>::default();
    let (surface, sampler) = (surface(), sampler(AddressMode::Clamp).to_bytes());
    let start = [
        HEADER,
        Record::Surface { slot: 0, state: &surface },
        Record::Sampler { slot: 0, state: &sampler },
        Record::Memory { address: 0x1000, bytes: &texels() },
        send(&payload),
    ];
    let writeback = Record::Writeback { of: RecordKind::GEN, registers: &[0; 256] };
    let mut feed = |bytes: &[u8]| steps(&mut replay, &mut decoder, bytes);
    assert_eq!(feed(&frames(0, &start)), ["state", "state", "state", "state", "executed"]);
    assert_eq!(feed(&frames(5, &[writeback])), ["differs"]);
    // A second header in a stream keeps the state.
    assert_eq!(feed(&frames(6, &[HEADER, send(&payload)])), ["state", "executed"]);
    // Sequence number 8 is missing.
    assert_eq!(feed(&frames(9, &[writeback])), ["unmatched"]);
    // A damaged frame may have been another message, so that the writeback has no match.
    assert_eq!(feed(&frames(10, &[send(&payload)])), ["executed"]);
    assert_eq!(feed(&[9, 9, 9, 0]), ["note"]);
    assert_eq!(feed(&frames(11, &[writeback])), ["unmatched"]);
    let mut unknown = [0; 32];
    let frame = Frame { kind: RecordKind(0x70), flags: 0, sequence: 12, payload: &[1] };
    let len = frame.encode(&mut unknown).unwrap();
    assert_eq!(feed(&unknown[..len]), ["note"]);
    // A header with sequence number 0 begins another stream, without the state.
    assert_eq!(feed(&frames(0, &[HEADER, send(&payload)])), ["state", "missing"]);
    let counts = decoder.counts();
    assert_eq!((counts.damaged, counts.unknown, decoder.pending()), (1, 1, 0));
    assert!(matches!(
        decoder.feed(&mut &frames(2, &[Record::Lost(1)])[..]),
        Some(Event::Frame { lost: 0, .. })
    ));
}

/// Descriptors that the instruction takes from address register a0 come from the record.
#[test]
fn descriptors_at_run_time() {
    let lower = |text: &str, descriptor, extended| {
        let word = texwire::eu::assemble::parse(Platform::Gen11, text).unwrap().encode().unwrap().to_bytes();
        let payload = [0; 64];
        let record =
            GenRecord { instruction: &word, descriptor, extended, dispatch: 0xff, ..gen_of(&payload) };
        let lowered =
            record.lower(Platform::Gen11).map(|(message, _)| (message.op, message.params, message.surface));
        lowered.map_err(|why| (why.kind(), why.what()))
    };
    use texwire::message::Binding::{Bindless, Index};
    let extended = "sends (8|M0) r20:w r10 r30 a0.2 0x02420103";
    assert_eq!(lower(extended, 0, 0x42), Ok((Op::Sample, 2, Index(3))));
    assert_eq!(lower(extended, 0, 0x40), Err((Why::Invalid, What::SharedFunction)));
    let both = "sends (8|M0) r20:w r10 r30 a0.2 a0.0";
    assert_eq!(lower(both, 0x0242_01fc, 0x1_2042), Ok((Op::Sample, 2, Bindless(0x1_2000))));
    assert_eq!(lower(both, 0x0242_1105, 0x42), Ok((Op::SampleB, 2, Index(5))));
}
