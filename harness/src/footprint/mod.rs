//! The texels that each lane of a message reads, with LOD, addresses and weights, as text and JSON: `texwire footprint`.

pub mod draw;

use serde_json::{Value, json};
use texwire::Platform;
use texwire::device::{Footprint, StateExecutor, Tap, TapKind};
use texwire::memory::{Access, LinearMemory, Memory};
use texwire::message::{Message, Param, Payload};
use texwire::sample::Precision;
use texwire::state::{BorderColor, SamplerState, SurfaceState};

/// The most texels that a lane reads: 16 anisotropic samples of 4 texels on 2 levels.
pub const MOST_TAPS: usize = 128;

/// The LOD and texels of a lane.
pub type LaneFootprint = Footprint<MOST_TAPS>;

/// A message with its states, memory and the parameters of its lanes.
#[derive(Clone, Debug)]
pub struct FootprintInput {
    /// The platform that the states and the message are for.
    pub platform: Platform,
    /// The surface.
    pub surface: SurfaceState,
    /// The sampler and its border colour.
    pub sampler: (SamplerState, BorderColor),
    /// The message; its SIMD size, lane mask and parameter count are replaced by those of `lanes`.
    pub message: Message,
    /// For each lane its parameters in payload order, as bits.
    pub lanes: Vec<Vec<u32>>,
    /// The surface's memory from its base address on; `None`: zeros everywhere.
    pub memory: Option<Vec<u8>>,
}

/// A complete palette with arbitrary entries: which texels are read does not depend on them.
static PALETTE: [u32; 256] = [0xff80_8080; 256];

/// Memory with zeros at every address.
struct ZeroMemory;

impl Memory for ZeroMemory {
    fn read(&self, _: u64, out: &mut [u8]) -> Access {
        out.fill(0);
        Access::Mapped
    }
}

impl FootprintInput {
    /// Returns the footprint of each lane.
    ///
    /// # Errors
    /// Why the message cannot be executed.
    pub fn observe(&self, precision: Precision) -> Result<Vec<LaneFootprint>, texwire::Error> {
        let count = self.lanes.iter().map(Vec::len).max().unwrap_or(0);
        let simd = (self.lanes.len() as u8).next_power_of_two();
        let message = Message { simd, params: count as u8, lanes: u32::MAX, ..self.message };
        let params: Vec<Vec<u8>> = (0..count).map(|param| self.parameter(param, simd)).collect();
        let mut payload = Payload::new();
        for lanes in &params {
            payload.push(lanes)?;
        }
        let mut executor = StateExecutor::<1, 1>::new(self.platform);
        executor.set_precision(precision);
        executor.set_palettes([&PALETTE; 2]);
        let base = self.surface.base_address();
        let bytes = self.memory.as_deref().map(|bytes| LinearMemory { base, bytes });
        let memory: &dyn Memory = bytes.as_ref().map_or(&ZeroMemory, |memory| memory);
        let lanes = 0..self.lanes.len() as u32;
        lanes
            .map(|lane| {
                executor.footprint(&self.surface, Some(&self.sampler), &message, &payload, lane, memory)
            })
            .collect()
    }

    /// Returns a parameter's payload bytes for all `simd` lanes; parameters that a lane does not have are 0.
    fn parameter(&self, param: usize, simd: u8) -> Vec<u8> {
        let lane = |lane: usize| self.lanes.get(lane).and_then(|all| all.get(param)).copied().unwrap_or(0);
        (0..simd.into()).flat_map(|number| lane(number).to_le_bytes()).collect()
    }
}

/// Returns the name of a parameter, as `--lane` spells it.
pub fn parameter_name(param: Param) -> String {
    format!("{param:?}").to_lowercase()
}

/// Returns whether a parameter is an integer and not a float.
pub fn is_integer(message: &Message, param: Param) -> bool {
    use Param::{Ai, Lod, Mlod, OffU, OffUv, OffUvR, OffV, R, Si, U, V};
    let loads = !message.op.flags().sampler;
    match param {
        U | V | R | Ai | Lod | Mlod => loads,
        OffU | OffV | OffUv | OffUvR | Si => true,
        Param::Mcs0 | Param::Mcs1 | Param::Mcs2 | Param::Mcs3 => true,
        _ => false,
    }
}

