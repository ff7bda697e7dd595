//! Random jobs over the whole state space, made from any bytes.
//!
//! Weights (out of 100 unless said otherwise): filtering operations 55, gather4 family 20, LOD 5, ld and ld_lz 10, multisample loads 6,
//! queries 4. SIMD8 60, SIMD16 25, SIMD32 5, SIMD1/2/4 10. All lanes active 60. Fixed8 35. 16-bit parameters 8, 16-bit return 10, coarse
//! pixels 10. Coordinates: -1.5..2.5 in 60; whole and half texels in 20 (one ulp next to them in half of these); far away in 8; NaN,
//! infinities, denormals and huge values in 4; corners and edges of the unit square or cube in 8. The coordinates of a subspan are affine
//! in 85. Filtering operations with an ANISOTROPIC sampler get tame surfaces (see [`super::surface_shape::SurfaceNeeds`]).

use super::state::{percent, sampler, weighted};
use super::surface::{GeneratedSurface, surface};
use super::surface_shape::SurfaceNeeds;
use crate::emulator::sample::half;
use crate::emulator::sample::ops::{OPS, Op, OpWork};
use crate::emulator::state::{sampler as sampler_field, surface as surface_field};
use crate::engine::{Job, Precision};
use arbitrary::{Result, Unstructured};

const SAMPLED: &[(u32, u64)] = &[(45, 1), (15, 2), (20, 3), (17, 0), (2, 7), (1, 4)];
/// The surface types of the reductions sample_min and sample_max.
const FLAT: &[(u32, u64)] = &[(1, 1)];
const LOADED: &[(u32, u64)] = &[(45, 1), (15, 2), (15, 0), (14, 4), (6, 5), (3, 7), (2, 3)];
const SAMPLES: &[(u32, u64)] = &[(97, 1), (2, 7), (1, 2)];
const ANY: &[(u32, u64)] = &[(20, 0), (20, 1), (15, 2), (20, 3), (10, 4), (5, 5), (2, 6), (8, 7)];

/// Generates a job.
///
/// # Errors
/// As [`Unstructured`].
pub fn job(u: &mut Unstructured<'_>) -> Result<Job> {
    drawn(u).map(|(job, _)| job)
}

/// The kinds of work of operations by weight; operations of the same kind are equally likely.
const WORK: &[(u32, &[OpWork])] = &[
    (55, &[OpWork::Sample]),
    (20, &[OpWork::Gather]),
    (5, &[OpWork::Lod]),
    (10, &[OpWork::Load]),
    (6, &[OpWork::LoadSample, OpWork::LoadMcs]),
    (4, &[OpWork::Resinfo, OpWork::Sampleinfo]),
];

/// Returns what an operation with this sampler needs of its surface.
fn surface_needs(u: &mut Unstructured<'_>, op: &Op, sampler: &[u32; 4]) -> Result<SurfaceNeeds> {
    let kinds = match op.work {
        // sample_min and sample_max need 2D surfaces. With other surfaces they must be refused, which a few jobs test.
        OpWork::Sample if op.name.starts_with("sample_m") && percent(u, 90)? => FLAT,
        OpWork::Sample | OpWork::Gather | OpWork::Lod => SAMPLED,
        OpWork::Load => LOADED,
        OpWork::LoadSample | OpWork::LoadMcs => SAMPLES,
        OpWork::Resinfo | OpWork::Sampleinfo => ANY,
    };
    let aniso = ["Mag Mode Filter", "Min Mode Filter"].iter().any(|name| sampler_field(sampler, name) == 2);
    Ok(SurfaceNeeds {
        kinds,
        depth: op.compares(),
        samples: matches!(
            op.work,
            OpWork::LoadSample | OpWork::LoadMcs | OpWork::Resinfo | OpWork::Sampleinfo
        ),
        tame: aniso && op.work == OpWork::Sample,
    })
}

