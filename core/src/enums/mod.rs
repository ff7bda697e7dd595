//! The enumerations of the Ice Lake PRM, volume 2b, as open enums.
//!
//! Each table is a newtype around the raw number: an unknown or reserved value is kept, never
//! an error. Known values are associated constants; names, meanings and reserved ranges are
//! in [`Table`]s that only lookups by name refer to, so that firmware without lookups does
//! not carry them.

#[macro_use]
mod table;
mod context;
mod execution_unit;
mod fixed_function;
mod index;
mod surface_format;

pub use context::DataType;
pub use execution_unit::*;
pub use fixed_function::*;
pub use index::TABLES;
pub use surface_format::SurfaceFormat;
pub use table::{Context, Enumeration, Extra, Row, Table};
