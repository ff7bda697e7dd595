//! Executes one message over the whole grid of pixels: the core's result as a picture, its cost, and its agreement with the oracle.

use super::grid::Grid;
use super::parameters::GridParameters;
use super::plan::PlannedMessage;
use crate::compare::{Counts, LaneResult, Verdict, compare_lanes};
use crate::core_engine;
use crate::emulator::sample::{BoundJob, ExactLane};
use crate::engine::{Job, Outcome};
use crate::image_argument::BoundPicture;
use crate::job_memory::JobMemory;
use image::RgbaImage;
use std::cell::Cell;
use std::time::{Duration, Instant};
use texwire::Platform;
use texwire::eu::Runtime;
use texwire::format::half;
use texwire::memory::{Access, LinearMemory, Memory};
use texwire::message::{Message, Payload, Width};
use texwire::sample;

type Error = Box<dyn std::error::Error>;

/// Bytes of a register.
const REGISTER: usize = 32;

/// A message with everything it needs, ready to run.
#[derive(Debug)]
pub struct Setup<'a> {
    /// The instruction and its state.
    pub planned: &'a PlannedMessage,
    /// The surface.
    pub texture: &'a BoundPicture,
    /// The parameters of the lanes.
    pub parameters: GridParameters,
    /// The grid of pixels.
    pub grid: Grid,
    /// Platform.
    pub platform: Platform,
}

/// The results of a message over the grid.
#[derive(Clone, Debug)]
pub struct MessageReport {
    /// The result as a picture.
    pub picture: RgbaImage,
    /// The message (lanes of the last group).
    pub message: Message,
    /// Active lanes over the whole grid.
    pub lanes: usize,
    /// Texels (or blocks) read.
    pub texels: u64,
    /// Time in the core, for the whole grid.
    pub time: Duration,
    /// Lanes that agree with the oracle, by the rule of [`crate::compare`].
    pub agreeing: usize,
    /// Of these: lanes that agree only when coordinates or LOD are moved within their rounding bound.
    pub boundary: u64,
    /// Of these: lanes that are not compared, because no rounding bound describes them.
    pub unbounded: u64,
    /// Largest difference of a lane from the oracle, lanes of the two kinds above left out; relative for values above 1.
    pub worst: f32,
}

/// One message as it was executed: what a trace records.
#[derive(Clone, Debug)]
pub struct Executed {
    /// Payload registers, header included.
    pub registers: Vec<u8>,
    /// Mask of the thread's channels that were dispatched.
    pub dispatch: u32,
    /// The response.
    pub writeback: Vec<u8>,
}

/// Memory that counts reads. It gives no slices, so that each texel (or block) is one read.
struct CountingMemory<'a> {
    memory: LinearMemory<'a>,
    reads: Cell<u64>,
}

impl Memory for CountingMemory<'_> {
    fn read(&self, address: u64, out: &mut [u8]) -> Access {
        self.reads.set(self.reads.get() + 1);
        self.memory.read(address, out)
    }
}