/// Returns the footprint of a lane as JSON.
pub fn to_json(lane: usize, footprint: &LaneFootprint) -> Value {
    let lod = footprint.lod.map(|lod| {
        json!({
            "lod": lod.lod, "clamped": lod.clamped, "levels": lod.levels, "fraction": lod.fraction,
            "magnified": lod.magnified, "anisotropic_samples": lod.samples,
        })
    });
    let taps: Vec<Value> = footprint.taps.iter().map(tap_to_json).collect();
    json!({ "lane": lane, "lod": lod, "border": footprint.border, "texels": taps })
}

fn tap_to_json(tap: &Tap) -> Value {
    let reads: Vec<Value> = tap
        .reads()
        .iter()
        .map(|read| json!({"address": read.address, "length": read.len, "access": access(read.access)}))
        .collect();
    json!({
        "kind": kind(tap.kind), "level": tap.level, "slice": tap.slice, "x": tap.x, "y": tap.y,
        "sample": tap.sample, "weight": tap.weight, "channel": tap.channel, "reads": reads,
    })
}

const fn access(access: Access) -> &'static str {
    match access {
        Access::Mapped => "mapped",
        Access::NullPage => "null page",
        Access::Fault => "fault",
    }
}

const fn kind(kind: TapKind) -> &'static str {
    match kind {
        TapKind::Texel => "texel",
        TapKind::Control => "control surface",
        TapKind::ClearColor => "clear colour",
    }
}

/// Returns the footprint of a lane in lines of text: its LOD, then a line for each texel.
pub fn to_text(lane: usize, footprint: &LaneFootprint, gathers: bool) -> Vec<String> {
    let mut lines = vec![format!("lane {lane}: {}", lod_text(footprint))];
    let border = footprint.border.map(|weight| weight.to_string());
    if footprint.border != [0.0; 4] {
        let weights = if gathers { border.join(", ") } else { border[0].clone() };
        lines.push(format!("  border colour, weight {weights}"));
    }
    if footprint.taps.is_empty() {
        lines.push("  no texels".to_owned());
        return lines;
    }
    let channel = if gathers { "  channel" } else { "" };
    lines.push(format!("  level  slice      x      y  address     bytes  weight{channel}"));
    for tap in &footprint.taps {
        let Tap { level, slice, x, y, weight, .. } = tap;
        let reads = tap.reads().iter().map(|read| {
            let hole = if read.access == Access::Mapped { "" } else { access(read.access) };
            (format!("{:#x}", read.address), format!("{} {hole}", read.len))
        });
        let (addresses, lengths): (Vec<_>, Vec<_>) = reads.unzip();
        let (address, bytes) = (addresses.join("+"), lengths.join("+"));
        let (address, bytes) = (address, bytes.trim_end());
        let result = if gathers {
            format!("  {}", ['R', 'G', 'B', 'A'][usize::from(tap.channel & 3)])
        } else {
            String::new()
        };
        let what = if tap.kind == TapKind::Texel { String::new() } else { format!("  ({})", kind(tap.kind)) };
        lines.push(format!(
            "  {level:>5}  {slice:>5}  {x:>5}  {y:>5}  {address:<10}  {bytes:>5}  {weight:<8.6}{result}{what}"
        ));
    }
    lines
}

fn lod_text(footprint: &LaneFootprint) -> String {
    let Some(lod) = footprint.lod else { return "no LOD".to_owned() };
    let [finer, coarser] = lod.levels;
    let levels = match lod.fraction {
        0.0 => format!("level {finer}"),
        1.0 => format!("level {coarser}"),
        fraction => format!("levels {finer} and {coarser} (weight {fraction})"),
    };
    let filter = if lod.magnified { "magnified" } else { "minified" };
    let samples =
        if lod.samples > 1 { format!(", {} anisotropic samples", lod.samples) } else { String::new() };
    format!("LOD {}, clamped {}, {levels}, {filter}{samples}", lod.lod, lod.clamped)
}