/// Generates a job, and the surface for which its parameters are chosen.
fn drawn(u: &mut Unstructured<'_>) -> Result<(Job, GeneratedSurface)> {
    let work = weighted(u, WORK)?;
    let of_kind: Vec<&Op> = OPS.iter().filter(|op| work.contains(&op.work)).collect();
    let name = u.choose(&of_kind)?.name;
    let half_params = percent(u, 8)?;
    let op = Op::find(name, half_params).ok_or(arbitrary::Error::IncorrectFormat)?;
    let sampler = sampler(u)?;
    let needs = surface_needs(u, &op, &sampler)?;
    let made = surface(u, needs)?;
    let simd = weighted(u, &[(60, 8), (25, 16), (5, 32), (4, 4), (3, 2), (3, 1)])?;
    let all = if simd == 32 { u32::MAX } else { (1u32 << simd) - 1 };
    let order: Vec<&str> = op.params.split_whitespace().collect();
    let count = if percent(u, 75)? { order.len() } else { u.int_in_range(0..=order.len())? };
    let mut params = ParameterGenerator::new(&made, &op, &sampler, half_params).parameters(u, simd)?;
    params.truncate(count);
    let job = Job {
        op: name.to_owned(),
        simd,
        lanes: if percent(u, 60)? { all } else { u.arbitrary::<u32>()? & all },
        params,
        half_params,
        half_return: percent(u, 10)?,
        channels: if percent(u, 60)? { 15 } else { u.int_in_range(0..=15)? },
        gather: u.int_in_range(0..=3)?,
        offsets: if percent(u, 60)? { [0; 3] } else { [offset(u)?, offset(u)?, offset(u)?] },
        null_mask: percent(u, 25)?,
        kill_mask: name == "sample+killpix" && percent(u, 50)?,
        platform: made.platform,
        surface: made.state,
        sampler,
        border: border(u, &made)?,
        palette: made.palette.clone(),
        memory: made.memory.clone(),
        null_pages: made.null_pages.clone(),
        precision: if percent(u, 35)? { Precision::Fixed8 } else { Precision::Float },
        cps: if percent(u, 10)? { Some(coarse(u)?) } else { None },
    };
    Ok((job, made))
}

/// Messages that share all of their state; each has its own parameters.
#[derive(Clone, Debug)]
pub struct Messages {
    first: Job,
    made: GeneratedSurface,
    op: Op,
    seed: u64,
}

impl Messages {
    /// Returns the messages of a seed; the first one is the seed's job.
    ///
    /// # Errors
    /// As [`seeded`].
    pub fn of(seed: u64) -> Result<Self> {
        let (first, made) = drawn(&mut Unstructured::new(&bytes(seed)))?;
        let op = Op::find(&first.op, first.half_params).ok_or(arbitrary::Error::IncorrectFormat)?;
        Ok(Self { first, made, op, seed })
    }

    /// Returns message `number`.
    ///
    /// # Errors
    /// As [`seeded`].
    pub fn message(&self, number: u64) -> Result<Job> {
        let mut job = self.first.clone();
        if number > 0 {
            let bytes = bytes(self.seed.wrapping_mul(0x9e37_79b9).wrapping_add(number));
            let generator = ParameterGenerator::new(&self.made, &self.op, &job.sampler, job.half_params);
            let mut params = generator.parameters(&mut Unstructured::new(&bytes), job.simd)?;
            params.truncate(job.params.len());
            job.params = params;
        }
        Ok(job)
    }
}

/// More random bytes than any job needs.
const ENOUGH: usize = 8192;

/// Makes a job from any bytes. Where the bytes end, random ones follow, with a hash of the bytes as the seed: without them, every further
/// choice in the job of a short input would be the first one.
///
/// # Errors
/// As [`Unstructured`].
pub fn of_bytes(data: &[u8]) -> Result<Job> {
    let seed = data.iter().fold(data.len() as u64, |h, b| (h ^ u64::from(*b)).wrapping_mul(0x100_0000_01b3));
    let mut random = super::surface::Random(seed);
    let mut bytes = data.to_vec();
    bytes.resize(data.len().max(ENOUGH), 0);
    for chunk in bytes[data.len()..].chunks_mut(8) {
        chunk.copy_from_slice(&random.next().to_le_bytes()[..chunk.len()]);
    }
    job(&mut Unstructured::new(&bytes))
}

/// Returns the job of a seed.
///
/// # Errors
/// Never in practice: the buffer is larger than a job takes.
pub fn seeded(seed: u64) -> Result<Job> {
    job(&mut Unstructured::new(&bytes(seed)))
}

/// Returns the random bytes of a seed.
fn bytes(seed: u64) -> Vec<u8> {
    let mut random = super::surface::Random(seed.wrapping_mul(0x2545_f491_4f6c_dd1d));
    let mut bytes = vec![0; ENOUGH];
    bytes.as_chunks_mut().0.iter_mut().for_each(|eight| *eight = random.next().to_le_bytes());
    bytes
}

/// Chooses the LOD of a coarse pixel (1x1, 1x2, 2x2, 4x4), or a negative, infinite or NaN one.
fn coarse(u: &mut Unstructured<'_>) -> Result<u32> {
    Ok(u.choose(&[0.0f32, 0.5, 1.0, 2.0, -1.25, f32::NAN, f32::INFINITY])?.to_bits())
}

fn offset(u: &mut Unstructured<'_>) -> Result<i8> {
    u.int_in_range(-8..=7)
}

