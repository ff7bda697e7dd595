//! The parameters of a state's messages, lane by lane, as a compiler would send them.

use super::random::Random;
use super::state::{CoordinateOrder, McsKind, SamplingState, SurfaceKind};
use texwire::format::half;
use texwire::message::{LodSource, Message, Op, Param, Width};
use texwire::state::{MipFilter, SurfaceType};

/// The distance between neighbouring subspans of the random pattern with implicit LOD, by axis, in normalized coordinates.
const SUBSPANS_APART: [f32; 3] = [0.21, 0.13, 0.17];

/// In texels: the distance between neighbouring lanes of a random subspan, and the length of gradients if the state has no LOD.
const RANDOM_STEP: f32 = 1.7;
const GRADIENT_STEP: f32 = 1.9;

/// The distance between neighbouring pixels in texels if LODs are implicit: a little less than one. With exactly one, the LOD is 0 on
/// surfaces whose size is a power of two, so that one level is read; on others it is above 0 by rounding in every other subspan, and two
/// levels are read.
const PIXEL_STEP: f32 = 0.999;

/// The role of a parameter for a kind of surface.
enum Role {
    Coordinate(usize),
    Layer,
    /// Neither a coordinate nor a layer of this kind of surface.
    Other,
}

fn role(kind: SurfaceKind, param: Param) -> Role {
    let axis = match param {
        Param::U => 0,
        Param::V => 1,
        Param::R => 2,
        Param::Ai => return Role::Layer,
        _ => return Role::Other,
    };
    if axis < kind.axes() { Role::Coordinate(axis) } else { Role::Layer }
}

/// Returns the number of parameters: up to the last one that the state needs.
pub(super) fn count(state: &SamplingState, width: Width) -> u8 {
    let axes = state.kind.axes();
    // The layer follows the coordinates; for cubes it is a parameter of its own.
    let layers = if state.kind.array { axes + 1 } else { axes };
    let needed = |param: &Param| match param {
        Param::U => layers > 0,
        Param::V => layers > 1,
        Param::R => layers > 2,
        Param::Ai => layers > 3,
        Param::Mlod => false,
        Param::DuDx | Param::DuDy => true,
        Param::DvDx | Param::DvDy => axes > 1,
        Param::DrDx | Param::DrDy => axes > 2,
        _ => true,
    };
    let params = state.op.params(width);
    params.iter().rposition(needed).map_or(0, |last| last as u8 + 1)
}

/// The value of a parameter.
enum ParamValue {
    Float(f32),
    Integer(i32),
    /// The upper bits of a float, with packed offsets in the lower bits.
    Packed(f32),
}

/// What the lanes of one message have in common.
struct Pixels<'a> {
    state: &'a SamplingState,
    extent: [u32; 3],
    load: bool,
    /// The position of the first pixel.
    origin: [usize; 2],
    layer: u32,
    lod: f32,
    /// A random position for the message.
    anchor: [f32; 3],
}

/// Returns the parameter bytes of all messages, one message after another.
pub(super) fn bytes(
    state: &SamplingState,
    message: &Message,
    extent: [u32; 3],
    random: &mut Random,
) -> Vec<u8> {
    let [width, height, depth] = extent.map(|side| side as usize);
    let step = (usize::from(message.simd) / 2).max(1);
    let flags = message.op.flags();
    let mut bytes = Vec::new();
    for number in 0..state.messages {
        let pixels = Pixels {
            state,
            extent,
            load: flags.lod == LodSource::Integer || message.op == Op::LdLz,
            origin: [number * step % width, number * step / width * 2 % height],
            layer: if state.kind.array { (number % depth) as u32 } else { 0 },
            lod: number as f32 / state.messages as f32 * 3.0,
            anchor: [random.unit(), random.unit(), random.unit()],
        };
        for param in message.present() {
            for lane in 0..usize::from(message.simd) {
                let value = pixels.value(*param, lane, random);
                push(&mut bytes, message.param_width, state.offset, &value);
            }
        }
    }
    bytes
}

fn push(bytes: &mut Vec<u8>, width: Width, offset: i8, value: &ParamValue) {
    let bits = match (value, width) {
        (ParamValue::Float(value) | ParamValue::Packed(value), Width::Full) => value.to_bits(),
        (ParamValue::Float(value) | ParamValue::Packed(value), Width::Half) => half::from_f32(*value).into(),
        (ParamValue::Integer(value), _) => *value as u32,
    };
    let six_bits = offset as u32 & 0x3f;
    let bits =
        if let ParamValue::Packed(_) = value { bits & !0xfff | six_bits << 6 | six_bits } else { bits };
    bytes.extend(&bits.to_le_bytes()[..width.bytes()]);
}

