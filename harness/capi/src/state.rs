//! State structures as dwords: fields by the PRM's names, rules, surfaces by description.

use crate::error::{names, report, text, texwire_error};
use crate::failure::{Failure, Outcome};
use crate::{Status, platform, pointers};
use core::ffi::{CStr, c_char};
use texwire::enums::SurfaceFormat;
use texwire::state::{
    BindingTableEntry, BorderColor, Field, FieldCodec, InterfaceDescriptor, Raw, SamplerState, SurfaceState,
    SurfaceType, TileMode, TiledResource,
};
use texwire::transfer::SurfaceDescription;

/// RENDER_SURFACE_STATE, 16 dwords.
pub const TEXWIRE_SURFACE_STATE: u32 = 0;
/// SAMPLER_STATE, 4 dwords.
pub const TEXWIRE_SAMPLER_STATE: u32 = 1;
/// SAMPLER_BORDER_COLOR_STATE, 4 dwords.
pub const TEXWIRE_BORDER_COLOR: u32 = 2;
/// BINDING_TABLE_STATE, 1 dword.
pub const TEXWIRE_BINDING_TABLE_ENTRY: u32 = 3;
/// INTERFACE_DESCRIPTOR_DATA, 8 dwords.
pub const TEXWIRE_INTERFACE_DESCRIPTOR: u32 = 4;

/// The fields and dwords of a structure.
fn structure(number: u32, argument: u32) -> Outcome<(&'static [Field], usize)> {
    match number {
        TEXWIRE_SURFACE_STATE => Ok((SurfaceState::FIELDS, 16)),
        TEXWIRE_SAMPLER_STATE => Ok((SamplerState::FIELDS, 4)),
        TEXWIRE_BORDER_COLOR => Ok((BorderColor::FIELDS, 4)),
        TEXWIRE_BINDING_TABLE_ENTRY => Ok((BindingTableEntry::FIELDS, 1)),
        TEXWIRE_INTERFACE_DESCRIPTOR => Ok((InterfaceDescriptor::FIELDS, 8)),
        _ => Err(Failure::Argument(argument)),
    }
}

/// The field of a name.
///
/// # Safety
/// `name` is null or a string.
unsafe fn field(fields: &'static [Field], name: *const c_char, argument: u32) -> Outcome<&'static Field> {
    if name.is_null() {
        return Err(Failure::Argument(argument));
    }
    // SAFETY: not null; the caller promises a string.
    let name = unsafe { CStr::from_ptr(name) };
    let found = fields.iter().find(|field| field.name.as_bytes() == name.to_bytes());
    found.ok_or(Failure::Argument(argument))
}

/// Reads a field of a structure (`TEXWIRE_SURFACE_STATE` ...) by its name in the PRM, as it is stored.
///
/// # Safety
/// `dwords` points to the structure, `name` to a string, `value` to a number; `error` is null or points to an error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn texwire_state_get(
    structure_number: u32,
    dwords: *const u32,
    name: *const c_char,
    value: *mut u64,
    error: *mut texwire_error,
) -> Status {
    let body = || {
        let (fields, length) = structure(structure_number, 0)?;
        // SAFETY: the caller's promise.
        let dwords = unsafe { pointers::slice(dwords, length, 1) }?;
        // SAFETY: the caller's promise.
        let field = unsafe { field(fields, name, 2) }?;
        // SAFETY: the caller's promise.
        *unsafe { pointers::exclusive(value, 3) }? = field.get(dwords);
        Ok(())
    };
    // SAFETY: the caller's promise.
    unsafe { report(error, body) }
}

/// Writes a field of a structure by its name in the PRM, as it is stored. A value that does not fit is refused.
///
/// # Safety
/// `dwords` points to the structure, `name` to a string; `error` is null or points to an error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn texwire_state_set(
    structure_number: u32,
    dwords: *mut u32,
    name: *const c_char,
    value: u64,
    error: *mut texwire_error,
) -> Status {
    let body = || {
        let (fields, length) = structure(structure_number, 0)?;
        // SAFETY: the caller's promise.
        let dwords = unsafe { pointers::slice_mut(dwords, length, 1) }?;
        // SAFETY: the caller's promise.
        let field = unsafe { field(fields, name, 2) }?;
        if field.width() < 64 && value >> field.width() != 0 {
            return Err(Failure::Argument(3));
        }
        field.put(dwords, value);
        Ok(())
    };
    // SAFETY: the caller's promise.
    unsafe { report(error, body) }
}

