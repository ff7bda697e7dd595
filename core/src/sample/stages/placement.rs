//! The table of the stages that go from coordinates along all axes to elements in one kernel, by wrap mode (fold) and tile mode.

use super::Placement;
use super::kernel::kernel;
#[cfg(target_arch = "x86_64")]
use super::tiles::{place_256, place_512, place_volume_256, place_volume_512};
use crate::memory::LevelAddressing;
use crate::sample::filter::Weights;
use crate::sample::lanes::{LANES, Lanes, TapLanes};
use crate::sample::levels::level::LevelArrays;
use crate::sample::levels::load_rule::{self, IntegerLanes, LoadPlaneKernel, LoadRule};
use crate::sample::levels::multisample::{self, SampleLanes, SamplePlaneKernel, SampleRule};
use crate::sample::place::address::{BlockSize, GENERAL, LINEAR, ONE_STEP, TEXELS, THIRDS};
use crate::sample::place::axis::{
    AxisTaps, BORDER, BY_DATA, CLAMP, INSIDE, MIRROR_POWER, REPEAT, REPEAT_POWER,
};
use crate::sample::place::plane::{
    self, AxisRules, BlockKernel, PlaneKernel, PlaneLanes, VolumeKernel, VolumeLanes, place, place_volume,
};

/// Defines a function that returns a table whose kernels have the target features `$feature`. `$halves`: kernels with little to compute
/// may place one half of the lanes after the other. `$general`, `$general_volume`: what places planes and volumes in tiles with any order
/// of address bits.
macro_rules! placement {
    // `$d` is a dollar sign, for the macros inside.
    ($d:tt [$($feature:literal)?] [$halves:literal $general:ident $general_volume:ident] $name:ident) => {
        $(#[target_feature(enable = $feature)])?
        pub(super) const fn $name() -> Placement {
            macro_rules! stage {
                ($d($d rest:tt)*) => { kernel!([$($feature)?] $d($d rest)*) };
            }
            macro_rules! planes {
                ($d($d fold:ident)*) => {
                    [$d([
                        plane!($general, $d fold, GENERAL), plane!(place, $d fold, LINEAR), plane!(place, $d fold, ONE_STEP),
                        plane!(place, $d fold, THIRDS), plane!(place, $d fold, TEXELS),
                    ]),*]
                };
            }
            macro_rules! plane {
                ($d place:ident, $d fold:ident, $d pattern:ident) => {
                    [
                        plane!($d place, $d fold, $d pattern, false, false),
                        plane!($d place, $d fold, $d pattern, true, true),
                        plane!($d place, $d fold, $d pattern, true, false),
                    ]
                };
                ($d place:ident, $d fold:ident, $d pattern:ident, $d linear:literal, $d weighted:literal) => {
                    [
                        plane!($d place, $d fold, $d pattern, $d linear, $d weighted, false),
                        plane!($d place, $d fold, $d pattern, $d linear, $d weighted, true),
                    ]
                };
                ($d place:ident, $d fold:ident, $d pattern:ident, $d linear:literal, $d weighted:literal, $d fixed:literal) => {
                    stage!($d place::<$d fold, $d pattern, $d linear, $d weighted, $d fixed, $halves>, (
                        rules: &AxisRules, tile: &LevelAddressing, lanes: &PlaneLanes<'_>, index: &mut TapLanes<u32>,
                        weights: &mut Weights, taps: &mut [AxisTaps; 3]
                    ) -> u32) as PlaneKernel
                };
            }
            macro_rules! volumes {
                ($d($d fold:ident)*) => {
                    [$d([
                        volume!($general_volume, $d fold, GENERAL), volume!(place_volume, $d fold, LINEAR),
                        volume!(place_volume, $d fold, ONE_STEP), volume!(place_volume, $d fold, THIRDS),
                    ]),*]
                };
            }
            macro_rules! volume {
                ($d place:ident, $d fold:ident, $d pattern:ident) => {
                    [volume!($d place, $d fold, $d pattern, false), volume!($d place, $d fold, $d pattern, true)]
                };
                ($d place:ident, $d fold:ident, $d pattern:ident, $d linear:literal) => {
                    [volume!($d place, $d fold, $d pattern, $d linear, false), volume!($d place, $d fold, $d pattern, $d linear, true)]
                };
                ($d place:ident, $d fold:ident, $d pattern:ident, $d linear:literal, $d fixed:literal) => {
                    stage!($d place::<$d fold, $d pattern, $d linear, $d fixed, $halves>, (
                        rules: &AxisRules, tile: &LevelAddressing, lanes: &VolumeLanes<'_>, index: &mut TapLanes<u32>,
                        weights: &mut Weights, taps: &mut [AxisTaps; 3]
                    ) -> u32) as VolumeKernel
                };
            }
            macro_rules! blocks {
                ($d($d pattern:ident)*) => { [$d([blocks!(@ $d pattern, false), blocks!(@ $d pattern, true)]),*] };
                (@ $d pattern:ident, $d linear:literal) => {
                    stage!(plane::find_blocks::<$d pattern, $d linear>, (
                        tile: &LevelAddressing, size: [BlockSize; 2], lanes: &PlaneLanes<'_>, index: &mut TapLanes<u32>,
                        inside: &mut TapLanes<u32>
                    )) as BlockKernel
                };
            }
            macro_rules! loads {
                ($d($d pattern:ident)*) => { [$d([loads!(@ $d pattern, false), loads!(@ $d pattern, true)]),*] };
                (@ $d pattern:ident, $d blocks:literal) => {
                    stage!(load_rule::place_plane::<$d pattern, $d blocks>, (
                        rule: &LoadRule, table: &LevelArrays, tile: &LevelAddressing, at: &IntegerLanes<'_>,
                        index: &mut Lanes<u32>, inside: &mut Lanes<u32>, outside: &mut Lanes<u32>
                    ) -> u32) as LoadPlaneKernel
                };
            }
            macro_rules! samples {
                ($d($d pattern:ident)*) => {
                    [$d(stage!(multisample::place_plane::<$d pattern>, (
                        rules: (&LoadRule, &SampleRule), table: &LevelArrays, tile: &LevelAddressing,
                        at: &IntegerLanes<'_>, lanes: &SampleLanes<'_>, index: &mut Lanes<u32>, outside: &mut Lanes<u32>
                    ) -> u32) as SamplePlaneKernel),*]
                };
            }
            if LANES == 1 {
                return Placement { planes: &[], blocks: &[], volumes: &[], loads: &[], samples: &[] };
            }
            Placement {
                planes: &planes!(REPEAT REPEAT_POWER MIRROR_POWER CLAMP BORDER INSIDE BY_DATA),
                blocks: &blocks!(GENERAL LINEAR ONE_STEP THIRDS),
                volumes: &volumes!(REPEAT REPEAT_POWER MIRROR_POWER CLAMP BORDER INSIDE BY_DATA),
                loads: &loads!(GENERAL LINEAR ONE_STEP THIRDS),
                samples: &samples!(GENERAL LINEAR ONE_STEP THIRDS),
            }
        }
    };
}

placement! { $ [] [false place place_volume] baseline }

#[cfg(target_arch = "x86_64")]
placement! { $ ["avx2,bmi1,bmi2,lzcnt,popcnt,f16c"] [false place_256 place_volume_256] avx2 }

#[cfg(target_arch = "x86_64")]
placement! {
    $ ["avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512vbmi,avx2,bmi1,bmi2,lzcnt,popcnt,f16c"]
    [true place_512 place_volume_512] avx512_base
}