fn border(u: &mut Unstructured<'_>, made: &GeneratedSurface) -> Result<[u32; 4]> {
    let integer = crate::emulator::formats::Format::of(surface_field(&made.state, "Surface Format"))
        .is_ok_and(|format| format.integer);
    if integer {
        return u.arbitrary();
    }
    let mut border = [0; 4];
    for component in &mut border {
        *component = u.choose(&[0.0f32, 1.0, 0.25, -0.5, 3.5])?.to_bits();
    }
    Ok(border)
}

/// Chooses a number in 0..1 with 24 bits.
fn unit(u: &mut Unstructured<'_>) -> Result<f64> {
    Ok(f64::from(u.int_in_range(0..=0xff_ffffu32)?) / 16_777_216.0)
}

fn coordinate(u: &mut Unstructured<'_>, size: u64) -> Result<f64> {
    let n = size as f64;
    Ok(match u.int_in_range(0..=99u32)? {
        0..=59 => unit(u)? * 4.0 - 1.5,
        60..=79 => {
            let at = f64::from(u.int_in_range(-(size as i32) * 2..=size as i32 * 4)?) / (2.0 * n);
            let exact = at as f32;
            f64::from(match u.int_in_range(0..=3u32)? {
                0 => f32::from_bits(exact.to_bits().wrapping_add(1)),
                1 => f32::from_bits(exact.to_bits().wrapping_sub(1)),
                _ => exact,
            })
        }
        80..=87 => (unit(u)? - 0.5) * *u.choose(&[20.0, 2e3, 1e5, 1e7])?,
        88..=91 => {
            *u.choose(&[f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -0.0, 1e-40, 1e30, -3e38, 1e-20])?
        }
        _ => *u.choose(&[0.0, 1.0, -1.0, 0.5, 2.0, 0.9999999])?,
    })
}

fn special_lod(u: &mut Unstructured<'_>, levels: u64) -> Result<f64> {
    Ok(match u.int_in_range(0..=99u32)? {
        0..=59 => unit(u)? * (levels as f64 + 3.0) - 1.5,
        60..=89 => f64::from(u.int_in_range(-4..=levels as i32 * 4)?) / 4.0,
        90..=93 => *u.choose(&[f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e10])?,
        _ => 0.0,
    })
}

fn index(u: &mut Unstructured<'_>, count: u64) -> Result<f64> {
    Ok(match u.int_in_range(0..=99u32)? {
        0..=94 => f64::from(u.int_in_range(-2..=count as i32 * 2 + 2)?) / 2.0,
        95 | 96 => unit(u)? * count as f64,
        _ => *u.choose(&[f64::NAN, f64::INFINITY, -1e30, 1e30])?,
    })
}

fn integer(u: &mut Unstructured<'_>, size: u64) -> Result<u32> {
    Ok(match u.int_in_range(0..=99u32)? {
        0..=84 => u.int_in_range(0..=size as u32)?,
        85..=96 => u.int_in_range(-12..=size as i32 + 12)? as u32,
        _ => *u.choose(&[0x7fff_ffff, 0x8000_0000, 0xffff_ffff, 0x8000, 0x1_0000, 0x7fff])?,
    })
}

fn reference(u: &mut Unstructured<'_>) -> Result<f64> {
    Ok(match u.int_in_range(0..=9u32)? {
        0..=4 => unit(u)? * 1.4 - 0.2,
        5..=8 => f64::from(u.int_in_range(0..=255u32)?) / 255.0,
        _ => *u.choose(&[f64::NAN, f64::INFINITY, 0.0, 1.0, -0.0])?,
    })
}

/// Chooses a derivative: one of `texels` within a fifth, as a part of an axis with `size` texels.
fn derivative(u: &mut Unstructured<'_>, texels: &[f64], size: u64) -> Result<f64> {
    let texels = *u.choose(texels)?;
    Ok(texels * (0.8 + 0.4 * unit(u)?) / size as f64)
}

/// Chooses the parameters of a message.
struct ParameterGenerator<'a> {
    made: &'a GeneratedSurface,
    op: &'a Op,
    /// Width, height and depth of the view's first level.
    size: [u64; 3],
    half_params: bool,
    non_normalized: bool,
}

impl<'a> ParameterGenerator<'a> {
    fn new(made: &'a GeneratedSurface, op: &'a Op, sampler: &[u32; 4], half_params: bool) -> Self {
        let base = surface_field(&made.state, "Surface Min LOD");
        Self {
            made,
            op,
            size: made.size.map(|s| (s >> base).max(1)),
            half_params,
            non_normalized: sampler_field(sampler, "Non-normalized Coordinate Enable") == 1,
        }
    }

    /// Chooses the values of every parameter for `simd` lanes.
    fn parameters(&self, u: &mut Unstructured<'_>, simd: u8) -> Result<Vec<Vec<u32>>> {
        self.op.params.split_whitespace().map(|name| self.parameter(u, name, simd.into())).collect()
    }

