//! Parts of shaders: types, bindings, payload and result words.

use super::key::{Dim, RESULT, ShaderKey, TexelType};
use rspirv::dr::{Builder, Operand};
use rspirv::spirv::{Decoration, Dim as SpvDim, ImageFormat, StorageClass, Word};

/// The result of building; [`rspirv`] returns an error if a builder is used out of order, which is a defect of this module.
pub(super) type Built<T> = Result<T, rspirv::dr::Error>;

/// The IDs of types and variables that many parts of a shader use.
pub(super) struct Parts {
    pub(super) int: Word,
    pub(super) uint: Word,
    pub(super) float: Word,
    pub(super) payload: Word,
    pub(super) results: Word,
    pub(super) image: Word,
    pub(super) push: Word,
    pub(super) word: Word,
    pub(super) push_word: Word,
    pub(super) texel: Word,
    pub(super) sampled: Word,
    pub(super) picture: Word,
}

/// Declares the image, the buffers and the push constants.
pub(super) fn declare(b: &mut Builder, key: &ShaderKey) -> Parts {
    let (int, uint, float) = (b.type_int(32, 1), b.type_int(32, 0), b.type_float(32, None));
    let texel = match key.kind {
        TexelType::Float => float,
        TexelType::Uint => uint,
        TexelType::Sint => int,
    };
    let dim = match key.dim {
        Dim::D1 => SpvDim::Dim1D,
        Dim::D2 => SpvDim::Dim2D,
        Dim::D3 => SpvDim::Dim3D,
        Dim::Cube => SpvDim::DimCube,
    };
    let flag = u32::from;
    let (depth, arrayed, samples) = (flag(key.compare), flag(key.arrayed), flag(key.multisampled));
    let picture = b.type_image(texel, dim, depth, arrayed, samples, 1, ImageFormat::Unknown, None);
    let sampled = b.type_sampled_image(picture);
    let image_pointer = b.type_pointer(None, StorageClass::UniformConstant, sampled);
    let image = b.variable(image_pointer, None, StorageClass::UniformConstant, None);
    let pointer = word_buffer(b, uint);
    let mut buffers = [0; 2];
    for (binding, buffer) in (1..).zip(&mut buffers) {
        *buffer = b.variable(pointer, None, StorageClass::StorageBuffer, None);
        bind(b, *buffer, binding);
    }
    bind(b, image, 0);
    let push = push_constants(b, uint, 4);
    let word = b.type_pointer(None, StorageClass::StorageBuffer, uint);
    let push_word = b.type_pointer(None, StorageClass::PushConstant, uint);
    let [payload, results] = buffers;
    Parts { int, uint, float, payload, results, image, push, word, push_word, texel, sampled, picture }
}

/// Declares the type of a storage buffer of words. Returns the type of pointers to it.
pub(super) fn word_buffer(b: &mut Builder, uint: Word) -> Word {
    let words = b.type_runtime_array(uint);
    b.decorate(words, Decoration::ArrayStride, [Operand::LiteralBit32(4)]);
    let block = b.type_struct([words]);
    b.decorate(block, Decoration::Block, []);
    b.member_decorate(block, 0, Decoration::Offset, [Operand::LiteralBit32(0)]);
    b.type_pointer(None, StorageClass::StorageBuffer, block)
}

/// Declares `count` words of push constants. Returns the variable that holds them.
pub(super) fn push_constants(b: &mut Builder, uint: Word, count: u32) -> Word {
    let block = b.type_struct(vec![uint; count as usize]);
    b.decorate(block, Decoration::Block, []);
    for member in 0..count {
        b.member_decorate(block, member, Decoration::Offset, [Operand::LiteralBit32(member * 4)]);
    }
    let pointer = b.type_pointer(None, StorageClass::PushConstant, block);
    b.variable(pointer, None, StorageClass::PushConstant, None)
}

/// Sets the descriptor binding of a variable.
pub(super) fn bind(b: &mut Builder, variable: Word, binding: u32) {
    b.decorate(variable, Decoration::DescriptorSet, [Operand::LiteralBit32(0)]);
    b.decorate(variable, Decoration::Binding, [Operand::LiteralBit32(binding)]);
}

/// Loads a push constant.
pub(super) fn push(b: &mut Builder, parts: &Parts, member: u32) -> Built<Word> {
    let member = b.constant_bit32(parts.uint, member);
    let pointer = b.access_chain(parts.push_word, None, parts.push, [member])?;
    b.load(parts.uint, None, pointer, None, [])
}

/// Reads payload words one after another.
pub(super) struct PayloadReader {
    pub(super) base: Word,
    pub(super) next: u32,
}

impl PayloadReader {
    pub(super) fn word(&mut self, b: &mut Builder, parts: &Parts) -> Built<Word> {
        let (zero, next) = (b.constant_bit32(parts.uint, 0), b.constant_bit32(parts.uint, self.next));
        self.next += 1;
        let at = b.i_add(parts.uint, None, self.base, next)?;
        let pointer = b.access_chain(parts.word, None, parts.payload, [zero, at])?;
        b.load(parts.uint, None, pointer, None, [])
    }

    pub(super) fn value(&mut self, b: &mut Builder, parts: &Parts, kind: Word) -> Built<Word> {
        let word = self.word(b, parts)?;
        b.bitcast(kind, None, word)
    }

    /// Reads a scalar, or a vector of `count` components.
    pub(super) fn vector(&mut self, b: &mut Builder, parts: &Parts, kind: Word, count: usize) -> Built<Word> {
        let values: Vec<Word> = (0..count).map(|_| self.value(b, parts, kind)).collect::<Built<_>>()?;
        compose(b, kind, &values)
    }
}

pub(super) fn compose(b: &mut Builder, kind: Word, values: &[Word]) -> Built<Word> {
    if let [only] = values {
        return Ok(*only);
    }
    let vector = b.type_vector(kind, values.len() as u32);
    b.composite_construct(vector, None, values.iter().copied())
}

/// Returns the components of a result as four words; missing ones are 0.
pub(super) fn words(b: &mut Builder, parts: &Parts, kind: Word, value: Word, count: u32) -> Built<Vec<Word>> {
    let zero = b.constant_bit32(parts.uint, 0);
    let mut all = vec![zero; RESULT];
    for (k, word) in (0..count).zip(&mut all) {
        let one = if count == 1 { value } else { b.composite_extract(kind, None, value, [k])? };
        *word = if kind == parts.uint { one } else { b.bitcast(parts.uint, None, one)? };
    }
    Ok(all)
}
