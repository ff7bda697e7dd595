//! Makes the shaders of shapes: every lane executes one message, with payload and results in storage buffers.
//!
//! | payload word | when |
//! |---|---|
//! | coordinates, as many as the image has | all but sizes |
//! | array layer | arrays, except for LOD queries and sizes |
//! | reference | comparisons |
//! | bias if any, largest LOD, least LOD, the sampler's bias | LOD of the quad, clamped by the shader |
//! | LOD, bias, level or sample | explicit LOD, bias, loads, sizes |
//! | d/dx, then d/dy of each coordinate | gradients |
//! | texel offsets u, v | gathers with offsets of each lane |
//!
//! A lane has four result words. Explicit messages run in a compute shader, those with derivatives in a fragment shader: four
//! lanes are the quad of 2x2 pixels.

mod key;
mod parts;
mod sampling;
mod upload;

pub(super) use key::{Dim, GROUP, ImageOp, PUSH, RESULT, ShaderKey, TexelType};
pub(super) use upload::{UPLOAD_GROUP, upload};

use parts::{Built, Parts, PayloadReader, declare, push, words};

use rspirv::binary::Assemble;
use rspirv::dr::{Builder, Operand};
use rspirv::spirv::{
    AddressingModel, BuiltIn, Capability, Decoration, ExecutionMode, ExecutionModel, FunctionControl,
    ImageOperands, MemoryModel, SelectionControl, StorageClass, Word,
};

/// Returns the vertex shader, which covers the half of the viewport at its origin with one triangle.
///
/// # Errors
/// Never in practice: see [`Built`].
pub(super) fn vertex() -> Built<Vec<u32>> {
    let mut b = Builder::new();
    b.set_version(1, 3);
    b.capability(Capability::Shader);
    b.memory_model(AddressingModel::Logical, MemoryModel::GLSL450);
    let void = b.type_void();
    let (int, float) = (b.type_int(32, 1), b.type_float(32, None));
    let vec4 = b.type_vector(float, 4);
    let input = b.type_pointer(None, StorageClass::Input, int);
    let output = b.type_pointer(None, StorageClass::Output, vec4);
    let index = b.variable(input, None, StorageClass::Input, None);
    let position = b.variable(output, None, StorageClass::Output, None);
    b.decorate(index, Decoration::BuiltIn, [Operand::BuiltIn(BuiltIn::VertexIndex)]);
    b.decorate(position, Decoration::BuiltIn, [Operand::BuiltIn(BuiltIn::Position)]);
    let signature = b.type_function(void, []);
    let main = b.begin_function(void, None, FunctionControl::NONE, signature)?;
    b.begin_block(None)?;
    let index_value = b.load(int, None, index, None, [])?;
    let (one, two) = (b.constant_bit32(int, 1), b.constant_bit32(int, 2));
    let low = b.bitwise_and(int, None, index_value, one)?;
    let high = b.shift_right_logical(int, None, index_value, one)?;
    let mut corner = [0; 2];
    for (at, bit) in corner.iter_mut().zip([low, high]) {
        let scaled = b.i_mul(int, None, bit, two)?;
        let moved = b.i_sub(int, None, scaled, one)?;
        *at = b.convert_s_to_f(float, None, moved)?;
    }
    let (zero, unit) = (b.constant_bit32(float, 0), b.constant_bit32(float, 1.0f32.to_bits()));
    let place = b.composite_construct(vec4, None, [corner[0], corner[1], zero, unit])?;
    b.store(position, place, None, [])?;
    b.ret()?;
    b.end_function()?;
    b.entry_point(ExecutionModel::Vertex, main, "main", [index, position]);
    Ok(b.module().assemble())
}

