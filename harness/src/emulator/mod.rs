//! The oracle: the sampler as the specification page states it, slow and obvious, in f64.
//!
//! It shares no code with the core. Numbers are f64 except where a value is by definition a
//! 32-bit pattern: a decoded texel (rounded to f32), an integer texel (raw), the final result.
//! Read it next to the page; the modules cite its sections.
//!
//! # Rules where the specification is silent
//!
//! U01 and so on are identifiers of the table in the core's `sample/unspecified.rs`.
//!
//! Parameters
//! - 16-bit parameters: floats are half floats; integer coordinates, levels, offsets are sign-extended,
//!   sample index, MCS words and resinfo's LOD are zero-extended (U03).
//! - A packed offset parameter has U in bits 5:0 and V in bits 11:6, both signed; above them, `lodOffUV` and
//!   `biasOffUV` hold the LOD or bias: the parameter with bits 11:0 cleared, read as a float of its width (U01).
//!   Programmable offsets are the 6 low bits, signed, and replace the immediate ones (U02).
//! - Lanes of a subspan past the SIMD width read as 0 (U07). A missing parameter is 0.
//! - Packed programmable offsets and the LOD op take U, V, R by surface type as every op does.
//!
//! Coordinates
//! - NaN is 0, except that on a CLAMP_BORDER axis every texel is the border. The texel coordinate saturates
//!   to ±2^24 (infinities too) and is then the centre of a texel: LINEAR takes no half off (U04). An array index that is NaN is 0 (U06).
//! - Non-normalized coordinates mean nothing to a cube (U23).
//! - Cube: NaN components are 0, infinite ones ±3.4e38 (the largest f32). The zero direction is the centre of +Z (U05).
//!   Seamless when the override bit is set or TCX is CUBE, else every mode is a clamp to the face.
//!   CUBE on another surface is CLAMP (U23).
//! - A cube's missing corner texel of an integer format is the sum of the other three over 3, toward zero. With a
//!   comparison the average is taken first, then compared (U22).
//! - The 1D array index comes from V, 2D from R, cube from Ai only when Surface Array is set; else there is one layer.
//!   Minimum Array Element counts slices (faces of cubes).
//! - ld: a coordinate that the surface does not have is ignored. BUFFER, STRBUF: only U, without offset, and the LOD, which must be 0; (U27)
//!   their rows of blocks follow one another. A palette entry that is not given is 0.
//!
//! LOD
//! - Cube derivatives of a subspan are projected at its upper-left lane. Non-normalized: derivatives are in texels already.
//! - The message's bias is not clamped. Coarse pixels add their term (section 2) to the LOD of every message that asks (U13). NaN (after the biases) becomes Min LOD (U06).
//!   clamp(x, lo, hi) = min(max(x, lo), hi). `mlod` is a second Resource Min LOD (NaN: ignored).
//! - PreClamp 1 and 3 are NONE (U12). When magnifying (unless LOD Clamp Magnification Mode is MIPFILTER) and when the
//!   mip filter is NONE, LOD = floor(max(Min LOD, Resource Min LOD, mlod)) (U11).
//! - Mip LINEAR with a fraction of 0 reads one level. Trilinear quality q widens the one-level zones: a fraction below
//!   z is 0, above 1 - z is 1, z = 0, 1/16, 1/8, 1/4 for FULL, HIGH, MED, LOW (U10).
//! - Fixed8: lambda + biases is rounded to 1/256, half up, before any clamp (the LOD op returns that) (U09).
//! - LOD op: B and A are 0. gather4 _l, _b, _i: level = floor(lod + 0.5) of the clamped LOD, whatever the mip filter.
//!
//! Filter
//! - Every texel of the footprint is fetched, zero weight or not; the sum is over products weight x texel.
//! - Fixed8 without rounding enable: U is cut down (toward -inf) to 1/256; with it, rounded half up; also for NEAREST. gather4 takes the
//!   mag enables (U08).
//! - ANISOTROPIC is LINEAR on 3D and CUBE, with non-normalized coordinates, and for explicit LOD; NEAREST for
//!   integer formats. lambda = log2(rho_max / eta) when the *min* filter is ANISOTROPIC; N taps when the filter in
//!   use is. Equal lengths: x is the major axis. rho_max = 0: eta = 1. Legacy and EWA are the same (U14).
//! - MIN/MAX reduce over all non-zero-weight texels of all taps and both levels; NaN texels are passed over (U15). Comparison ops and type
//!   COMPARISON filter as usual.
//! - Comparison: the reference is clamped to 0..=1 when the red component is UNORM (NaN stays NaN). Integer formats are refused.
//!   (r, 0, 0, 1) goes through the channel select; gather4 comparisons do not (U21).
//! - Border: L and I take red, A alpha; palette and YUV formats have what they decode to. Both border colour modes are alike (U18).
//! - A chroma key that kills changes nothing but the kill mask, which is ones without a key and refused with one (U29). sample_min and
//!   sample_max are `sample` with reduction MINIMUM and MAXIMUM, 2D only (U30). Low-quality LOD, rotation, cube face enables and Tile
//!   Address Mapping Mode are ignored (U31).
//!
//! Memory
//! - A texel on a null page is 0 in the components the format has, as one out of range; the lane's null mask bit clears (U19).
//!   A texel is faulting when any byte is, else null when any byte is. A faulting lane returns 0 and keeps its null mask bit (U20).
//! - Lanes that are off and bits past the SIMD width are 1 in the null mask.
//!
//! Queries and multisampling
//! - NULL surface: every op returns 0 in all channels. Sampler Disable: so does every op that uses the sampler.
//! - resinfo: R, G, B are 0 when LOD >= MIP count; the number of cubes is 0 without Surface Array. BUFFER, STRBUF: (elements, 0, 0, MIP count).
//! - ld_mcs returns the MCS value as (low, high, 0, 0), four words in a 16-bit return; out of range 0. ld2dms*: plane = field `si` of
//!   the MCS value, ld2dss: plane = `si`; a plane or sample index that the surface has not is out of range.
//! - Without a control surface the MCS value is the identity, nibble s = s for every sample that there is, and the fields are nibbles (U24). With one
//!   (auxiliary mode CCS_D, planes of samples) it is the surface's element as it is: 8 bits for 2 and 4 samples, 32 for 8, 64 for 16,
//!   Y-major, pitch in tiles of 128 bytes, QPitch in rows, Minimum Array Element counted; fields have 1, 2, 4, 4 bits (U25).
//!   Ones in every field (those of ld2dms* are the message's) are the clear colour, which is used as a border colour; with Clear Value
//!   Address Enable it is four dwords at that address (U26).
//! - Samples of interleaved storage lie at x' = (x & !1) << 1 | (s & 1) << 1 | x & 1 and so on, in 2x2-pixel groups.
//! - PASSTHRU formats return raw dwords in memory order, missing ones as of an integer format; more than four dwords cannot be sampled.
//! - SFIXED is signed 16.16.
//!
//! Tiled resources (U32, U33) are in `tiles`; a line stride makes line y line 2y + offset.
//!
//! Refused (U35): quilts but by queries, memory compression, base mip level, chroma keys that replace texels, returned filter weights, forced
//! gather4; offsets and line strides but of one level, slice and sample of a 2D surface.
//!
//! Refused: unknown, RAW, R1, MONO8 formats, more than 128-bit PASSTHRU, reserved surface type,
//! more than 15 levels, cubes that are not square, planar formats (U28) with levels, layers, samples, separate U and V planes, W-major tiling or (tiled) an odd column
//! of the chroma plane, reserved
//! alignment (where it is used), channel select, mip or texture filter codes, MONO filter; auxiliary surfaces other than the
//! control surface of planes of samples; W-major elements wider than a byte;
//! sampling, gathering or LOD of BUFFER, STRBUF and multisampled surfaces; `ld`, `ld_lz` of CUBE or multisampled ones;
//! `ld2dms*`, `ld2dss`, `ld_mcs` of anything but 2D; multisampled surfaces with levels; `sample_min`, `sample_max` of anything but 2D.

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

/// The oracle as an engine.
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

    /// The oracle takes nothing from the core, not even by way of the harness.
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
