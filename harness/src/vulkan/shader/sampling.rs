//! The shader code of messages that sample: operands, comparisons, and LODs that the shader clamps.

use super::key::{ImageOp, ShaderKey};
use super::parts::{Built, Parts, PayloadReader, compose, words};
use rspirv::dr::{Builder, Operand};
use rspirv::spirv::{ImageOperands, Word};

/// Builds the code that samples or gathers. Returns the four result words.
pub(super) fn sample(
    b: &mut Builder,
    parts: &Parts,
    key: &ShaderKey,
    reader: &mut PayloadReader,
    sampled: Word,
) -> Built<Vec<Word>> {
    let axes = key.axes();
    let mut coordinates: Vec<Word> = (0..axes + usize::from(key.layer()))
        .map(|_| reader.value(b, parts, parts.float))
        .collect::<Built<_>>()?;
    let direction = coordinates[..axes].to_vec();
    if matches!(key.op, ImageOp::Held(_)) {
        hold(b, parts, key, &mut coordinates)?;
    }
    let at = compose(b, parts.float, &coordinates)?;
    let reference = if key.compare { Some(reader.value(b, parts, parts.float)?) } else { None };
    let mut operands = OptionalOperands::default();
    operands.add_lod(b, parts, key, reader, sampled, &direction)?;
    operands.add_offset(b, parts, key, reader)?;
    let four = b.type_vector(parts.texel, 4);
    let instruction = SampleInstruction { four, sampled, at, reference, operands };
    match key.op {
        ImageOp::Gather(component) => instruction.gather(b, parts, component),
        ImageOp::Held(_) | ImageOp::Lod | ImageOp::Grad => instruction.explicit_lod(b, parts),
        ImageOp::Implicit | ImageOp::Bias | ImageOp::Fetch | ImageOp::Size | ImageOp::QueryLod => {
            instruction.implicit_lod(b, parts)
        }
    }
}

/// The optional operands of an image instruction: their mask, and the values in the order of its bits.
struct OptionalOperands {
    mask: ImageOperands,
    values: Vec<Operand>,
}

impl Default for OptionalOperands {
    fn default() -> Self {
        Self { mask: ImageOperands::NONE, values: Vec::new() }
    }
}

impl OptionalOperands {
    fn add(&mut self, operand: ImageOperands, value: Word) {
        self.mask |= operand;
        self.values.push(Operand::IdRef(value));
    }

    /// Returns the mask as instructions take it that may have none.
    fn any(&self) -> Option<ImageOperands> {
        (self.mask != ImageOperands::NONE).then_some(self.mask)
    }

    /// Adds the bias, the LOD or the gradients of an operation. `direction`: the coordinates before they are clamped.
    fn add_lod(
        &mut self,
        b: &mut Builder,
        parts: &Parts,
        key: &ShaderKey,
        reader: &mut PayloadReader,
        sampled: Word,
        direction: &[Word],
    ) -> Built<()> {
        match key.op {
            ImageOp::Bias => self.add(ImageOperands::BIAS, reader.value(b, parts, parts.float)?),
            ImageOp::Held(bias) => {
                let direction = compose(b, parts.float, direction)?;
                self.add(ImageOperands::LOD, held_lod(b, parts, reader, sampled, direction, bias)?);
            }
            ImageOp::Lod => self.add(ImageOperands::LOD, reader.value(b, parts, parts.float)?),
            ImageOp::Grad => {
                for _ in 0..2 {
                    self.add(ImageOperands::GRAD, reader.vector(b, parts, parts.float, key.axes())?);
                }
            }
            ImageOp::Implicit | ImageOp::Gather(_) | ImageOp::Fetch | ImageOp::Size | ImageOp::QueryLod => {}
        }
        Ok(())
    }

    /// Adds the texel offsets, those of the lane or constant ones.
    fn add_offset(
        &mut self,
        b: &mut Builder,
        parts: &Parts,
        key: &ShaderKey,
        reader: &mut PayloadReader,
    ) -> Built<()> {
        if key.lane_offsets {
            self.add(ImageOperands::OFFSET, reader.vector(b, parts, parts.int, 2)?);
        } else if key.offset != [0; 3] {
            self.add(ImageOperands::CONST_OFFSET, constant_offset(b, parts, &key.offset[..key.axes()]));
        }
        Ok(())
    }
}

/// Returns the constant of the texel offsets along each axis: a scalar for one axis, else a vector.
fn constant_offset(b: &mut Builder, parts: &Parts, offsets: &[i8]) -> Word {
    let each: Vec<Word> = offsets.iter().map(|&o| b.constant_bit32(parts.int, i32::from(o) as u32)).collect();
    match each[..] {
        [only] => only,
        _ => {
            let vector = b.type_vector(parts.int, offsets.len() as u32);
            b.constant_composite(vector, each)
        }
    }
}