/// Returns the SPIR-V of a key.
///
/// # Errors
/// Never in practice: see [`Built`].
pub(super) fn assemble(key: &ShaderKey) -> Built<Vec<u32>> {
    let mut b = Builder::new();
    b.set_version(1, 3);
    capabilities(&mut b, key);
    b.memory_model(AddressingModel::Logical, MemoryModel::GLSL450);
    let parts = declare(&mut b, key);
    let void = b.type_void();
    let signature = b.type_function(void, []);
    let input_type = b.type_vector(
        if key.fragment() { parts.float } else { parts.uint },
        if key.fragment() { 4 } else { 3 },
    );
    let input_pointer = b.type_pointer(None, StorageClass::Input, input_type);
    let input = b.variable(input_pointer, None, StorageClass::Input, None);
    let builtin = if key.fragment() { BuiltIn::FragCoord } else { BuiltIn::GlobalInvocationId };
    b.decorate(input, Decoration::BuiltIn, [Operand::BuiltIn(builtin)]);
    let main = b.begin_function(void, None, FunctionControl::NONE, signature)?;
    b.begin_block(None)?;
    let place = b.load(input_type, None, input, None, [])?;
    let lane = if key.fragment() {
        pixel_lane(&mut b, &parts, place)?
    } else {
        b.composite_extract(parts.uint, None, place, [0])?
    };
    let count = push(&mut b, &parts, 2)?;
    let boolean = b.type_bool();
    let inside = b.u_less_than(boolean, None, lane, count)?;
    // Lanes past the end read the payload of lane 0, as derivatives need whole quads; their results are not stored.
    let zero = b.constant_bit32(parts.uint, 0);
    let reader = b.select(parts.uint, None, inside, lane, zero)?;
    let stride = b.constant_bit32(parts.uint, key.words() as u32);
    let start = push(&mut b, &parts, 0)?;
    let lane_start = b.i_mul(parts.uint, None, reader, stride)?;
    let base = b.i_add(parts.uint, None, start, lane_start)?;
    let values = lane_results(&mut b, &parts, key, base)?;
    let (store, end) = (b.id(), b.id());
    b.selection_merge(end, SelectionControl::NONE)?;
    b.branch_conditional(inside, store, end, [])?;
    b.begin_block(Some(store))?;
    let four = b.constant_bit32(parts.uint, RESULT as u32);
    let lane_result = b.i_mul(parts.uint, None, lane, four)?;
    let result_start = push(&mut b, &parts, 1)?;
    let result = b.i_add(parts.uint, None, result_start, lane_result)?;
    for (k, value) in values.into_iter().enumerate() {
        let k = b.constant_bit32(parts.uint, k as u32);
        let at = b.i_add(parts.uint, None, result, k)?;
        let pointer = b.access_chain(parts.word, None, parts.results, [zero, at])?;
        b.store(pointer, value, None, [])?;
    }
    b.branch(end)?;
    b.begin_block(Some(end))?;
    b.ret()?;
    b.end_function()?;
    if key.fragment() {
        b.entry_point(ExecutionModel::Fragment, main, "main", [input]);
        b.execution_mode(main, ExecutionMode::OriginUpperLeft, []);
    } else {
        b.entry_point(ExecutionModel::GLCompute, main, "main", [input]);
        b.execution_mode(main, ExecutionMode::LocalSize, [GROUP, 1, 1]);
    }
    Ok(b.module().assemble())
}

fn capabilities(b: &mut Builder, key: &ShaderKey) {
    b.capability(Capability::Shader);
    if key.dim == Dim::D1 {
        b.capability(Capability::Sampled1D);
    }
    if key.dim == Dim::Cube && key.arrayed {
        b.capability(Capability::SampledCubeArray);
    }
    if matches!(key.op, ImageOp::Size | ImageOp::QueryLod | ImageOp::Held(_)) {
        b.capability(Capability::ImageQuery);
    }
    if key.lane_offsets {
        b.capability(Capability::ImageGatherExtended);
    }
}

