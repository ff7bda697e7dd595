//! The oracle: the sampler as the specification pages state it, slow and plain, in f64.
//!
//! It shares no code with the core. Numbers are f64, except where a value is a 32-bit pattern by definition:
//! a decoded texel (rounded to f32), an integer texel (raw), the final result.
//! Read it next to the specification pages (`sampling`, `gen-state`, `gen-message`, `astc-and-tiles`, `visa`, `txq`):
//! modules and functions cite page and section. A section without a page is of the page that the module names first.
//!
//! # Rules where the specification is silent
//!
//! U01 and so on are identifiers of the table in the core's `sample/unspecified.rs`.
//!
//! Parameters
//! - 16-bit parameters: floats are half floats; integer coordinates, mip levels and offsets are sign-extended;
//!   the sample index, MCS words and resinfo's LOD are zero-extended (U03).
//! - A packed offset parameter has the U offset in bits 5:0 and the V offset in bits 11:6, both signed. `lodOffUV` and
//!   `biasOffUV` hold the LOD or bias above them: the parameter with bits 11:0 cleared, read as a float of its width (U01).
//!   A programmable offset is the low 6 bits of its parameter, signed; programmable offsets replace the immediate ones (U02).
//! - Lanes of a subspan past the SIMD width read as 0 (U07). A parameter that the message does not carry is 0.
//! - Gathers with packed offsets and the LOD operation take U, V, R by surface type, as every operation does.
//!
//! Coordinates
//! - A NaN coordinate is 0, except that on a CLAMP_BORDER axis every texel is the border. Texel coordinates (infinities too)
//!   are clamped to ±2^24; a clamped one is the centre of a texel: LINEAR does not subtract 1/2 (U04). A NaN array index is 0 (U06).
//! - The non-normalized enable has no effect on a cube (U23).
//! - Cube: NaN components of a direction are 0, infinite ones ±3.4e38 (the largest f32). The zero direction is the centre of +Z (U05).
//!   A cube is seamless when the override bit is set or TCX is CUBE; otherwise every address mode is a clamp to the face.
//!   CUBE on another surface type is CLAMP (U23).
//! - The missing corner texel of a seamless cube is, in an integer format, the sum of the other three divided by 3, rounded
//!   toward zero. With a comparison the average is taken first, then compared (U22).
//! - The array index of 1D comes from V, of 2D from R, of cubes from Ai, only when Surface Array is set; else there is one layer.
//!   Minimum Array Element counts slices (faces of cubes).
//! - ld: coordinates along axes that the surface does not have are ignored. BUFFER and STRBUF take only U, without offset, and the
//!   LOD, which must be 0 (U27): texel i is column i mod w, row 0 of element i / w, for elements w texels wide that are Surface
//!   Pitch bytes apart. A palette entry that the job does not give is 0.
//!
//! LOD
//! - Derivatives of a subspan of a cube are projected at its upper-left lane. Non-normalized: derivatives are in texels already.
//! - The message's bias is not clamped. The coarse-pixel term (sampling page, section 2) is added to the LOD of every message that
//!   asks for it (U13). A NaN in a derivative makes the LOD NaN. A LOD that is NaN after the biases becomes Min LOD (U06).
//!   clamp(x, lo, hi) = min(max(x, lo), hi). `mlod` is a second Resource Min LOD (NaN: ignored).
//! - LOD PreClamp codes 1 and 3 are NONE (U12). When magnifying (unless LOD Clamp Magnification Mode is MIPFILTER) and when the
//!   mip filter is NONE, LOD = floor(max(Min LOD, Resource Min LOD, mlod)) (U11).
//! - Mip LINEAR with a fraction of 0 reads one mip level. Trilinear quality widens the zones in which one level is read: a fraction
//!   below z is 0, one above 1 - z is 1, with z = 0, 1/16, 1/8, 1/4 for FULL, HIGH, MED, LOW (U10).
//! - Fixed8: lambda + biases is rounded to 1/256, half up, before any clamp, mlod is not rounded; the LOD operation returns the rounded
//!   value (U09).
//! - LOD operation: B and A are 0. gather4 _l, _b, _i: level = floor(lod + 0.5) of the clamped LOD, whatever the mip filter.
//!
//! Filter
//! - Every texel of the footprint is fetched, even with weight 0; the result is the sum of the products weight x texel.
//! - Fixed8 without the rounding enable: U is rounded down (toward -inf) to 1/256; with it, half up; for NEAREST too. gather4 takes
//!   the enables of the mag filter (U08).
//! - ANISOTROPIC is LINEAR on 3D and CUBE, with non-normalized coordinates, and for a LOD without derivatives; NEAREST for
//!   integer formats. lambda = log2(rho_max / eta) when the *min* filter is ANISOTROPIC; N taps are taken when the filter in use
//!   is. If both derivatives are equally long, d/dx is the major axis. rho_max = 0: eta = 1. Legacy and EWA are the same (U14).
//! - MIN and MAX reduce over all texels with non-zero weight, of all taps and both mip levels; NaN texels are skipped (U15).
//!   Comparison operations, and reduction type COMPARISON, filter as usual.
//! - Comparison: the reference is clamped to 0..=1 when the red component is UNORM (NaN stays NaN). Integer formats are refused.
//!   The result (r, 0, 0, 1) goes through the channel select; gather4 comparisons do not (U21).
//! - Border: L and I formats take red, A formats alpha; palette and YUV formats take the components that they decode to. Both
//!   border colour modes are alike (U18).
//! - A chroma key that kills affects only the kill mask, which is all ones without a key and refused with one (U29). sample_min and
//!   sample_max are `sample` with reduction MINIMUM and MAXIMUM, 2D only (U30). Low-quality LOD, rotation, cube face enables and
//!   Tile Address Mapping Mode are ignored (U31).
//!
//! Memory
//! - A texel on a null page is 0 in the components that the format has, like one out of range; the lane's null mask bit is cleared
//!   (U19). A texel faults when any of its bytes does, else it is null when any byte is. A faulting lane returns 0 and its null mask
//!   bit stays 1 (U20).
//! - Bits of inactive lanes, and bits past the SIMD width, are 1 in the null mask.
//!
//! Queries and multisampling
//! - NULL surface: every operation returns 0 in all channels. Sampler Disable: so does every operation that uses the sampler.
//! - resinfo: R, G, B are 0 when LOD >= MIP count; the number of cubes is 0 without Surface Array. BUFFER, STRBUF: (elements, 0, 0, MIP count).
//! - ld_mcs returns the MCS value as (low dword, high dword, 0, 0), or as four words in a 16-bit return; out of range 0. ld2dms*:
//!   plane = field `si` of the MCS value, ld2dss: plane = `si`; a plane or sample index that the surface does not have is out of range.
//! - Without a control surface the MCS value is the identity, nibble s = s for every sample that there is, and the fields are nibbles
//!   (U24). With one (auxiliary mode CCS_D, samples stored in planes) it is the control surface's element, unchanged: 8 bits for 2 and
//!   4 samples, 32 for 8, 64 for 16; Y-major, pitch in tiles of 128 bytes, QPitch in rows, Minimum Array Element counted; the fields
//!   have 1, 2, 4, 4 bits for 2, 4, 8, 16 samples (U25).
//!   Ones in every field mean the clear colour (ld2dms* take the fields from the message), which is converted as a border colour is;
//!   with Clear Value Address Enable it is four dwords at that address (U26).
//! - Samples of interleaved storage are at x' = (x & !1) << 1 | (s & 1) << 1 | x & 1 and so on, in 2x2-pixel groups.
//! - PASSTHRU formats return raw dwords in memory order, missing ones like those of an integer format; a format of more than four
//!   dwords cannot be sampled.
//! - SFIXED is signed 16.16 fixed point.
//!
//! Tiled resources (U32, U33) are in `tiles`; with a line stride, line y of the surface is line 2y + offset in memory.
//!
//! Refused (U35): quilted surfaces by all operations except queries, memory compression, a base mip level, chroma keys that replace
//! texels, returned filter weights, forced gather4; X and Y Offset except on tiled 2D surfaces of one mip level, slice and sample; line
//! strides except on 2D surfaces of one mip level and sample.
//!
//! Refused: unknown, RAW, R1, MONO8 formats, more than 128-bit PASSTHRU, reserved surface type,
//! more than 15 mip levels, cubes that are not square, planar formats (U28) with mip levels, layers, samples, separate U and V planes,
//! W-major tiling or (tiled) an odd column of the chroma plane, reserved
//! alignment (where it is used), channel select, mip or texture filter codes, MONO filter; auxiliary surfaces other than the
//! control surface of samples stored in planes; W-major elements wider than a byte;
//! sampling, gathering or LOD of BUFFER, STRBUF and multisampled surfaces; `ld`, `ld_lz` of CUBE or multisampled ones;
//! `ld2dms*`, `ld2dss`, `ld_mcs` of anything but 2D; multisampled surfaces with mip levels; `sample_min`, `sample_max` of anything but 2D.

