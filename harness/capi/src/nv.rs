//! NVIDIA: texture headers and samplers by field name, header queries (TXQ) on the registers of a warp.

use crate::device::texwire_outcome;
use crate::error::{report, texwire_error};
use crate::failure::{Failure, Outcome};
use crate::memory::{CallerMemory, texwire_memory};
use crate::{Status, pointers};
use core::ffi::{CStr, c_char};
use texwire::device::{Pools, Warp};
use texwire::error::Kind;
use texwire::state::nv::{Class, FieldInfo, Limits, SamplerEntry, TextureHeader};
use texwire::txq::{SchedulingControl, Txq};

/// Where the state of a Maxwell or Pascal is.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct texwire_pools {
    /// The header pool, 32 bytes an entry.
    pub headers: u64,
    /// The sampler pool, 32 bytes an entry.
    pub samplers: u64,
    /// The constant bank with the handles.
    pub constants: u64,
    /// The class of the headers: 0xb097 (SM 5.0), 0xb197 (SM 5.2 and 5.3) or 0xc097 (SM 6.x).
    pub class_code: u32,
    /// MAXIMUM_INDEX of the header pool.
    pub max_header: u32,
    /// MAXIMUM_INDEX of the sampler pool.
    pub max_sampler: u32,
    /// Not 0: via header binding.
    pub via_header: u32,
}

/// The registers and masks of a warp.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct texwire_warp {
    /// R registers from R0 on, 128 bytes each: lane 0 to 31, 4 bytes a lane.
    pub registers: *mut u8,
    /// Bytes of them.
    pub registers_size: usize,
    /// Lanes that are active, bit per lane.
    pub active: u32,
    /// Predicates P0 to P6, bit per lane.
    pub predicates: [u32; 7],
}

/// A class by its code.
fn class(code: u32, argument: u32) -> Outcome<Class> {
    Class::ALL.into_iter().find(|class| *class as u32 == code).ok_or(Failure::Argument(argument))
}

/// A texture header, 8 dwords.
pub const TEXWIRE_NV_HEADER: u32 = 0;
/// A texture sampler, 8 dwords.
pub const TEXWIRE_NV_SAMPLER: u32 = 1;

/// The field of a name (of the class headers: "WIDTH_MINUS_ONE") in a structure. A header's fields depend on its version.
///
/// # Safety
/// `name` is null or a string.
unsafe fn field(
    structure: u32,
    class_code: u32,
    dwords: &[u32; 8],
    name: *const c_char,
) -> Outcome<&'static FieldInfo> {
    let class = class(class_code, 1)?;
    let fields = match structure {
        TEXWIRE_NV_HEADER => TextureHeader::from_dwords(class, *dwords).fields()?,
        TEXWIRE_NV_SAMPLER => SamplerEntry { class, dwords: *dwords }.fields(),
        _ => return Err(Failure::Argument(0)),
    };
    if name.is_null() {
        return Err(Failure::Argument(3));
    }
    // SAFETY: not null; the caller promises a string.
    let name = unsafe { CStr::from_ptr(name) };
    let found = fields.iter().find(|info| info.field.name().as_bytes() == name.to_bytes());
    found.ok_or(Failure::Argument(3))
}

/// Reads a field of a texture header (`TEXWIRE_NV_HEADER`) or sampler of a class by its name in the class headers, as it is
/// stored.
///
/// # Safety
/// `dwords` points to 8 dwords, `name` to a string, `value` to a number; `error` is null or points to an error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn texwire_nv_get(
    structure: u32,
    class_code: u32,
    dwords: *const u32,
    name: *const c_char,
    value: *mut u32,
    error: *mut texwire_error,
) -> Status {
    let body = || {
        // SAFETY: the caller's promise.
        let dwords = unsafe { pointers::slice(dwords, 8, 2) }?;
        let dwords = dwords.first_chunk().ok_or(Failure::Argument(2))?;
        // SAFETY: the caller's promise.
        let field = unsafe { field(structure, class_code, dwords, name) }?;
        // SAFETY: the caller's promise.
        *unsafe { pointers::exclusive(value, 4) }? = field.read(dwords);
        Ok(())
    };
    // SAFETY: the caller's promise.
    unsafe { report(error, body) }
}

/// Writes a field of a texture header or sampler, as it is stored. A value that does not fit is refused.
///
/// # Safety
/// `dwords` points to 8 dwords, `name` to a string; `error` is null or points to an error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn texwire_nv_set(
    structure: u32,
    class_code: u32,
    dwords: *mut u32,
    name: *const c_char,
    value: u32,
    error: *mut texwire_error,
) -> Status {
    let body = || {
        // SAFETY: the caller's promise.
        let dwords = unsafe { pointers::slice_mut(dwords, 8, 2) }?;
        let dwords = dwords.first_chunk_mut().ok_or(Failure::Argument(2))?;
        // SAFETY: the caller's promise.
        let field = unsafe { field(structure, class_code, dwords, name) }?;
        field.write(dwords, value)?;
        Ok(())
    };
    // SAFETY: the caller's promise.
    unsafe { report(error, body) }
}

/// Executes a TXQ or TXQ.B (`word`, with its 21 bits of control) for a warp: takes its sources from the registers and writes its
/// components there. On a failure no register is written, as where the constant bank does not have the handle of a TXQ.
///
/// Lanes without an answer are `faults` of the outcome, and their result is 0: memory does not have their header, or the header is
/// of a kind for which the query has no answer. `fault_address` is that of the header of `fault_lane`, 0 if memory has it.
///
/// # Safety
/// `pools` points to pools, `warp` to a warp whose registers may be written, `memory` to memory; `outcome` is null or points
/// to an outcome, `error` is null or points to an error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn texwire_txq_execute(
    pools: *const texwire_pools,
    word: u64,
    control: u32,
    warp: *const texwire_warp,
    memory: *const texwire_memory,
    outcome: *mut texwire_outcome,
    error: *mut texwire_error,
) -> Status {
    let body = || {
        // SAFETY: the caller's promise.
        let from = *unsafe { pointers::reference(pools, 0) }?;
        let pools = Pools {
            class: class(from.class_code, 0)?,
            headers: from.headers,
            samplers: from.samplers,
            constants: from.constants,
            limits: Limits {
                max_header: from.max_header,
                max_sampler: from.max_sampler,
                via_header: from.via_header != 0,
            },
        };
        let query = Txq::decode(word, SchedulingControl::new(control))?.ok_or(Failure::Argument(1))?;
        // SAFETY: the caller's promise.
        let from = *unsafe { pointers::reference(warp, 3) }?;
        // SAFETY: the caller's promise.
        let registers = unsafe { pointers::slice_mut(from.registers, from.registers_size, 3) }?;
        let mut warp = Warp { registers, active: from.active, predicates: from.predicates };
        // SAFETY: the caller's promise.
        let memory = unsafe { CallerMemory::new(memory, 4) }?;
        // SAFETY: the caller's promise.
        let outcome = unsafe { pointers::optional(outcome, 5) }?;
        let done = pools.txq(query, &mut warp, &memory)?;
        let address = done.first_error.filter(|(_, error)| error.kind() == Kind::Fault);
        let told = texwire_outcome {
            fault_address: address.map_or(0, |(_, error)| error.found()),
            lanes: query.guard().lanes(from.active, &from.predicates),
            faults: done.failed,
            null_lanes: 0,
            fault_lane: done.first_error.map_or(-1, |(lane, _)| lane.into()),
        };
        told.store(outcome);
        Ok(())
    };
    // SAFETY: the caller's promise.
    unsafe { report(error, body) }
}
