//! Launches described in JSON: a kernel's name, its NDRange, and its arguments with their contents.

use super::launch::{Argument, ImageValue, NdRange, SamplerFilter, SamplerValue, SamplerWrap, image_format};
use crate::containers::picture::Picture;
use base64::Engine;
use serde::Deserialize;
use std::io::Read;

/// A description of a launch.
#[derive(Debug, Deserialize)]
pub struct LaunchCase {
    /// Name of the kernel in the binary.
    pub kernel: String,
    /// Dimensions of the NDRange, 1 to 3.
    pub work_dim: u32,
    /// Work items in each dimension.
    pub global: [u32; 3],
    /// Work items of a group in each dimension; `None`: the kernel or the machine chooses.
    pub local: Option<[u32; 3]>,
    /// Global offset in each dimension.
    #[serde(default)]
    pub offset: [u32; 3],
    /// The arguments.
    pub args: Vec<CaseArgument>,
}

/// An argument of a case.
#[derive(Debug, Deserialize)]
pub struct CaseArgument {
    /// Index of the kernel argument.
    pub index: u32,
    #[serde(flatten)]
    value: CaseValue,
}

#[derive(Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum CaseValue {
    Scalar {
        hex: String,
    },
    Buffer {
        size: usize,
        init: Option<InitialContents>,
    },
    Local {
        size: u32,
    },
    Image {
        order: String,
        data_type: String,
        #[serde(rename = "type")]
        shape: String,
        width: u32,
        height: Option<u32>,
        depth: Option<u32>,
        array_size: Option<u32>,
        init: Option<InitialContents>,
    },
    Sampler {
        normalized: bool,
        address: String,
        filter: String,
    },
}

/// The initial contents of an argument.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum InitialContents {
    /// The bytes in hexadecimal.
    Hex(String),
    /// The bytes, compressed with gzip, in Base64.
    Gz(String),
    /// A pattern in hexadecimal, repeated.
    Fill(String),
    /// Pseudo-random elements.
    Rand(RandomElements),
}

/// Elements drawn from a xorshift generator.
#[derive(Debug, Deserialize)]
pub struct RandomElements {
    seed: u32,
    #[serde(rename = "type")]
    element: String,
    count: usize,
    #[serde(default)]
    lo: f64,
    #[serde(default)]
    hi: f64,
}

/// Most bytes of an argument's contents.
const MAX_BYTES: usize = 1 << 31;

impl LaunchCase {
    /// Parses a case.
    ///
    /// # Errors
    /// `text` is no JSON, a field is missing, or the NDRange has a number of dimensions that OpenCL does not have.
    pub fn parse(text: &[u8]) -> Result<Self, String> {
        let case: Self = serde_json::from_slice(text).map_err(|why| why.to_string())?;
        match case.work_dim {
            1..=3 => Ok(case),
            other => Err(format!("work_dim {other} (expected 1 to 3)")),
        }
    }

    /// Returns the NDRange.
    pub fn range(&self) -> NdRange {
        NdRange { dimensions: self.work_dim, global: self.global, local: self.local, offset: self.offset }
    }

    /// Returns the arguments by index; those that the case does not mention are null.
    ///
    /// # Errors
    /// A sentence: which argument, and what is wrong with it.
    pub fn arguments(&self) -> Result<Vec<Argument>, String> {
        let mut arguments = Vec::new();
        for argument in &self.args {
            let index = argument.index as usize;
            if index > 255 {
                return Err(format!("argument {index}: more than 256 arguments"));
            }
            let value = argument.value().map_err(|why| format!("argument {index}: {why}"))?;
            if arguments.len() <= index {
                arguments.resize_with(index + 1, || Argument::Null);
            }
            arguments[index] = value;
        }
        Ok(arguments)
    }
}

impl CaseArgument {
    fn value(&self) -> Result<Argument, String> {
        match &self.value {
            CaseValue::Scalar { hex } => Ok(Argument::Scalar(from_hex(hex)?)),
            CaseValue::Buffer { size, init } => Ok(Argument::Buffer(contents(init.as_ref(), *size)?)),
            CaseValue::Local { size } => Ok(Argument::Local(*size)),
            CaseValue::Image { order, data_type, shape, width, height, depth, array_size, init } => {
                let (format, order_code, type_code) = image_format(order, data_type)
                    .ok_or_else(|| format!("no surface format for {order} {data_type}"))?;
                let volume = shape == "3d";
                let height = if shape.starts_with("1d") { 1 } else { height.unwrap_or(1) };
                let slices = if volume { depth.unwrap_or(1) } else { array_size.unwrap_or(1) };
                let texel = texwire::format::info(format).map_or(0, |info| usize::from(info.bytes));
                let size = [*width, height, slices].iter().try_fold(texel, |n, &m| n.checked_mul(m as usize));
                let size = size
                    .filter(|size| *size > 0 && *size <= MAX_BYTES)
                    .ok_or_else(|| format!("an image of {width} x {height} x {slices} texels"))?;
                let picture = Picture {
                    format,
                    width: *width,
                    height,
                    slices,
                    volume,
                    levels: vec![contents(init.as_ref(), size)?],
                };
                Ok(Argument::Image(Box::new(ImageValue { picture, order: order_code, data_type: type_code })))
            }
            CaseValue::Sampler { normalized, address, filter } => {
                let wrap = SamplerWrap::NAMES.iter().find(|(name, _)| name == address);
                let wrap = wrap.ok_or_else(|| format!("unknown address mode {address}"))?.1;
                let filter = match filter.as_str() {
                    "nearest" => SamplerFilter::Nearest,
                    "linear" => SamplerFilter::Linear,
                    other => return Err(format!("unknown filter {other} (expected nearest or linear)")),
                };
                Ok(Argument::Sampler(SamplerValue { normalized: *normalized, wrap, filter }))
            }
        }
    }
}