pub mod blocks_astc;
pub mod blocks_bc;
pub mod blocks_etc;
pub mod blocks_fxt1;
pub mod descriptor;
pub mod formats;
pub mod gen_native;
pub mod memory;
pub mod numbers;
pub mod nv;
pub mod sample;
pub mod state;
pub mod surface;
pub mod tiles;
pub mod txq;
pub mod visa;

use crate::engine::{Engine, Job, Outcome};

/// The oracle as an engine that executes jobs.
#[derive(Clone, Copy, Debug, Default)]
pub struct Emulator;

impl Engine for Emulator {
    fn name(&self) -> &str {
        "emulator"
    }

    fn execute(&self, job: &Job) -> Result<Option<Outcome>, String> {
        sample::execute(job)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::{Path, PathBuf};

    fn sources(folder: &Path) -> Vec<PathBuf> {
        let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        entries.flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] }).collect()
    }

    /// The oracle uses nothing of the core, not even through other modules of the harness.
    #[test]
    fn shares_no_code_with_the_core() {
        let own = ["emulator::", "engine::"];
        let files = sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/emulator"));
        assert!(files.len() > 15, "{files:?}");
        for file in files {
            let text = fs::read_to_string(&file).unwrap();
            let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
            for line in code {
                let [core, ours] = ["texwire", "crate"].map(|name| format!("{name}::"));
                assert!(!line.contains(&core), "{}: {line}", file.display());
                let Some((_, path)) = line.split_once(&ours) else { continue };
                assert!(own.iter().any(|module| path.starts_with(module)), "{}: {line}", file.display());
            }
        }
    }
}
