//! The state structures that a sampler message refers to.
//!
//! Every structure holds its raw dwords: reading a field never fails, writing one keeps all other
//! bits, and the bytes come back bit for bit. `validate` returns the rules that a state breaks.

#[macro_use]
mod field;
pub mod nv;

mod binding;
mod border;
mod sampler;
mod surface;

pub use crate::validity::{PairRule, SamplerRule, SurfaceRule};
pub use binding::{BindingTableEntry, InterfaceDescriptor};
pub use border::BorderColor;
pub use field::{Field, FieldCodec, Minus1, Offset, Quarter, Raw, Signed};
pub(crate) use field::{FieldMasks, field_masks};
pub use sampler::{
    AddressMode, AnisoAlgorithm, BorderMode, ChromaKeyMode, CompareFunction, Filter, LodPreclamp, MipFilter,
    ReductionType, SamplerState, TrilinearQuality,
};
pub use surface::{AuxMode, ChannelSelect, SurfaceState, SurfaceType, TileMode, TiledResource};
