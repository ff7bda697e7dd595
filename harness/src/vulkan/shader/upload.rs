//! The shader that writes the samples of a multisampled image, with one thread for each sample.

use super::key::TexelType;
use super::parts::{Built, bind, compose, push_constants, word_buffer};
use rspirv::binary::Assemble;
use rspirv::dr::{Builder, Operand};
use rspirv::spirv::{
    AddressingModel, BuiltIn, Capability, Decoration, Dim, ExecutionMode, ExecutionModel, FunctionControl,
    ImageFormat, ImageOperands, MemoryModel, SelectionControl, StorageClass, Word,
};

/// Threads of a workgroup: as many as every device takes.
pub(in crate::vulkan) const UPLOAD_GROUP: u32 = 128;

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
    let parts = UploadParts::declare(&mut b, kind, arrayed);
    let (void, boolean) = (b.type_void(), b.type_bool());
    let signature = b.type_function(void, []);
    let main = b.begin_function(void, None, FunctionControl::NONE, signature)?;
    b.begin_block(None)?;
    let thread = b.load(parts.three, None, parts.input, None, [])?;
    let index = b.composite_extract(parts.uint, None, thread, [0])?;
    let [start, columns, rows, samples, count] = parts.load_constants(&mut b)?;
    let inside = b.u_less_than(boolean, None, index, count)?;
    let (write, end) = (b.id(), b.id());
    b.selection_merge(end, SelectionControl::NONE)?;
    b.branch_conditional(inside, write, end, [])?;
    b.begin_block(Some(write))?;
    let (at, sample) = parts.coordinates(&mut b, index, [columns, rows, samples], arrayed)?;
    let value = parts.load_texel(&mut b, start, index)?;
    let picture = b.load(parts.picture, None, parts.image, None, [])?;
    b.image_write(picture, at, value, Some(ImageOperands::SAMPLE), [Operand::IdRef(sample)])?;
    b.branch(end)?;
    b.begin_block(Some(end))?;
    b.ret()?;
    b.end_function()?;
    b.entry_point(ExecutionModel::GLCompute, main, "main", [parts.input]);
    b.execution_mode(main, ExecutionMode::LocalSize, [UPLOAD_GROUP, 1, 1]);
    Ok(b.module().assemble())
}

/// The IDs of types and variables of an upload.
struct UploadParts {
    uint: Word,
    /// The type of three words, and the variable that holds the number of the thread.
    three: Word,
    input: Word,
    /// The type of a channel.
    texel: Word,
    picture: Word,
    image: Word,
    payload: Word,
    push: Word,
    word: Word,
    push_word: Word,
}

impl UploadParts {
    /// Declares the image, the payload buffer, the push constants and the thread's number.
    fn declare(b: &mut Builder, kind: TexelType, arrayed: bool) -> Self {
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
        bind(b, image, 3);
        let block_pointer = word_buffer(b, uint);
        let payload = b.variable(block_pointer, None, StorageClass::StorageBuffer, None);
        bind(b, payload, 1);
        let push = push_constants(b, uint, 5);
        let word = b.type_pointer(None, StorageClass::StorageBuffer, uint);
        let push_word = b.type_pointer(None, StorageClass::PushConstant, uint);
        let three = b.type_vector(uint, 3);
        let input_pointer = b.type_pointer(None, StorageClass::Input, three);
        let input = b.variable(input_pointer, None, StorageClass::Input, None);
        b.decorate(input, Decoration::BuiltIn, [Operand::BuiltIn(BuiltIn::GlobalInvocationId)]);
        Self { uint, three, input, texel, picture, image, payload, push, word, push_word }
    }

    /// Loads the push constants.
    fn load_constants(&self, b: &mut Builder) -> Built<[Word; 5]> {
        let mut constants = [0; 5];
        for (member, value) in (0..).zip(&mut constants) {
            let member = b.constant_bit32(self.uint, member);
            let pointer = b.access_chain(self.push_word, None, self.push, [member])?;
            *value = b.load(self.uint, None, pointer, None, [])?;
        }
        Ok(constants)
    }

    /// Returns the coordinates of texel `index` as a vector, and its sample.
    fn coordinates(
        &self,
        b: &mut Builder,
        index: Word,
        [columns, rows, samples]: [Word; 3],
        arrayed: bool,
    ) -> Built<(Word, Word)> {
        let divide = |b: &mut Builder, index: Word, by: Word| -> Built<_> {
            Ok((b.u_mod(self.uint, None, index, by)?, b.u_div(self.uint, None, index, by)?))
        };
        let (x, rest) = divide(b, index, columns)?;
        let (y, rest) = divide(b, rest, rows)?;
        let (sample, layer) = divide(b, rest, samples)?;
        let at: Vec<Word> = if arrayed { vec![x, y, layer] } else { vec![x, y] };
        Ok((compose(b, self.uint, &at)?, sample))
    }

    /// Loads texel `index` of the payload buffer, whose first texel begins at word `start`.
    fn load_texel(&self, b: &mut Builder, start: Word, index: Word) -> Built<Word> {
        let uint = self.uint;
        let (zero, four) = (b.constant_bit32(uint, 0), b.constant_bit32(uint, 4));
        let first = b.i_mul(uint, None, index, four)?;
        let base = b.i_add(uint, None, start, first)?;
        let mut channels = [0; 4];
        for (k, channel) in (0..).zip(&mut channels) {
            let k = b.constant_bit32(uint, k);
            let at = b.i_add(uint, None, base, k)?;
            let pointer = b.access_chain(self.word, None, self.payload, [zero, at])?;
            let bits = b.load(uint, None, pointer, None, [])?;
            *channel = if self.texel == uint { bits } else { b.bitcast(self.texel, None, bits)? };
        }
        compose(b, self.texel, &channels)
    }
}
