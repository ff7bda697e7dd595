//! The shader that writes the samples of a multisampled image, with one thread for each sample.

use super::key::{GROUP, TexelType};
use super::parts::{Built, bind};
use rspirv::binary::Assemble;
use rspirv::dr::{Builder, Operand};
use rspirv::spirv::{
    AddressingModel, BuiltIn, Capability, Decoration, Dim, ExecutionMode, ExecutionModel, FunctionControl,
    ImageFormat, ImageOperands, MemoryModel, SelectionControl, StorageClass, Word,
};

/// Returns the shader that copies texels of four words from the payload buffer to the image of binding 3. Their order is columns, rows,
/// samples, layers. Push constants: the first word, the numbers of columns, rows and samples, and the number of all texels.
///
/// # Errors
/// Never in practice: see [`Built`].
pub(in crate::vulkan) fn upload(kind: TexelType, arrayed: bool) -> Built<Vec<u32>> {
    let mut b = Builder::new();
    b.set_version(1, 3);
    b.capability(Capability::Shader);
    b.capability(Capability::StorageImageMultisample);
    if arrayed {
        b.capability(Capability::ImageMSArray);
    }
    b.memory_model(AddressingModel::Logical, MemoryModel::GLSL450);
    let (int, uint, float) = (b.type_int(32, 1), b.type_int(32, 0), b.type_float(32, None));
    let (texel, format) = match kind {
        TexelType::Float => (float, ImageFormat::Rgba32f),
        TexelType::Uint => (uint, ImageFormat::Rgba32ui),
        TexelType::Sint => (int, ImageFormat::Rgba32i),
    };
    let picture = b.type_image(texel, Dim::Dim2D, 0, u32::from(arrayed), 1, 2, format, None);
    let picture_pointer = b.type_pointer(None, StorageClass::UniformConstant, picture);
    let image = b.variable(picture_pointer, None, StorageClass::UniformConstant, None);
    b.decorate(image, Decoration::NonReadable, []);
    bind(&mut b, image, 3);
    let words = b.type_runtime_array(uint);
    b.decorate(words, Decoration::ArrayStride, [Operand::LiteralBit32(4)]);
    let block = b.type_struct([words]);
    b.decorate(block, Decoration::Block, []);
    b.member_decorate(block, 0, Decoration::Offset, [Operand::LiteralBit32(0)]);
    let block_pointer = b.type_pointer(None, StorageClass::StorageBuffer, block);
    let payload = b.variable(block_pointer, None, StorageClass::StorageBuffer, None);
    bind(&mut b, payload, 1);
    let constants = b.type_struct([uint; 5]);
    b.decorate(constants, Decoration::Block, []);
    for member in 0..5 {
        b.member_decorate(constants, member, Decoration::Offset, [Operand::LiteralBit32(member * 4)]);
    }
    let constants_pointer = b.type_pointer(None, StorageClass::PushConstant, constants);
    let push = b.variable(constants_pointer, None, StorageClass::PushConstant, None);
    let (word, push_word) = (
        b.type_pointer(None, StorageClass::StorageBuffer, uint),
        b.type_pointer(None, StorageClass::PushConstant, uint),
    );
    let three = b.type_vector(uint, 3);
    let input_pointer = b.type_pointer(None, StorageClass::Input, three);
    let input = b.variable(input_pointer, None, StorageClass::Input, None);
    b.decorate(input, Decoration::BuiltIn, [Operand::BuiltIn(BuiltIn::GlobalInvocationId)]);
    let (void, boolean) = (b.type_void(), b.type_bool());
    let signature = b.type_function(void, []);
    let main = b.begin_function(void, None, FunctionControl::NONE, signature)?;
    b.begin_block(None)?;
    let thread = b.load(three, None, input, None, [])?;
    let index = b.composite_extract(uint, None, thread, [0])?;
    let mut constant = [0; 5];
    for (member, value) in (0..).zip(&mut constant) {
        let member = b.constant_bit32(uint, member);
        let pointer = b.access_chain(push_word, None, push, [member])?;
        *value = b.load(uint, None, pointer, None, [])?;
    }
    let [start, columns, rows, samples, count] = constant;
    let inside = b.u_less_than(boolean, None, index, count)?;
    let (write, end) = (b.id(), b.id());
    b.selection_merge(end, SelectionControl::NONE)?;
    b.branch_conditional(inside, write, end, [])?;
    b.begin_block(Some(write))?;
    let (x, rest) = (b.u_mod(uint, None, index, columns)?, b.u_div(uint, None, index, columns)?);
    let (y, rest) = (b.u_mod(uint, None, rest, rows)?, b.u_div(uint, None, rest, rows)?);
    let (sample, layer) = (b.u_mod(uint, None, rest, samples)?, b.u_div(uint, None, rest, samples)?);
    let at: Vec<Word> = if arrayed { vec![x, y, layer] } else { vec![x, y] };
    let vector = b.type_vector(uint, at.len() as u32);
    let place = b.composite_construct(vector, None, at)?;
    let (zero, four) = (b.constant_bit32(uint, 0), b.constant_bit32(uint, 4));
    let first = b.i_mul(uint, None, index, four)?;
    let base = b.i_add(uint, None, start, first)?;
    let mut channels = [0; 4];
    for (k, channel) in (0..).zip(&mut channels) {
        let k = b.constant_bit32(uint, k);
        let at = b.i_add(uint, None, base, k)?;
        let pointer = b.access_chain(word, None, payload, [zero, at])?;
        let bits = b.load(uint, None, pointer, None, [])?;
        *channel = if texel == uint { bits } else { b.bitcast(texel, None, bits)? };
    }
    let vector = b.type_vector(texel, 4);
    let value = b.composite_construct(vector, None, channels)?;
    let picture = b.load(picture, None, image, None, [])?;
    b.image_write(picture, place, value, Some(ImageOperands::SAMPLE), [Operand::IdRef(sample)])?;
    b.branch(end)?;
    b.begin_block(Some(end))?;
    b.ret()?;
    b.end_function()?;
    b.entry_point(ExecutionModel::GLCompute, main, "main", [input]);
    b.execution_mode(main, ExecutionMode::LocalSize, [GROUP, 1, 1]);
    Ok(b.module().assemble())
}
