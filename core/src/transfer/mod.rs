//! Texture transfer: makes surface states from descriptions, uploads rows of texels and downloads them.
//!
//! ```text
//!   SurfaceDescription ──▶ SurfaceState ──▶ Layout ──upload──▶ memory ──download──▶ rows of texels
//!                           required_size    Region
//! ```
//! A row of texels is the row's elements one after another as the format stores them: texels, blocks of a compressed
//! format, elements of a buffer. Nothing is converted. Whatever the tile mode, downloading a region gives what was
//! uploaded to it, and uploading what was downloaded changes nothing.

mod copy;
mod describe;
mod region;
mod rows;
mod runs;
#[cfg(test)]
mod tests;

pub use describe::SurfaceDescription;
pub use region::Region;
