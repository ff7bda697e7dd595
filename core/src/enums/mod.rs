//! The enumerations of the Ice Lake PRM, volume 2b, as open enums.
//!
//! Each table is a newtype around the raw number: an unknown or reserved value is kept, never
//! an error. Known values are associated constants; names, meanings and reserved ranges are
//! in [`Table`]s that only lookups by name refer to, so that firmware without lookups does
//! not carry them.
//!
//! Core itself uses nine of the forty. The other tables, and `TABLES`, the list of all, need the feature `enumerations`.

#[macro_use]
mod table;
mod context;
mod execution_unit;
#[cfg(feature = "enumerations")]
mod fixed_function;
#[cfg(feature = "enumerations")]
mod index;
mod surface_format;

pub use context::DataType;
pub use execution_unit::*;
#[cfg(feature = "enumerations")]
pub use fixed_function::*;
#[cfg(feature = "enumerations")]
pub use index::TABLES;
pub use surface_format::SurfaceFormat;
pub use table::{Context, Enumeration, Extra, Row, Table};
