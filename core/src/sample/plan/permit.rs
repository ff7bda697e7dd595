//! Refusal of messages that cannot be prepared or executed.

use crate::error::{Error, Kind, Result, What};
use crate::message::{LodSource, Message, Op};
use crate::sample::bind::sampler::Sampler;
use crate::sample::bind::texture::{Dim, Texture};
use crate::sample::levels::multisample::reads_samples;

/// Refuses combinations of surface, sampler and message that do not exist or are not supported.
#[inline(never)]
pub(crate) fn permit(texture: &Texture<'_>, sampler: &Sampler, message: &Message) -> Result<()> {
    let flags = message.op.flags();
    let invalid = |what: What, value: u32| Err(Error::new(Kind::Invalid, what).value(value.into()));
    if matches!(message.op, Op::TxqDimension | Op::TxqTextureType | Op::TxqSamplerPos) {
        return Err(Error::new(Kind::Unsupported, What::Operation).value(message.op as u64));
    }
    if !matches!(message.simd, 1 | 2 | 4 | 8 | 16 | 32) {
        return invalid(What::ExecSize, message.simd.into());
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
        return invalid(What::SurfaceType, texture.dim as u32);
    }
    if texture.samples > 1 && texture.dim == Dim::D2 && !multisample && flags.lod != LodSource::None {
        return invalid(What::Samples, texture.samples);
    }
    let [quilts_x, quilts_y] = texture.quilt;
    if flags.lod != LodSource::None && texture.dim != Dim::Buffer && (quilts_x, quilts_y) != (1, 1) {
        let value = quilts_y.wrapping_sub(1) << 5 | quilts_x.wrapping_sub(1);
        return Err(Error::new(Kind::Unsupported, What::Quilt).at(40).bit(0).value(value.into()));
    }
    // The chroma key itself is not in the sampler state, so its kill mask is unknown; with the key disabled nothing is killed (U29).
    if message.kill_mask && sampler.chroma_key {
        return Err(Error::new(Kind::Unsupported, What::ChromaKey).at(4).bit(7).value(1));
    }
    if flags.compare && texture.is_integer() {
        return invalid(What::Format, texture.info.map_or(0, |info| info.code.0.into()));
    }
    Ok(())
}