/// Writes the names of the rules that a surface or sampler state breaks, with commas between; empty when it is legal.
/// Returns the length of the text without the NUL, or -1 for an argument that is wrong.
///
/// # Safety
/// `dwords` points to the structure; `buffer` is null or has `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn texwire_state_validate(
    structure_number: u32,
    dwords: *const u32,
    platform_number: u32,
    buffer: *mut c_char,
    size: usize,
) -> isize {
    let Ok(platform) = platform(platform_number, 2) else { return -1 };
    let length = match structure_number {
        TEXWIRE_SURFACE_STATE => 16,
        TEXWIRE_SAMPLER_STATE => 4,
        _ => return -1,
    };
    // SAFETY: the caller's promise.
    let Ok(dwords) = (unsafe { pointers::slice(dwords, length, 1) }) else { return -1 };
    // SAFETY: the caller's promise.
    let length = unsafe {
        text(buffer, size, |out| match (dwords.first_chunk(), dwords.first_chunk()) {
            (Some(dwords), _) => names(SurfaceState { dwords: *dwords }.validate(platform), out),
            (None, Some(dwords)) => names(SamplerState { dwords: *dwords }.validate(platform), out),
            (None, None) => Ok(()),
        })
    };
    isize::try_from(length).unwrap_or(isize::MAX)
}

/// A surface by description; unset sizes are 1.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct texwire_surface_description {
    /// The address of the first byte.
    pub base_address: u64,
    /// 0 1D, 1 2D, 2 3D, 3 CUBE, 4 BUFFER, as the state's Surface Type.
    pub surface_type: u32,
    /// The PRM's number of the format.
    pub format: u32,
    /// Width in texels; of a buffer its elements.
    pub width: u32,
    /// Height in texels.
    pub height: u32,
    /// Depth of 3D, layers, or cubes.
    pub depth: u32,
    /// Levels.
    pub levels: u32,
    /// Samples of a texel.
    pub samples: u32,
    /// 0 linear, 1 W-major, 2 X-major, 3 Y-major, as the state's Tile Mode.
    pub tile_mode: u32,
    /// 0 none, 1 Yf, 2 Ys, as the state's Tiled Resource Mode.
    pub tiled_resource: u32,
}

/// A code of a field that has one for every number of `bits` bits.
fn code<T>(number: u32, bits: u32) -> Outcome<T>
where
    Raw<T>: FieldCodec<Value = T>,
{
    if number >> bits == 0 { Ok(Raw::<T>::decode(number.into())) } else { Err(Failure::Argument(0)) }
}

/// Makes the state of a surface: 16 dwords with the smallest pitches that hold it.
///
/// # Safety
/// `description` points to one, `dwords` to 16 dwords; `error` is null or points to an error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn texwire_surface_make(
    description: *const texwire_surface_description,
    platform_number: u32,
    dwords: *mut u32,
    error: *mut texwire_error,
) -> Status {
    let body = || {
        // SAFETY: the caller's promise.
        let from = unsafe { pointers::reference(description, 0) }?;
        let platform = platform(platform_number, 1)?;
        // SAFETY: the caller's promise.
        let dwords = unsafe { pointers::slice_mut(dwords, 16, 2) }?;
        let format = u16::try_from(from.format).map_err(|_| Failure::Argument(0))?;
        let one = |number: u32| number.max(1);
        let description = SurfaceDescription {
            surface_type: code::<SurfaceType>(from.surface_type, 3)?,
            format: SurfaceFormat(format),
            width: one(from.width),
            height: one(from.height),
            depth: one(from.depth),
            levels: one(from.levels),
            samples: one(from.samples),
            tile_mode: code::<TileMode>(from.tile_mode, 2)?,
            tiled_resource: code::<TiledResource>(from.tiled_resource, 2)?,
            base_address: from.base_address,
        };
        dwords.copy_from_slice(&SurfaceState::new(&description, platform)?.dwords);
        Ok(())
    };
    // SAFETY: the caller's promise.
    unsafe { report(error, body) }
}

/// Bytes of memory from the base address that a surface takes.
///
/// # Safety
/// `dwords` points to 16 dwords, `bytes` to a number; `error` is null or points to an error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn texwire_surface_size(
    dwords: *const u32,
    platform_number: u32,
    bytes: *mut u64,
    error: *mut texwire_error,
) -> Status {
    let body = || {
        // SAFETY: the caller's promise.
        let state = unsafe { surface(dwords, 0) }?;
        let platform = platform(platform_number, 1)?;
        // SAFETY: the caller's promise.
        *unsafe { pointers::exclusive(bytes, 2) }? = state.required_size(platform)?;
        Ok(())
    };
    // SAFETY: the caller's promise.
    unsafe { report(error, body) }
}

/// A surface state.
///
/// # Safety
/// `dwords` is null or points to 16 dwords.
pub(crate) unsafe fn surface(dwords: *const u32, argument: u32) -> Outcome<SurfaceState> {
    // SAFETY: the caller's promise.
    let dwords = unsafe { pointers::slice(dwords, 16, argument) }?;
    dwords.first_chunk().map(|dwords| SurfaceState { dwords: *dwords }).ok_or(Failure::Argument(argument))
}
