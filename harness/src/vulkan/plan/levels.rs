//! Chooses the levels of a view and the LOD clamps of its sampler so that Vulkan selects the same levels as the emulator.
//!
//! The emulator clamps `lod` to A..B, A = max(min(Min LOD, Max LOD), Resource Min LOD), B = max(Max LOD, Resource Min LOD). It
//! magnifies at LOD <= 0, taken before the clamps or after them (LOD PreClamp Mode); Vulkan after them. Without a mip filter, and
//! magnified with LOD Clamp Magnification Mode MIPNONE, it takes level floor(max(Min LOD, Resource Min LOD)).

use crate::emulator::sample::sampler::{Filter, Mip, Sampler};

/// The levels of a view, and the LOD clamps and filters of its sampler.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::vulkan) struct LevelPlan {
    /// First level, counted from the surface's view.
    pub(in crate::vulkan) first: u64,
    /// The number of levels.
    pub(in crate::vulkan) count: u64,
    /// Least LOD.
    pub(in crate::vulkan) min_lod: f64,
    /// Largest LOD.
    pub(in crate::vulkan) max_lod: f64,
    /// Filter when magnified.
    pub(in crate::vulkan) mag: Filter,
    /// Filter when minified.
    pub(in crate::vulkan) min: Filter,
    /// The mip filter is linear: two levels are mixed.
    pub(in crate::vulkan) mip_linear: bool,
}

/// Largest LOD where only the first level is read but the magnifying and minifying filters differ: above 0, so that Vulkan can minify,
/// and below 0.5, so that the first level is the nearest.
const NO_MIP: f64 = 0.25;

const PRECLAMP: &str = "magnified by the LOD before its clamps";

/// Returns the levels of a message that filters. `mag` and `min` are the filters in use, after the restrictions of the surface.
pub(super) fn levels(
    sampler: &Sampler,
    resource_min: f64,
    count: u64,
    [mag, min]: [Filter; 2],
    integer: bool,
) -> Result<LevelPlan, &'static str> {
    let a = sampler.min_lod.min(sampler.max_lod).max(resource_min);
    let b = sampler.max_lod.max(resource_min);
    let base = sampler.min_lod.max(resource_min).floor();
    let mip = if integer && sampler.mip == Mip::Linear { Mip::Nearest } else { sampler.mip };
    let mip_linear = mip == Mip::Linear;
    let same = mag == min;
    let all =
        |min_lod, max_lod, mag, min| LevelPlan { first: 0, count, min_lod, max_lod, mag, min, mip_linear };
    let single = |max_lod, mag, min| {
        let first = (base as u64).min(count - 1);
        LevelPlan { first, count: 1, min_lod: 0.0, max_lod, mag, min, mip_linear: false }
    };
    if mip == Mip::None {
        // The view has a single level; the LOD still decides between the filters, relative to level 0.
        return match () {
            () if same => Ok(single(0.0, mag, mag)),
            () if sampler.preclamp && a > 0.0 => Ok(single(0.0, min, min)),
            () if sampler.preclamp && b <= 0.0 => Ok(single(0.0, mag, mag)),
            () if base == 0.0 => Ok(single(NO_MIP, mag, min)),
            () => Err(PRECLAMP),
        };
    }
    if sampler.preclamp {
        return Ok(match () {
            () if a > 0.0 => all(a, b, min, min),
            () if b <= 0.0 => {
                let chosen = if sampler.mag_mipfilter { 0.0 } else { base };
                all(chosen, chosen, mag, mag)
            }
            () => all(a, b, mag, min),
        });
    }
    // A lane is magnified if its LOD is 0 or less before the clamps, so that the clamped LOD is A; `chosen` selects its levels.
    let chosen = if sampler.mag_mipfilter { a } else { base };
    let alike = chosen == a || !mip_linear && (chosen + 0.5).floor() == (a + 0.5).floor();
    match () {
        () if a == 0.0 && b > 0.0 && chosen == 0.0 => Ok(all(a, b, mag, min)),
        () if same && alike => Ok(all(a, b, mag, min)),
        () if a == 0.0 && b == 0.0 && chosen == 0.0 => {
            Ok(LevelPlan { mip_linear: false, ..all(0.0, NO_MIP, mag, min) })
        }
        // With one filter and one level, the LOD has no effect.
        () if same && count == 1 => Ok(single(0.0, mag, mag)),
        () => Err(PRECLAMP),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::emulator::state::set_sampler;

    fn sampler(fields: &[(&str, u64)]) -> Sampler {
        let mut state = [0; 4];
        set_sampler(&mut state, "Max LOD", 14 * 256);
        for (name, value) in fields {
            set_sampler(&mut state, name, *value);
        }
        Sampler::of(&state).unwrap()
    }

    fn of(fields: &[(&str, u64)]) -> Result<LevelPlan, &'static str> {
        levels(&sampler(fields), 0.0, 5, [Filter::Linear, Filter::Nearest], false)
    }

    #[test]
    fn no_mip_filter_is_a_view_of_one_level() {
        let found = of(&[("Min LOD", 0), ("LOD PreClamp Mode", 2)]).unwrap();
        assert_eq!((found.first, found.count, found.max_lod), (0, 1, NO_MIP));
        let found = of(&[("Min LOD", 2 * 256 + 128), ("LOD PreClamp Mode", 2)]).unwrap();
        assert_eq!((found.first, found.count, found.mag), (2, 1, Filter::Nearest));
        assert_eq!(of(&[("Min LOD", 256)]), Err(PRECLAMP));
    }

    #[test]
    fn clamps_of_a_mip_filter() {
        let ogl = ("LOD PreClamp Mode", 2);
        let found = of(&[("Mip Mode Filter", 3), ("Min LOD", 384), ("Max LOD", 128), ogl]).unwrap();
        assert_eq!((found.min_lod, found.max_lod, found.mag), (0.5, 0.5, Filter::Nearest));
        let found = of(&[("Mip Mode Filter", 3)]).unwrap();
        assert_eq!(
            (found.min_lod, found.max_lod, found.mag, found.min),
            (0.0, 14.0, Filter::Linear, Filter::Nearest)
        );
        assert_eq!(of(&[("Mip Mode Filter", 3), ("Min LOD", 384)]), Err(PRECLAMP));
    }
}
