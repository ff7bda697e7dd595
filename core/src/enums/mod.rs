//! The enumerations of the Ice Lake PRM, volume 2b, as open enums.
//!
//! Each table is a newtype around the raw number: an unknown or reserved value is kept, never
//! an error. Known values are associated constants; names, meanings and reserved ranges are
//! in [`Table`]s that only lookups by name refer to, so that firmware without lookups does
//! not carry them.

#[macro_use]
mod table;
mod surface_format;

pub use surface_format::SurfaceFormat;
pub use table::{Enumeration, Extra, Row, Table};