/// An image instruction that samples or gathers, without its opcode.
struct SampleInstruction {
    /// The type of a texel of four channels.
    four: Word,
    /// The image with its sampler.
    sampled: Word,
    /// The coordinates.
    at: Word,
    /// The reference of a comparison.
    reference: Option<Word>,
    operands: OptionalOperands,
}

impl SampleInstruction {
    /// Gathers a component of four texels, or their comparisons. Returns the four result words.
    fn gather(self, b: &mut Builder, parts: &Parts, component: u8) -> Built<Vec<Word>> {
        let Self { four, sampled, at, reference, operands } = self;
        let some = operands.any();
        let texels = match reference {
            Some(reference) => {
                b.image_dref_gather(four, None, sampled, at, reference, some, operands.values)?
            }
            None => {
                let component = b.constant_bit32(parts.int, component.into());
                b.image_gather(four, None, sampled, at, component, some, operands.values)?
            }
        };
        words(b, parts, parts.texel, texels, 4)
    }

    /// Samples at the LOD of the quad. Returns the four result words.
    fn implicit_lod(self, b: &mut Builder, parts: &Parts) -> Built<Vec<Word>> {
        let Self { four, sampled, at, reference, operands } = self;
        let (some, values) = (operands.any(), operands.values);
        let Some(reference) = reference else {
            let texel = b.image_sample_implicit_lod(four, None, sampled, at, some, values)?;
            return words(b, parts, parts.texel, texel, 4);
        };
        let lit =
            b.image_sample_dref_implicit_lod(parts.float, None, sampled, at, reference, some, values)?;
        words(b, parts, parts.float, lit, 1)
    }

    /// Samples at the LOD or with the gradients among the operands. Returns the four result words.
    fn explicit_lod(self, b: &mut Builder, parts: &Parts) -> Built<Vec<Word>> {
        let Self { four, sampled, at, reference, operands } = self;
        let OptionalOperands { mask, values } = operands;
        let Some(reference) = reference else {
            let texel = b.image_sample_explicit_lod(four, None, sampled, at, mask, values)?;
            return words(b, parts, parts.texel, texel, 4);
        };
        let lit =
            b.image_sample_dref_explicit_lod(parts.float, None, sampled, at, reference, mask, values)?;
        words(b, parts, parts.float, lit, 1)
    }
}

/// Clamps the coordinates of the axes in [`ShaderKey::hold`] to 0..=1.
fn hold(b: &mut Builder, parts: &Parts, key: &ShaderKey, coordinates: &mut [Word]) -> Built<()> {
    let (zero, one) = (b.constant_bit32(parts.float, 0), b.constant_bit32(parts.float, 1.0f32.to_bits()));
    for (coordinate, _) in coordinates.iter_mut().zip(key.hold).filter(|(_, hold)| *hold) {
        let low = larger(b, parts, *coordinate, zero)?;
        *coordinate = smaller(b, parts, low, one)?;
    }
    Ok(())
}

/// Returns the LOD operand: max(min(LOD of the quad + bias, largest), least), minus the sampler's bias, which sampling adds again.
fn held_lod(
    b: &mut Builder,
    parts: &Parts,
    reader: &mut PayloadReader,
    sampled: Word,
    at: Word,
    bias: bool,
) -> Built<Word> {
    let float = parts.float;
    let pair = b.type_vector(float, 2);
    let asked = b.image_query_lod(pair, None, sampled, at)?;
    let mut lod = b.composite_extract(float, None, asked, [1])?;
    if bias {
        let bias = reader.value(b, parts, float)?;
        lod = b.f_add(float, None, lod, bias)?;
    }
    let largest = reader.value(b, parts, float)?;
    let lod = smaller(b, parts, lod, largest)?;
    let least = reader.value(b, parts, float)?;
    let lod = larger(b, parts, lod, least)?;
    let added = reader.value(b, parts, float)?;
    b.f_sub(float, None, lod, added)
}

/// Returns the smaller of a value and a number; the number if the value is NaN.
fn smaller(b: &mut Builder, parts: &Parts, value: Word, number: Word) -> Built<Word> {
    let boolean = b.type_bool();
    let below = b.f_ord_less_than(boolean, None, value, number)?;
    b.select(parts.float, None, below, value, number)
}

/// Returns the larger of a value and a number; the number if the value is NaN.
fn larger(b: &mut Builder, parts: &Parts, value: Word, number: Word) -> Built<Word> {
    let boolean = b.type_bool();
    let above = b.f_ord_greater_than(boolean, None, value, number)?;
    b.select(parts.float, None, above, value, number)
}