fn from_hex(text: &str) -> Result<Vec<u8>, String> {
    crate::hex::decode(text).map_err(|why| why.to_string())
}

/// Returns `size` bytes that begin with `init`, followed by zeros.
///
/// # Errors
/// A sentence: hexadecimal, Base64 or gzip data that cannot be decoded, an unknown element type, contents longer than `size`.
pub fn contents(init: Option<&InitialContents>, size: usize) -> Result<Vec<u8>, String> {
    if size > MAX_BYTES {
        return Err(format!("{size} bytes (expected at most {MAX_BYTES})"));
    }
    let mut bytes = match init {
        None => Vec::new(),
        Some(InitialContents::Hex(text)) => from_hex(text)?,
        Some(InitialContents::Gz(text)) => {
            let packed =
                base64::engine::general_purpose::STANDARD.decode(text).map_err(|why| why.to_string())?;
            let mut out = Vec::new();
            let mut unpacked = flate2::read::GzDecoder::new(&packed[..]).take(size as u64 + 1);
            unpacked.read_to_end(&mut out).map_err(|why| why.to_string())?;
            out
        }
        Some(InitialContents::Fill(text)) => {
            let pattern = from_hex(text)?;
            pattern.iter().copied().cycle().take(if pattern.is_empty() { 0 } else { size }).collect()
        }
        Some(InitialContents::Rand(random)) => random.bytes(size)?,
    };
    if bytes.len() > size {
        return Err(format!("{} bytes of contents for {size}", bytes.len()));
    }
    bytes.resize(size, 0);
    Ok(bytes)
}

impl RandomElements {
    fn bytes(&self, most: usize) -> Result<Vec<u8>, String> {
        let mut state = self.seed;
        let mut draw = || {
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            state
        };
        let mut out = Vec::new();
        let (low, high) = (self.lo as i64 as i128, self.hi as i64 as i128);
        for _ in 0..self.count {
            if out.len() > most {
                break;
            }
            match self.element.as_str() {
                "i64" | "u64" => {
                    let upper = u64::from(draw());
                    out.extend((upper << 32 | u64::from(draw())).to_le_bytes());
                }
                "f32" | "f16" => {
                    let unit = f64::from(draw() >> 8) / 16_777_216.0;
                    let value = self.lo + (self.hi - self.lo) * unit;
                    if self.element == "f32" {
                        out.extend((value as f32).to_le_bytes());
                    } else {
                        let half = super::alu::value::to_half(value, super::alu::value::Rounding::Nearest);
                        out.extend(half.to_le_bytes());
                    }
                }
                name => {
                    let bytes = match name {
                        "i8" | "u8" => 1,
                        "i16" | "u16" => 2,
                        "i32" | "u32" => 4,
                        other => return Err(format!("unknown element type {other}")),
                    };
                    let value = low + ((i128::from(draw()) * (high - low + 1)) >> 32);
                    out.extend_from_slice(&value.to_le_bytes()[..bytes]);
                }
            }
        }
        Ok(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_have_one_to_three_dimensions() {
        let case = |work_dim: u32| {
            let text = format!(
                r#"{{"kernel": "k", "work_dim": {work_dim}, "global": [1, 1, 1], "local": null, "args": []}}"#
            );
            LaunchCase::parse(text.as_bytes()).map(|case| case.range().dimensions)
        };
        assert_eq!((case(1), case(3)), (Ok(1), Ok(3)));
        assert_eq!(case(0), Err("work_dim 0 (expected 1 to 3)".into()));
        assert!(case(4).is_err());
    }

    /// The first elements for seed 1, as the description of the case format gives them.
    #[test]
    fn random_contents() {
        let random = |element: &str, lo: f64, hi: f64| {
            let random = RandomElements { seed: 1, element: element.into(), count: 3, lo, hi };
            crate::hex::encode(&random.bytes(1000).unwrap())
        };
        assert_eq!(random("u32", 0.0, 4_294_967_295.0), "2120040001060804c5a8cc9d");
        assert_eq!(random("i16", -100.0, 100.0), "9cff9fff1700");
        assert_eq!(random("f32", -1.0, 1.0), "c0f77fbff4ef77bf40656e3e");
        assert!(random("u64", 0.0, 0.0).starts_with("0106080421200400"));
    }
}
