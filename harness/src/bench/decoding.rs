//! Decoding workloads: bundled binaries, repeated to about a megabyte.
//!
//! `decode_*` walks every instruction and decodes the sampler instructions (Gen: every send); `text_*` also prints them as the reference
//! tools do. An item is an instruction (trace: a frame).

use super::workload::{Amount, Workload};
use crate::containers::device_binary::DeviceBinary;
use std::fmt::Write as _;
use texwire::Platform;
use texwire::eu::Stream;
use texwire::trace::{Decoder, Event, GenRecord, Record, Writer};
use texwire::txq::Section;
use texwire::visa::{Anonymous, Module};

const CISA: &[u8] = include_bytes!("../../corpus/visa/noinline_fn.skl.simd32.isa");
const DEVICE: &[u8] = include_bytes!("../../corpus/demo/demo.icllp.bin");
const CUBIN: &[u8] = include_bytes!("../../corpus/txq/text/s000_sm50_kbafa0e.bin");

const SIZE: usize = 1 << 20;

/// Makes a workload.
pub type Make = fn() -> Workload;

/// The workloads by name.
pub const WORKLOADS: [(&str, Make); 7] = [
    ("decode_visa", || visa("decode_visa", false)),
    ("decode_gen", || gen_native("decode_gen", false)),
    ("decode_txq", || txq("decode_txq", false)),
    ("text_visa", || visa("text_visa", true)),
    ("text_gen", || gen_native("text_gen", true)),
    ("text_txq", || txq("text_txq", true)),
    ("trace_stream", trace),
];

fn workload(name: &str, run: impl FnMut() -> Amount + 'static) -> Workload {
    Workload { name: name.to_owned(), pattern: None, run: Box::new(run) }
}

fn visa(name: &str, text: bool) -> Workload {
    let mut line = String::new();
    workload(name, move || {
        let mut items = 0;
        let times = SIZE / CISA.len();
        for _ in 0..times {
            let module = Module::parse(std::hint::black_box(CISA)).expect("a bundled file");
            for routine in module.routines() {
                let mut walk = routine.expect("a bundled file").instructions();
                while let Some(instruction) = walk.next().expect("a bundled file") {
                    items += 1;
                    let Some(sampler) = instruction.sampler().expect("a bundled file") else { continue };
                    std::hint::black_box(&sampler);
                    if text {
                        line.clear();
                        write!(line, "{}", sampler.display(&Anonymous)).expect("room");
                    }
                }
            }
        }
        std::hint::black_box(&line);
        Amount::Bytes { bytes: (times * CISA.len()) as u64, items }
    })
}

/// Returns the code of all kernels of the bundled device binary.
fn heaps() -> Vec<u8> {
    // The ELF reader needs aligned bytes.
    let aligned = DEVICE.to_vec();
    let binary = DeviceBinary::parse(&aligned).expect("a bundled file");
    binary.kernels.iter().flat_map(|kernel| binary.heap(&kernel.heap)).copied().collect()
}

fn gen_native(name: &str, text: bool) -> Workload {
    let code = heaps();
    let mut line = String::new();
    workload(name, move || {
        let mut items = 0;
        let times = SIZE / code.len().max(1);
        for _ in 0..times {
            let mut walk = Stream::new(Platform::Gen11, std::hint::black_box(&code));
            while let Ok(Some(instruction)) = walk.next() {
                items += 1;
                let Ok(Some(send)) = instruction.send() else { continue };
                std::hint::black_box(&send);
                if text {
                    line.clear();
                    write!(line, "{send}").expect("room");
                }
            }
        }
        std::hint::black_box(&line);
        Amount::Bytes { bytes: (times * code.len()) as u64, items }
    })
}

fn txq(name: &str, text: bool) -> Workload {
    let mut line = String::new();
    workload(name, move || {
        let mut items = 0;
        let times = SIZE / CUBIN.len();
        for _ in 0..times {
            let mut section = Section::new(std::hint::black_box(CUBIN));
            while let Some(slot) = section.next().expect("a bundled file") {
                items += 1;
                let Ok(Some(txq)) = slot.txq() else { continue };
                std::hint::black_box(&txq);
                if text {
                    line.clear();
                    write!(line, "{txq}").expect("room");
                }
            }
        }
        std::hint::black_box(&line);
        Amount::Bytes { bytes: (times * CUBIN.len()) as u64, items }
    })
}

/// Reads a stream of Gen messages with a payload of eight registers, in chunks of 256 bytes.
fn trace() -> Workload {
    let payload = [0x3f; 256];
    let mut stream = vec![0; SIZE];
    let mut writer = Writer::new(&mut stream);
    let record = Record::Gen(GenRecord {
        thread: 7,
        dispatch: 0xffff,
        flags: 0,
        instruction: &[0x31; 16],
        descriptor: 0x0843_8001,
        extended: 0,
        payload: &payload,
    });
    while writer.write(&record).is_ok() {}
    let stream = writer.bytes().to_vec();
    workload("trace_stream", move || {
        let mut decoder = Decoder::<4096>::new();
        let mut items = 0;
        for mut chunk in stream.chunks(256) {
            while let Some(event) = decoder.feed(&mut chunk) {
                if let Event::Frame { frame, .. } = &event {
                    items += 1;
                    std::hint::black_box(frame);
                }
            }
        }
        Amount::Bytes { bytes: stream.len() as u64, items }
    })
}
