//! Refusal of messages that cannot be prepared or executed.

use crate::error::{Error, Kind, Result, What};
use crate::message::{LodSource, Message, Op};
use crate::sample::bind::refuse::refuse;
use crate::sample::bind::sampler::Sampler;
use crate::sample::bind::texture::{Dim, Texture};
use crate::sample::levels::multisample::reads_samples;

/// Refuses combinations of surface, sampler and message that do not exist or are not supported.
#[inline(never)]
pub(crate) fn permit(texture: &Texture<'_>, sampler: &Sampler, message: &Message) -> Result<()> {
    let flags = message.op.flags();
    if matches!(message.op, Op::TxqDimension | Op::TxqTextureType | Op::TxqSamplerPos) {
        return Err(Error::new(Kind::Unsupported, What::Operation).value(message.op as u64));
    }
    if !matches!(message.simd, 1 | 2 | 4 | 8 | 16 | 32) {
        return Err(Error::new(Kind::Invalid, What::ExecSize).value(message.simd.into()));
    }
    let multisample = message.op == Op::LdMcs || reads_samples(message.op);
    let load = flags.lod == LodSource::Integer || message.op == Op::LdLz;
    let reduces = matches!(message.op, Op::SampleMin | Op::SampleMax);
    let type_fits = match texture.dim {
        Dim::Null => return Ok(()),
        Dim::Buffer => load && !multisample || flags.lod == LodSource::None,
        Dim::Cube => !load && !reduces,
        Dim::D2 => true,
        Dim::D1 | Dim::D3 => !multisample && !reduces,
    };
    if !type_fits {
        return Err(refuse(Kind::Invalid, What::SurfaceType, 0, 29, texture.dim as u32));
    }
    if texture.samples > 1 && texture.dim == Dim::D2 && !multisample && flags.lod != LodSource::None {
        return Err(refuse(Kind::Invalid, What::Samples, 4, 3, texture.samples.trailing_zeros()));
    }
    let [quilts_x, quilts_y] = texture.quilt;
    if flags.lod != LodSource::None && texture.dim != Dim::Buffer && (quilts_x, quilts_y) != (1, 1) {
        let value = quilts_y.wrapping_sub(1) << 5 | quilts_x.wrapping_sub(1);
        return Err(refuse(Kind::Unsupported, What::Quilt, 10, 0, value));
    }
    // The chroma key itself is not in the sampler state, so its kill mask is unknown; with the key disabled nothing is killed (U29).
    if message.kill_mask && sampler.chroma_key {
        return Err(refuse(Kind::Unsupported, What::ChromaKey, 1, 7, 1_u32));
    }
    if flags.compare && texture.is_integer() {
        let value = texture.info.map_or(0, |info| info.code.0);
        return Err(refuse(Kind::Invalid, What::Format, 0, 18, value));
    }
    Ok(())
}