impl Pixels<'_> {
    fn value(&self, param: Param, lane: usize, random: &mut Random) -> ParamValue {
        let scattered = self.state.pattern == CoordinateOrder::Random;
        if let Role::Coordinate(axis) = role(self.state.kind, param) {
            return self.coordinate(axis, lane, random);
        }
        if let Role::Layer = role(self.state.kind, param) {
            let layer = if scattered { random.next() as u32 % self.extent[2].max(1) } else { self.layer };
            let layer = if self.state.kind.array { layer } else { 0 };
            return if self.load {
                ParamValue::Integer(layer as i32)
            } else {
                ParamValue::Float(layer as f32)
            };
        }
        let [width, height, depth] = self.extent.map(|side| side as f32);
        let (stretch, cube) = (self.stretch(), self.is_cube());
        match param {
            // The level of ld and resinfo.
            Param::Lod if self.load || self.state.op.flags().lod == LodSource::None => ParamValue::Integer(0),
            Param::Lod => ParamValue::Float(self.lod(random)),
            Param::LodOffUv => ParamValue::Packed(self.lod(random)),
            Param::Bias => ParamValue::Float(self.given_lod(random).unwrap_or(0.3)),
            Param::BiasOffUv => ParamValue::Packed(self.given_lod(random).unwrap_or(0.3)),
            Param::Ref => ParamValue::Float(random.unit()),
            Param::OffU | Param::OffV => ParamValue::Integer(self.state.offset.into()),
            Param::OffUv | Param::OffUvR => ParamValue::Packed(0.0),
            Param::Si => ParamValue::Integer((lane as u32 % self.state.samples) as i32),
            // Across a face of the cube the direction changes by 2, and R does not change.
            Param::DuDx if cube => ParamValue::Float(self.gradient(random) / width * 2.0 * stretch),
            Param::DvDy if cube => ParamValue::Float(self.gradient(random) / height * 2.0),
            Param::DrDy if cube => ParamValue::Float(0.0),
            Param::DuDx => ParamValue::Float(self.gradient(random) / width * stretch),
            Param::DvDy => ParamValue::Float(self.gradient(random) / height),
            Param::DrDy => ParamValue::Float(self.gradient(random) / depth),
            Param::DuDy | Param::DvDx | Param::DrDx => ParamValue::Float(0.0),
            // The value of the multisample control surface: all ones are the clear colour, 0 means that all samples are in the first plane.
            Param::Mcs0 | Param::Mcs1 | Param::Mcs2 | Param::Mcs3
                if self.state.control() == McsKind::Clear && lane.is_multiple_of(4) =>
            {
                ParamValue::Integer(-1)
            }
            _ => ParamValue::Integer(0),
        }
    }

    fn lod(&self, random: &mut Random) -> f32 {
        match (self.given_lod(random), self.state.pattern) {
            (Some(lod), _) => lod,
            (None, _) if self.state.mip == MipFilter::None => 0.0,
            (None, CoordinateOrder::Coherent) => self.lod,
            (None, CoordinateOrder::Random) => random.unit() * 8.0,
        }
    }

    /// Returns the LOD of the state, or a random one in its range; `None` if the state has none.
    fn given_lod(&self, random: &mut Random) -> Option<f32> {
        let [low, high] = self.state.lod?;
        // A single number does not consume a random number, so that later parameters do not change.
        Some(if low < high { low + random.unit() * (high - low) } else { low })
    }

    /// Returns the length of a gradient in texels.
    fn gradient(&self, random: &mut Random) -> f32 {
        self.given_lod(random).map_or(GRADIENT_STEP, f32::exp2)
    }

    fn stretch(&self) -> f32 {
        self.state.stretch.unwrap_or(if self.state.aniso > 1 { 6.0 } else { 1.0 })
    }

    fn is_cube(&self) -> bool {
        self.state.kind.surface == SurfaceType::Cube
    }

    fn coordinate(&self, axis: usize, lane: usize, random: &mut Random) -> ParamValue {
        let side = self.extent[axis] as f32;
        let subspan = lane / 4;
        let pixel = [self.origin[0] + subspan * 2 + lane % 2, self.origin[1] + lane / 2 % 2];
        let stretch = if axis == 0 { self.stretch() } else { 1.0 };
        let cube = self.is_cube();
        let place = match self.state.pattern {
            // 3D surfaces: a depth of 0.3; cubes: the face +Z.
            CoordinateOrder::Coherent if axis == 2 => {
                if cube {
                    1.0
                } else {
                    0.3
                }
            }
            CoordinateOrder::Coherent => {
                let step = if self.state.op.needs_quad() { PIXEL_STEP } else { 1.0 };
                (pixel[axis] as f32 * step + 0.37) / side * stretch
            }
            CoordinateOrder::Random if self.state.op.needs_quad() => {
                let step = [lane % 2, lane / 2 % 2, 0][axis];
                self.anchor[axis]
                    + subspan as f32 * SUBSPANS_APART[axis]
                    + step as f32 * RANDOM_STEP / side * stretch
            }
            CoordinateOrder::Random => random.unit(),
        };
        if self.load {
            let last = self.extent[axis].saturating_sub(1);
            return ParamValue::Integer(((place * side) as u32 % (last + 1)) as i32);
        }
        if cube {
            return ParamValue::Float(place * 2.0 - 1.0);
        }
        ParamValue::Float(if self.state.normalized { place } else { place * side })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_end_with_the_last_that_is_needed() {
        for (state, expected) in [
            ("op=sample_lz", 2),
            ("op=sample_lz,kind=1d", 1),
            ("op=sample_lz,kind=1d_array", 2),
            ("op=sample_lz,kind=2d_array", 3),
            ("op=sample_lz,kind=cube", 3),
            ("op=sample_lz,kind=cube_array", 4),
            ("op=sample_l", 3),
            ("op=sample_d", 6),
            ("op=sample_d,kind=1d", 3),
            ("op=sample_d,kind=3d", 9),
            ("op=gather4_po", 4),
            ("op=gather4_po_l", 3),
            ("op=ld", 3),
            ("op=resinfo", 1),
            ("op=sampleinfo", 0),
        ] {
            assert_eq!(count(&state.parse().unwrap(), Width::Full), expected, "{state}");
        }
    }

    #[test]
    fn gradients_are_texels() {
        for (text, expected) in [
            ("op=sample_d,lod=1,size=16", &[2.0 / 16.0, 0.0, 0.0, 2.0 / 16.0][..]),
            ("op=sample_d,lod=1,kind=3d,size=16", &[2.0 / 16.0, 0.0, 0.0, 2.0 / 16.0, 0.0, 2.0 / 16.0]),
            ("op=sample_d,lod=1,kind=cube,size=16", &[4.0 / 16.0, 0.0, 0.0, 4.0 / 16.0, 0.0, 0.0]),
        ] {
            let state: SamplingState = text.parse().unwrap();
            let mut message = Message::new(state.op);
            message.params = count(&state, Width::Full);
            let extent = super::super::scene::extent(&state).unwrap();
            let all = bytes(&state, &message, extent, &mut Random::new());
            let first = |param: &Param| {
                let number = message.present().iter().position(|other| other == param).unwrap();
                f32::from_le_bytes(*all[number * 32..].first_chunk().unwrap())
            };
            let params = [Param::DuDx, Param::DuDy, Param::DvDx, Param::DvDy, Param::DrDx, Param::DrDy];
            assert_eq!(params[..expected.len()].iter().map(first).collect::<Vec<_>>(), expected, "{text}");
        }
    }

    #[test]
    fn loads_stay_inside() {
        for text in
            ["op=ld,size=5x3,pattern=random", "op=ld,size=5x3", "op=ld_lz,kind=2d_array,layers=3,size=4"]
        {
            let state: SamplingState = text.parse().unwrap();
            let extent = super::super::scene::extent(&state).unwrap();
            let mut message = Message::new(state.op);
            message.params = count(&state, Width::Full);
            let all = bytes(&state, &message, extent, &mut Random::new());
            for lanes in all.chunks_exact(message.params as usize * 8 * 4) {
                for (param, values) in message.present().iter().zip(lanes.chunks_exact(32)) {
                    let bound = match param {
                        Param::U => extent[0],
                        Param::V => extent[1],
                        Param::R => extent[2],
                        _ => 1,
                    };
                    for value in values.as_chunks::<4>().0 {
                        assert!(u32::from_le_bytes(*value) < bound, "{text} {param:?}");
                    }
                }
            }
        }
    }
}