/// Returns the lane of a pixel: quads are in rows, and in a quad x counts before y.
fn pixel_lane(b: &mut Builder, parts: &Parts, place: Word) -> Built<Word> {
    let uint = parts.uint;
    let mut at = [0; 2];
    for (axis, value) in (0..).zip(&mut at) {
        let float = b.composite_extract(parts.float, None, place, [axis])?;
        *value = b.convert_f_to_u(uint, None, float)?;
    }
    let [x, y] = at;
    let (one, two) = (b.constant_bit32(uint, 1), b.constant_bit32(uint, 2));
    let (quad_x, quad_y) =
        (b.shift_right_logical(uint, None, x, one)?, b.shift_right_logical(uint, None, y, one)?);
    let width = push(b, parts, 3)?;
    let row = b.i_mul(uint, None, quad_y, width)?;
    let quad = b.i_add(uint, None, row, quad_x)?;
    let first = b.shift_left_logical(uint, None, quad, two)?;
    let (low_x, low_y) = (b.bitwise_and(uint, None, x, one)?, b.bitwise_and(uint, None, y, one)?);
    let down = b.shift_left_logical(uint, None, low_y, one)?;
    let inside = b.bitwise_or(uint, None, low_x, down)?;
    b.bitwise_or(uint, None, first, inside)
}

/// Builds the image operation of a lane. Returns its four result words.
fn lane_results(b: &mut Builder, parts: &Parts, key: &ShaderKey, base: Word) -> Built<Vec<Word>> {
    let mut reader = PayloadReader { base, next: 0 };
    let sampled = b.load(parts.sampled, None, parts.image, None, [])?;
    match key.op {
        ImageOp::Size => size(b, parts, key, &mut reader, sampled),
        ImageOp::Fetch => fetch(b, parts, key, &mut reader, sampled),
        ImageOp::QueryLod => {
            let at = reader.vector(b, parts, parts.float, key.axes())?;
            let pair = b.type_vector(parts.float, 2);
            let lod = b.image_query_lod(pair, None, sampled, at)?;
            words(b, parts, parts.float, lod, 2)
        }
        ImageOp::Implicit
        | ImageOp::Bias
        | ImageOp::Held(_)
        | ImageOp::Lod
        | ImageOp::Grad
        | ImageOp::Gather(_) => sampling::sample(b, parts, key, &mut reader, sampled),
    }
}

fn size(
    b: &mut Builder,
    parts: &Parts,
    key: &ShaderKey,
    reader: &mut PayloadReader,
    sampled: Word,
) -> Built<Vec<Word>> {
    let level = reader.value(b, parts, parts.int)?;
    let image = b.image(parts.picture, None, sampled)?;
    let plane = if key.dim == Dim::Cube { 2 } else { key.axes() as u32 };
    let count = plane + u32::from(key.arrayed);
    let kind = if count == 1 { parts.int } else { b.type_vector(parts.int, count) };
    let (size, number) = if key.multisampled {
        (b.image_query_size(kind, None, image)?, b.image_query_samples(parts.int, None, image)?)
    } else {
        (b.image_query_size_lod(kind, None, image, level)?, b.image_query_levels(parts.int, None, image)?)
    };
    let mut all = words(b, parts, parts.int, size, count)?;
    all[3] = b.bitcast(parts.uint, None, number)?;
    Ok(all)
}

fn fetch(
    b: &mut Builder,
    parts: &Parts,
    key: &ShaderKey,
    reader: &mut PayloadReader,
    sampled: Word,
) -> Built<Vec<Word>> {
    let at = reader.vector(b, parts, parts.int, key.axes() + usize::from(key.layer()))?;
    let level = reader.value(b, parts, parts.int)?;
    let image = b.image(parts.picture, None, sampled)?;
    let four = b.type_vector(parts.texel, 4);
    let operand = if key.multisampled { ImageOperands::SAMPLE } else { ImageOperands::LOD };
    let texel = b.image_fetch(four, None, image, at, Some(operand), [Operand::IdRef(level)])?;
    words(b, parts, parts.texel, texel, 4)
}
