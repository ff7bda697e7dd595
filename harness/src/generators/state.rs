//! Random SAMPLER_STATEs, and those parts of a RENDER_SURFACE_STATE that do not depend on its size.
//!
//! Weights (out of 100 unless said otherwise). Filters: LINEAR 50, NEAREST 35, ANISOTROPIC 13, a code that must be refused 2. Mip filter:
//! LINEAR 45, NEAREST 30, NONE 24, reserved 1. Address modes: uniform over the eight. LOD clamps: wide open 50, random 50. PreClamp: OGL
//! 60, NONE 30, the other codes 10. Reduction: 12. Non-normalized: 6. Sampler Disable: 1. Bits without an effect: random in 20.

use crate::emulator::state::{set_sampler, set_surface};
use arbitrary::{Result, Unstructured};

/// Chooses one of `choices` by weight.
///
/// # Errors
/// As [`Unstructured`].
pub fn weighted<T: Copy>(u: &mut Unstructured<'_>, choices: &[(u32, T)]) -> Result<T> {
    let total: u32 = choices.iter().map(|(weight, _)| weight).sum();
    let mut at = u.int_in_range(0..=total - 1)?;
    for (weight, choice) in choices {
        if at < *weight {
            return Ok(*choice);
        }
        at -= weight;
    }
    Ok(choices[0].1)
}

/// Returns true in `percent` of 100 cases.
///
/// # Errors
/// As [`Unstructured`].
pub fn percent(u: &mut Unstructured<'_>, percent: u32) -> Result<bool> {
    Ok(u.int_in_range(0..=99u32)? < percent)
}

/// Generates a SAMPLER_STATE.
///
/// # Errors
/// As [`Unstructured`].
pub fn sampler(u: &mut Unstructured<'_>) -> Result<[u32; 4]> {
    let mut state = if percent(u, 20)? { unused_bits(u)? } else { [0; 4] };
    let filter = |u: &mut Unstructured<'_>| {
        let illegal = u.int_in_range(3..=7u64)?;
        weighted(u, &[(50, 1), (35, 0), (13, 2), (2, illegal)])
    };
    let (mag, min) = (filter(u)?, filter(u)?);
    let preclamp = weighted(u, &[(60, 2), (30, 0), (5, 1), (5, 3)])?;
    let mut fields = vec![
        ("Mag Mode Filter", mag),
        ("Min Mode Filter", if percent(u, 50)? { mag } else { min }),
        ("Mip Mode Filter", weighted(u, &[(45, 3), (30, 1), (24, 0), (1, 2)])?),
        ("LOD PreClamp Mode", preclamp),
        ("Texture LOD Bias", if percent(u, 50)? { 0 } else { u.int_in_range(-1024..=1024i64)? as u64 }),
        ("Maximum Anisotropy", u.int_in_range(0..=7)?),
        ("Shadow Function", u.int_in_range(0..=7)?),
        ("Trilinear Filter Quality", weighted(u, &[(70, 0), (10, 1), (10, 2), (10, 3)])?),
        ("Cube Surface Control Mode", u.int_in_range(0..=1)?),
        ("LOD Clamp Magnification Mode", u.int_in_range(0..=1)?),
        ("SRGB DECODE", u64::from(percent(u, 10)?)),
        ("Sampler Disable", u64::from(percent(u, 1)?)),
        ("Non-normalized Coordinate Enable", u64::from(percent(u, 6)?)),
        ("TCX Address Control Mode", u.int_in_range(0..=7)?),
        ("TCY Address Control Mode", u.int_in_range(0..=7)?),
        ("TCZ Address Control Mode", u.int_in_range(0..=7)?),
    ];
    if percent(u, 12)? {
        fields.extend([("Reduction Type Enable", 1), ("Reduction Type", u.int_in_range(0..=3)?)]);
    }
    let (low, high) =
        if percent(u, 50)? { (0, 0xe00) } else { (u.int_in_range(0..=0x400)?, u.int_in_range(0..=0x600)?) };
    fields.extend([("Min LOD", low), ("Max LOD", high)]);
    for (name, value) in fields {
        set_sampler(&mut state, name, value);
    }
    rounding_enables(u, [mag, min], &mut state)?;
    Ok(state)
}

