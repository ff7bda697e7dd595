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
    let mut operands = ImageOperands::NONE;
    let mut values = Vec::new();
    match key.op {
        ImageOp::Bias => {
            operands |= ImageOperands::BIAS;
            values.push(Operand::IdRef(reader.value(b, parts, parts.float)?));
        }
        ImageOp::Held(bias) => {
            operands |= ImageOperands::LOD;
            let direction = compose(b, parts.float, &direction)?;
            values.push(Operand::IdRef(held_lod(b, parts, reader, sampled, direction, bias)?));
        }
        ImageOp::Lod => {
            operands |= ImageOperands::LOD;
            values.push(Operand::IdRef(reader.value(b, parts, parts.float)?));
        }
        ImageOp::Grad => {
            operands |= ImageOperands::GRAD;
            for _ in 0..2 {
                values.push(Operand::IdRef(reader.vector(b, parts, parts.float, axes)?));
            }
        }
        ImageOp::Implicit | ImageOp::Gather(_) | ImageOp::Fetch | ImageOp::Size | ImageOp::QueryLod => {}
    }
    if key.lane_offsets {
        operands |= ImageOperands::OFFSET;
        values.push(Operand::IdRef(reader.vector(b, parts, parts.int, 2)?));
    } else if key.offset != [0; 3] {
        operands |= ImageOperands::CONST_OFFSET;
        let each: Vec<Word> =
            key.offset[..axes].iter().map(|&o| b.constant_bit32(parts.int, i32::from(o) as u32)).collect();
        let offset = match each[..] {
            [only] => only,
            _ => {
                let vector = b.type_vector(parts.int, axes as u32);
                b.constant_composite(vector, each)
            }
        };
        values.push(Operand::IdRef(offset));
    }
    let some = (operands != ImageOperands::NONE).then_some(operands);
    let four = b.type_vector(parts.texel, 4);
    if let ImageOp::Gather(component) = key.op {
        let texels = match reference {
            Some(reference) => b.image_dref_gather(four, None, sampled, at, reference, some, values)?,
            None => {
                let component = b.constant_bit32(parts.int, component.into());
                b.image_gather(four, None, sampled, at, component, some, values)?
            }
        };
        return words(b, parts, parts.texel, texels, 4);
    }
    let explicit = matches!(key.op, ImageOp::Held(_) | ImageOp::Lod | ImageOp::Grad);
    match (reference, explicit) {
        (None, false) => {
            let texel = b.image_sample_implicit_lod(four, None, sampled, at, some, values)?;
            words(b, parts, parts.texel, texel, 4)
        }
        (None, true) => {
            let texel = b.image_sample_explicit_lod(four, None, sampled, at, operands, values)?;
            words(b, parts, parts.texel, texel, 4)
        }
        (Some(reference), false) => {
            let lit =
                b.image_sample_dref_implicit_lod(parts.float, None, sampled, at, reference, some, values)?;
            words(b, parts, parts.float, lit, 1)
        }
        (Some(reference), true) => {
            let lit = b.image_sample_dref_explicit_lod(
                parts.float,
                None,
                sampled,
                at,
                reference,
                operands,
                values,
            )?;
            words(b, parts, parts.float, lit, 1)
        }
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