impl Setup<'_> {
    /// Returns the dispatch mask of the thread: the message's lanes, shifted by the channel offset of the instruction.
    fn dispatch(&self, lanes: u32) -> u32 {
        lanes.checked_shl(u32::from(self.planned.send.execution.offset)).unwrap_or(0)
    }

    /// Returns the payload registers for the pixels at `origin`.
    fn registers(&self, message: &Message, origin: (u32, u32)) -> Vec<u8> {
        let header = usize::from(self.planned.descriptor.header());
        let mut registers = vec![0; header * REGISTER];
        for &param in message.present() {
            for lane in 0..u32::from(message.simd) {
                let bits = self.parameters.value(message, param, self.grid, Grid::pixel(origin, lane));
                registers.extend_from_slice(&bits.to_le_bytes()[..message.param_width.bytes()]);
            }
            registers.resize(registers.len().next_multiple_of(REGISTER), 0);
        }
        // Parameters that are left out, and a message without any, still take the registers of the message length.
        registers.resize(registers.len().max(self.length()), 0);
        registers
    }

    /// Returns the bytes of the whole message, both payload blocks.
    fn length(&self) -> usize {
        let length = self.planned.descriptor.mlen() + self.planned.send.xlen().unwrap_or(0);
        usize::from(length) * REGISTER
    }

    fn lower<'p>(
        &self,
        registers: &'p [u8],
        dispatch: u32,
    ) -> Result<(Message, Payload<'p>), texwire::Error> {
        let runtime = Runtime {
            extended: self.planned.send.extended_descriptor().unwrap_or(0),
            payload: [registers, &[]],
            dispatch,
            flag: u32::MAX,
            other_flag: u32::MAX,
            ..Runtime::default()
        };
        self.planned.send.lower(&runtime)
    }

    /// Returns the same message as a job, for the oracle.
    fn job(&self, message: &Message, payload: &Payload<'_>) -> Job {
        Job {
            platform: self.platform.trace_code(),
            surface: self.texture.state.dwords,
            sampler: self.planned.sampler.dwords,
            border: self.planned.border,
            ..core_engine::job(message, payload)
        }
    }

    /// Executes the message over the grid on the core and on the oracle.
    ///
    /// `keep` is called with every message after it was executed.
    ///
    /// # Errors
    /// The state does not bind, the message does not lower, or one of the engines refuses it.
    pub fn run(&self, mut keep: impl FnMut(&Executed)) -> Result<MessageReport, Error> {
        let bound = sample::Texture::bind(&self.texture.state, self.platform)?;
        let sampler = sample::Sampler::bind(&self.planned.sampler, &self.planned.border)?;
        let memory = LinearMemory { base: self.texture.memory.address, bytes: &self.texture.memory.bytes };
        let counting = CountingMemory { memory, reads: Cell::new(0) };
        // A payload of zeros is enough to lower the message: its shape does not depend on the values of the lanes.
        let zeros = vec![0; self.length()];
        let (shape, _) = self.lower(&zeros, self.dispatch(u32::MAX))?;
        let mut report = MessageReport {
            picture: RgbaImage::new(self.grid.width, self.grid.height),
            message: shape,
            lanes: 0,
            texels: 0,
            time: Duration::ZERO,
            agreeing: 0,
            boundary: 0,
            unbounded: 0,
            worst: 0.0,
        };
        let contents = JobMemory { mapped: std::slice::from_ref(&self.texture.memory), null: &[] };
        let mut counts = Counts::default();
        let mut writeback = vec![0; usize::from(shape.response().len)];
        let mut scratch = writeback.clone();
        for origin in self.grid.origins() {
            let inside = self.grid.lanes(origin);
            let dispatch = self.dispatch(inside);
            let registers = self.registers(&shape, origin);
            let (message, payload) = self.lower(&registers, dispatch)?;
            writeback.fill(0);
            let start = Instant::now();
            let done = bound.execute(&message, &payload, &sampler, &memory, &mut writeback)?;
            report.time += start.elapsed();
            bound.execute(&message, &payload, &sampler, &counting, &mut scratch)?;
            let job = self.job(&message, &payload);
            let oracle = BoundJob::on(&job, &contents)?.ok_or("the oracle does not do this message")?;
            let outcome = Outcome { writeback, faults: done.faults };
            compare_lanes(&job, &oracle, &outcome, &mut counts, |lane, verdict, exact, got| {
                // With NoMask all lanes are active, including those past the picture's edge.
                report.lanes += 1;
                report.agreeing += usize::from(verdict != Verdict::Different);
                if matches!(verdict, Verdict::Equal | Verdict::Different) {
                    report.worst = report.worst.max(difference(&message, got, exact));
                }
                if inside >> lane & 1 == 1 {
                    let (x, y) = Grid::pixel(origin, lane as u32);
                    report.picture.put_pixel(x, y, image::Rgba(colour(&message, got.values)));
                }
            })
            .map_err(|(_, why)| why)?;
            writeback = outcome.writeback;
            report.message = message;
            keep(&Executed { registers, dispatch, writeback: writeback.clone() });
        }
        (report.boundary, report.unbounded) = (counts.nudged, counts.unconditioned);
        report.texels = counting.reads.get();
        Ok(report)
    }
}

fn float(message: &Message, bits: u32) -> f32 {
    match message.return_width {
        Width::Full => f32::from_bits(bits),
        Width::Half => half::to_f32(bits as u16),
    }
}

/// Returns the largest difference of the channels, relative for values above 1; infinite if only one of two values is NaN.
fn difference(message: &Message, got: &LaneResult, exact: &ExactLane) -> f32 {
    let channels = got.values.iter().zip(exact.returned).filter_map(|(g, w)| Some(((*g)?, w)));
    channels
        .map(|(g, w)| {
            let (a, b) = (float(message, g), float(message, w));
            if g == w || a == b { 0.0 } else { (a - b).abs() / b.abs().max(1.0) }
        })
        .map(|d| if d.is_nan() { f32::INFINITY } else { d })
        .fold(0.0, f32::max)
}

/// Returns the channels as an opaque colour; missing channels are 0, but red alone gives grey.
fn colour(message: &Message, values: [Option<u32>; 4]) -> [u8; 4] {
    let byte = |bits: u32| (float(message, bits).clamp(0.0, 1.0) * 255.0).round() as u8;
    match values {
        [Some(red), None, None, _] => [byte(red), byte(red), byte(red), 255],
        [red, green, blue, _] => [red.map_or(0, byte), green.map_or(0, byte), blue.map_or(0, byte), 255],
    }
}