/// Returns a SAMPLER_STATE with random bits, whose fields that make a state refused are rarely set.
fn unused_bits(u: &mut Unstructured<'_>) -> Result<[u32; 4]> {
    let mut state = u.arbitrary()?;
    for name in ["Sampler Disable", "Non-normalized Coordinate Enable", "Reduction Type Enable"] {
        set_sampler(&mut state, name, 0);
    }
    for (name, likely) in [
        ("ChromaKey Enable", 30),
        ("ChromaKey Mode", 5),
        ("Return Filter Weight for Null Texels", 2),
        ("Return Filter Weight for Border Texels", 2),
        ("Force gather4 Behavior", 2),
    ] {
        set_sampler(&mut state, name, u64::from(percent(u, likely)?));
    }
    Ok(state)
}

/// Sets the rounding enables of each axis: as the magnification and minification `filters` want in half of the states, otherwise random.
fn rounding_enables(u: &mut Unstructured<'_>, filters: [u64; 2], state: &mut [u32; 4]) -> Result<()> {
    let by_filter = percent(u, 50)?;
    for axis in ["U", "V", "R"] {
        for (which, filter) in ["Mag", "Min"].into_iter().zip(filters) {
            let enable = if by_filter { u64::from(filter != 0) } else { u.int_in_range(0..=1)? };
            set_sampler(state, &format!("{axis} Address {which} Filter Rounding Enable"), enable);
        }
    }
    Ok(())
}

/// Sets channel selects (identity 60, any legal code 39, a reserved one 1) and random values in fields without an effect.
///
/// # Errors
/// As [`Unstructured`].
pub fn surface_rest(u: &mut Unstructured<'_>, state: &mut [u32; 16]) -> Result<()> {
    if percent(u, 40)? {
        for channel in ["Red", "Green", "Blue", "Alpha"] {
            let code = if percent(u, 2)? { u.int_in_range(0..=7)? } else { *u.choose(&[0, 1, 4, 5, 6, 7])? };
            set_surface(state, &format!("Shader Channel Select {channel}"), code);
        }
    }
    if percent(u, 20)? {
        for (name, most) in [
            ("MOCS", 127),
            ("Sampler L2 Bypass Mode Disable", 1),
            ("Render Target View Extent", 2047),
            ("Coherency Type", 1),
            ("Mip Tail Start LOD", 15),
            ("Multisample Position Palette Index", 7),
            ("Tile Address Mapping Mode", 1),
            ("Render Target And Sample Unorm Rotation", 3),
            ("EWA Disable For Cube", 1),
            ("Media Boundary Pixel Mode", 3),
            ("Render Cache Read Write Mode", 1),
            ("Enable Unorm Path In Color Pipe", 1),
            ("Memory Compression Mode", 1),
            // All of a cube's faces are there, whichever are enabled (U31).
            ("Cube Face Enable - Positive Z", 1),
            ("Cube Face Enable - Negative Z", 1),
            ("Cube Face Enable - Positive Y", 1),
            ("Cube Face Enable - Negative Y", 1),
            ("Cube Face Enable - Positive X", 1),
            ("Cube Face Enable - Negative X", 1),
        ] {
            set_surface(state, name, u.int_in_range(0..=most)?);
        }
        if percent(u, 4)? {
            set_surface(state, "Quilt Width", u.int_in_range(0..=31)?);
            set_surface(state, "Quilt Height", u.int_in_range(0..=31)?);
        }
        for name in ["Base Mip Level", "Memory Compression Enable"] {
            set_surface(state, name, u64::from(percent(u, 2)?));
        }
    }
    if percent(u, 10)? {
        set_surface(state, "Resource Min LOD", u.int_in_range(0..=0x300)?);
    }
    Ok(())
}