    /// Chooses the values of one parameter: coordinates by subspan, all others by lane.
    fn parameter(&self, u: &mut Unstructured<'_>, name: &str, lanes: usize) -> Result<Vec<u32>> {
        match ["u", "v", "r"].iter().position(|axis| *axis == name) {
            Some(_) if self.is_layer(name) => (0..lanes).map(|_| self.layer(u)).collect(),
            Some(axis) if self.loads() => (0..lanes).map(|_| self.load_coordinate(u, axis)).collect(),
            Some(axis) => self.coordinates(u, axis, lanes),
            None => (0..lanes).map(|_| self.lane(u, name)).collect(),
        }
    }

    /// Returns true if the operation has integer coordinates and LODs.
    fn loads(&self) -> bool {
        matches!(self.op.work, OpWork::Load | OpWork::LoadSample | OpWork::LoadMcs | OpWork::Resinfo)
    }

    /// Returns the code of Surface Type.
    fn surface_type(&self) -> u64 {
        surface_field(&self.made.state, "Surface Type")
    }

    /// Returns true for the parameter that is the array layer: V of 1D surfaces, R of 2D ones.
    fn is_layer(&self, name: &str) -> bool {
        matches!((self.surface_type(), name), (0, "v") | (1, "r"))
    }

    /// Returns the bits of a number in the width of the parameters.
    fn bits(&self, x: f64) -> u32 {
        if self.half_params { u32::from(half(x)) } else { (x as f32).to_bits() }
    }

    /// Chooses an array layer.
    fn layer(&self, u: &mut Unstructured<'_>) -> Result<u32> {
        if self.loads() { integer(u, self.made.layers) } else { Ok(self.bits(index(u, self.made.layers)?)) }
    }

    /// Chooses an integer coordinate: an element of a buffer, or a texel along an axis.
    fn load_coordinate(&self, u: &mut Unstructured<'_>, axis: usize) -> Result<u32> {
        let field = |name| surface_field(&self.made.state, name);
        let is_buffer = matches!(self.surface_type(), 4 | 5);
        integer(u, if is_buffer { field("Width") + 128 * field("Height") } else { self.size[axis] })
    }

    /// Chooses the coordinates along an axis. Those of most subspans are affine.
    fn coordinates(&self, u: &mut Unstructured<'_>, axis: usize, lanes: usize) -> Result<Vec<u32>> {
        const STEPS: &[f64] = &[0.0, 0.25, 0.5, 1.0, 1.5, 2.0, 3.7, 8.0, -1.0, 0.01];
        let size = self.size[axis];
        let scale = if self.non_normalized { size as f64 } else { 1.0 };
        let mut values = Vec::with_capacity(lanes);
        for subspan in 0..lanes.div_ceil(4) {
            let start = coordinate(u, size)?;
            let (dx, dy) = (derivative(u, STEPS, size)?, derivative(u, STEPS, size)?);
            let affine = percent(u, 85)?;
            for lane in 0..4.min(lanes - subspan * 4) {
                let along = start + dx * f64::from(lane as u8 & 1) + dy * f64::from(lane as u8 >> 1);
                let value = if affine { along } else { coordinate(u, size)? };
                values.push(self.bits(value * scale));
            }
        }
        Ok(values)
    }

    /// Chooses a value of a parameter that is no coordinate, for one lane.
    fn lane(&self, u: &mut Unstructured<'_>, name: &str) -> Result<u32> {
        const GRADIENTS: &[f64] = &[0.0, 0.1, 0.5, 1.0, 1.3, 2.0, 4.0, 11.0, -2.0];
        let levels = self.made.levels;
        Ok(match name {
            "lod" if self.loads() => integer(u, levels)?,
            "si" => integer(u, self.made.samples)?,
            "mcs0" | "mcs1" | "mcs2" | "mcs3" => {
                let any = u.arbitrary()?;
                weighted(u, &[(40, 0x7654_3210), (20, u32::MAX), (5, 0xff), (5, 0), (30, any)])?
            }
            "offu" | "offv" => u.int_in_range(-40..=40i32)? as u32,
            "offuv" | "offuvr" => u.arbitrary::<u32>()?,
            "lodoffuv" | "biasoffuv" => {
                self.bits(special_lod(u, levels)?) & !0xfff | u.int_in_range(0..=0xfff)?
            }
            "ai" => self.bits(index(u, self.made.layers)?),
            "ref" => self.bits(reference(u)?),
            "mlod" | "lod" | "bias" => self.bits(special_lod(u, levels)?),
            gradient => {
                let axis = ["du", "dv", "dr"].iter().position(|d| gradient.starts_with(d)).unwrap_or(0);
                self.bits(derivative(u, GRADIENTS, self.size[axis])?)
            }
        })
    }
}
