//! What a lane of a message reads: its LOD and levels, and its texels with addresses and weights.

use crate::device::{four, texwire_device, texwire_message};
use crate::error::{report, texwire_error};
use crate::failure::Failure;
use crate::memory::{CallerMemory, TEXWIRE_FAULT, TEXWIRE_MAPPED, TEXWIRE_NULL_PAGE, texwire_memory};
use crate::state::surface;
use crate::{Status, pointers};
use texwire::device::{Footprint, MemoryRead, Tap, TapKind};
use texwire::memory::Access;
use texwire::message::Payload;
use texwire::state::{BorderColor, SamplerState};

/// Texels of a lane at most: 128 are those of any lane, 16 those of any lane that is not anisotropic.
#[cfg(feature = "small")]
const MOST: usize = 16;
#[cfg(not(feature = "small"))]
const MOST: usize = 128;

/// A texel of the surface.
pub const TEXWIRE_TAP_TEXEL: u32 = 0;
/// An element of the multisample control surface.
pub const TEXWIRE_TAP_CONTROL: u32 = 1;
/// The clear colour in place of a sample.
pub const TEXWIRE_TAP_CLEAR_COLOR: u32 = 2;

/// A read of memory.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct texwire_read {
    /// The address of the first byte.
    pub address: u64,
    /// How many bytes.
    pub size: u32,
    /// What was there: `TEXWIRE_MAPPED`, `TEXWIRE_NULL_PAGE` or `TEXWIRE_FAULT`.
    pub access: u32,
}

/// A texel that a lane's result depends on.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct texwire_tap {
    /// The reads of its element in order: mostly one; of three pieces; luma and chroma.
    pub reads: [texwire_read; 3],
    /// How many of them there are.
    pub read_count: u32,
    /// `TEXWIRE_TAP_TEXEL` ...
    pub kind: u32,
    /// The level, counted from the start of memory.
    pub level: u32,
    /// Array layer, `layer * 6 + face`, or z, counted from the start of memory.
    pub slice: u32,
    /// Column.
    pub x: u32,
    /// Row.
    pub y: u32,
    /// The plane of a multisampled surface.
    pub sample: u32,
    /// The channel of the result that it is in: 0 but for the gather4 family.
    pub channel: u32,
    /// Its weight in the result.
    pub weight: f32,
}

/// The level of detail of a lane, and how many texels it has.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct texwire_footprint {
    /// Not 0: the message filters, and the LOD's fields mean something.
    pub has_lod: u32,
    /// The LOD with every bias, before the clamps.
    pub lod: f32,
    /// The LOD after the clamps, counted from the view's first level.
    pub clamped: f32,
    /// The finer and the coarser level, counted from the start of memory.
    pub levels: [u32; 2],
    /// Weight of the coarser level: with 0 only the finer one is read, with 1 only the coarser one.
    pub fraction: f32,
    /// Not 0: the magnification filter applies.
    pub magnified: u32,
    /// Samples of the anisotropic filter on each level.
    pub anisotropic_samples: u32,
    /// The weight of the border colour in the result (gather4: in each channel).
    pub border: [f32; 4],
    /// How many texels.
    pub taps: u32,
}

impl From<&MemoryRead> for texwire_read {
    fn from(read: &MemoryRead) -> Self {
        let access = match read.access {
            Access::Mapped => TEXWIRE_MAPPED,
            Access::NullPage => TEXWIRE_NULL_PAGE,
            Access::Fault => TEXWIRE_FAULT,
        };
        Self { address: read.address, size: read.len, access }
    }
}

impl From<&Tap> for texwire_tap {
    fn from(tap: &Tap) -> Self {
        let mut reads = [texwire_read { address: 0, size: 0, access: 0 }; 3];
        for (to, from) in reads.iter_mut().zip(tap.reads()) {
            *to = from.into();
        }
        Self {
            reads,
            read_count: tap.reads().len() as u32,
            kind: match tap.kind {
                TapKind::Texel => TEXWIRE_TAP_TEXEL,
                TapKind::Control => TEXWIRE_TAP_CONTROL,
                TapKind::ClearColor => TEXWIRE_TAP_CLEAR_COLOR,
            },
            level: tap.level,
            slice: tap.slice,
            x: tap.x,
            y: tap.y,
            sample: tap.sample,
            channel: tap.channel.into(),
            weight: tap.weight,
        }
    }
}

