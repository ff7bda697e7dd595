//! Reads the parameters of a message: their order in the payload, and the meaning of their bits.

use crate::emulator::numbers;

/// The order of the parameters in the payload of a message, and their width.
#[derive(Clone, Debug)]
pub(super) struct ParamOrder {
    pub(super) names: Vec<&'static str>,
    half: bool,
}

impl ParamOrder {
    pub(super) fn new(params: &'static str, half: bool) -> Self {
        Self { names: params.split_whitespace().collect(), half }
    }

    /// Returns whether the operation has a parameter of this name and the message carries it.
    pub(super) fn carried(&self, params: &[Vec<u32>], name: &str) -> bool {
        self.names.iter().position(|n| *n == name).is_some_and(|i| i < params.len())
    }

    /// Returns the first parameter of the operation whose name starts with `prefix`.
    pub(super) fn starting(&self, prefix: &str) -> Option<&'static str> {
        self.names.iter().find(|n| n.starts_with(prefix)).copied()
    }

    pub(super) fn raw(&self, params: &[Vec<u32>], lane: usize, name: &str) -> u32 {
        let index = self.names.iter().position(|n| *n == name);
        let bits = index.and_then(|i| params.get(i)?.get(lane)).copied().unwrap_or(0);
        if self.half { bits & 0xffff } else { bits }
    }

    /// Returns bits as a float; half floats are converted exactly.
    fn as_float(&self, bits: u32) -> f32 {
        if !self.half {
            return f32::from_bits(bits);
        }
        numbers::float(bits, true) as f32
    }

    pub(super) fn float(&self, params: &[Vec<u32>], lane: usize, name: &str) -> f32 {
        self.as_float(self.raw(params, lane, name))
    }

    pub(super) fn integer(&self, params: &[Vec<u32>], lane: usize, name: &str) -> i64 {
        let bits = self.raw(params, lane, name);
        match name {
            "si" => i64::from(bits),
            _ if self.half => i64::from(bits as u16 as i16),
            _ => i64::from(bits as i32),
        }
    }

    /// Returns a LOD or bias, which may share its parameter with offsets.
    pub(super) fn level(&self, params: &[Vec<u32>], lane: usize, name: &str) -> f32 {
        match self.starting(name) {
            Some(p) if p.ends_with("offuv") => self.as_float(self.raw(params, lane, p) & !0xfff),
            Some(p) => self.float(params, lane, p),
            None => 0.0,
        }
    }

    /// Returns whether texel offsets are parameters.
    pub(super) fn has_offsets(&self) -> bool {
        self.names.iter().any(|name| name.contains("offu"))
    }

    /// Returns the texel offsets u and v of a lane of a gather: its parameters, else the immediate `offsets`.
    pub(super) fn gather_offsets(&self, params: &[Vec<u32>], lane: usize, offsets: [i8; 3]) -> [i32; 2] {
        let six = |bits: u32| (bits << 26) as i32 >> 26;
        if let Some(packed) = self.names.iter().find(|n| n.contains("offuv")) {
            let bits = self.raw(params, lane, packed);
            return [six(bits), six(bits >> 6)];
        }
        if self.starting("offu").is_some() {
            return ["offu", "offv"].map(|name| six(self.raw(params, lane, name)));
        }
        [offsets[0].into(), offsets[1].into()]
    }
}
