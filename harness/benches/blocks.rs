//! What a block of every compressed format takes to decode: whole, and a texel of it alone.
//!
//! `cargo bench --bench blocks` prints a table of nanoseconds, the fastest of many runs over the same 512 random
//! blocks; ASTC blocks are legal ones of every mode.

use std::hint::black_box;
use std::time::Instant;
use texwire::enums::{Enumeration, SurfaceFormat};
use texwire::format::{FormatDecoder, info, name, not_in_prm};
use texwire_harness::generators::blocks::astc;
use texwire_harness::generators::surface::Random;

const BLOCKS: usize = 512;
const RUNS: usize = 200;

/// Nanoseconds a block of the fastest of [`RUNS`] runs.
fn fastest(mut run: impl FnMut()) -> f64 {
    let times = (0..RUNS).map(|_| {
        let start = Instant::now();
        run();
        start.elapsed().as_nanos()
    });
    times.min().unwrap_or(0) as f64 / BLOCKS as f64
}

fn main() {
    let only = std::env::args().skip(1).find(|arg| !arg.starts_with('-'));
    let listed = SurfaceFormat::TABLE.rows.iter().map(|row| SurfaceFormat(row.first));
    println!("| format | texels | block ns | texel ns |\n|---|---|---|---|");
    for format in listed.chain(not_in_prm().map(|(format, _)| format)) {
        let (Some(info), Some(name)) = (info(format).filter(|info| info.is_block()), name(format)) else {
            continue;
        };
        if only.as_ref().is_some_and(|only| !name.contains(only.as_str())) {
            continue;
        }
        let Ok(codec) = FormatDecoder::new(format) else { continue };
        let (bytes, mut random) = (usize::from(info.bytes), Random(1));
        let blocks: Vec<u8> = if name.starts_with("ASTC") {
            astc(|| random.next(), BLOCKS * bytes, name, true)
        } else {
            (0..BLOCKS * bytes).map(|_| random.next() as u8).collect()
        };
        let mut texels = vec![[0; 4]; info.block_texels()];
        let whole = fastest(|| {
            for block in blocks.chunks_exact(bytes) {
                codec.decode_block_into(black_box(block), &mut texels);
                black_box(&texels);
            }
        });
        let alone = fastest(|| {
            for block in blocks.chunks_exact(bytes) {
                black_box(codec.decode(black_box(block), 1, 2));
            }
        });
        println!("| {name} | {}x{} | {whole:.0} | {alone:.0} |", info.block_width, info.block_height);
    }
}