impl From<&Footprint<MOST>> for texwire_footprint {
    fn from(footprint: &Footprint<MOST>) -> Self {
        let lod = footprint.lod;
        Self {
            has_lod: lod.is_some().into(),
            lod: lod.map_or(0.0, |lod| lod.lod),
            clamped: lod.map_or(0.0, |lod| lod.clamped),
            levels: lod.map_or([0; 2], |lod| lod.levels),
            fraction: lod.map_or(0.0, |lod| lod.fraction),
            magnified: lod.is_some_and(|lod| lod.magnified).into(),
            anisotropic_samples: lod.map_or(1, |lod| lod.samples),
            border: footprint.border,
            taps: footprint.taps.len() as u32,
        }
    }
}

/// Tells what lane `lane` of a message reads, active or not, in the order of the first reads. With `surface_dwords` null the
/// states are those that the message names in the device's heaps. Takes an execution for each texel and leaves the device as it
/// is; nothing is written but `footprint` and `taps`.
///
/// With less `capacity` than there are texels it fails with `TEXWIRE_STATUS_CAPACITY` and the number of texels in the error's value.
/// 128 are enough for every lane. A library with the feature `small` has room for 16, which are enough without anisotropic
/// filtering; it refuses lanes with more whatever `capacity` is, and the error's value is 17.
///
/// All reads of an execution, as they happen, come to `read` of a `texwire_memory` whose `slice` and `page_table` are null.
///
/// # Safety
/// `device` was made by `texwire_device_init`; `message` points to a message, `surface_dwords` is null or points to 16
/// dwords; `sampler` and `border` are null or point to 4 dwords each; `params` has `params_size` bytes; `memory` points to
/// memory, `footprint` to a footprint; `taps` has `capacity` taps; `error` is null or points to an error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn texwire_device_footprint(
    device: *const texwire_device,
    message: *const texwire_message,
    surface_dwords: *const u32,
    sampler: *const u32,
    border: *const u32,
    params: *const u8,
    params_size: usize,
    param_stride: usize,
    lane: u32,
    memory: *const texwire_memory,
    footprint: *mut texwire_footprint,
    taps: *mut texwire_tap,
    capacity: usize,
    error: *mut texwire_error,
) -> Status {
    let body = || {
        // SAFETY: the caller's promise.
        let device = &unsafe { pointers::reference(device, 0) }?.device;
        // SAFETY: the caller's promise.
        let message = unsafe { pointers::reference(message, 1) }?.lower(1)?;
        // SAFETY: the caller's promise.
        let params = unsafe { pointers::slice(params, params_size, 5) }?;
        let payload = Payload::split([params, &[]], param_stride, message.params.into())?;
        // SAFETY: the caller's promise.
        let memory = unsafe { CallerMemory::new(memory, 9) }?;
        // SAFETY: the caller's promise.
        let out = unsafe { pointers::exclusive(footprint, 10) }?;
        // SAFETY: the caller's promise.
        let room = unsafe { pointers::slice_mut(taps, capacity, 11) }?;
        let found: Footprint<MOST> = if surface_dwords.is_null() {
            device.footprint(&message, &payload, lane, &memory)?
        } else {
            // SAFETY: the caller's promise.
            let surface = unsafe { surface(surface_dwords, 2) }?;
            // SAFETY: the caller's promise.
            let dwords = unsafe { four(sampler, 3) }?;
            // SAFETY: the caller's promise.
            let colour = unsafe { four(border, 4) }?;
            let states = (SamplerState { dwords }, BorderColor { dwords: colour });
            device.executor.footprint(&surface, Some(&states), &message, &payload, lane, &memory)?
        };
        let room = room.get_mut(..found.taps.len()).ok_or(Failure::taps(found.taps.len()))?;
        for (to, from) in room.iter_mut().zip(&found.taps) {
            *to = from.into();
        }
        *out = (&found).into();
        Ok(())
    };
    // SAFETY: the caller's promise.
    unsafe { report(error, body) }
}
