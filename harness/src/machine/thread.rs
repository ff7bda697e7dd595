//! A thread with its registers and memories, and the environment that all threads of a launch share.

use super::error::{Error, Result};
use super::flow::Flow;
use super::image::{BoundSurface, Buffer, Image};
use super::memory::{LaunchMemory, read_little};
use super::out_of_bounds::OutOfBoundsCounts;
use super::registers::Registers;
use super::sampler_record::SamplerRecord;
use texwire::Platform;
use texwire::device::{Device, Heaps};
use texwire::sample::Precision;

/// The environment that all threads of a launch share.
#[derive(Debug)]
pub struct Environment<'e> {
    /// The launch's memory.
    pub memory: &'e LaunchMemory,
    /// The surfaces of the binding table.
    pub surfaces: &'e [BoundSurface],
    /// Most instructions that a thread may execute.
    pub max_instructions: u64,
    /// An access outside a surface or local memory is an error; otherwise it is counted.
    pub strict: bool,
    /// The setup of the threads' samplers; `None`: sampler messages are refused.
    pub sampler: Option<SamplerSetup>,
}

/// The parameters of a sampler, which is created when the first sampler message is sent.
#[derive(Clone, Copy, Debug)]
pub struct SamplerSetup {
    /// The platform.
    pub platform: Platform,
    /// The addresses of surface and sampler states.
    pub heaps: Heaps,
    /// Filter arithmetic.
    pub precision: Precision,
}

impl SamplerSetup {
    /// Creates the sampler, with nothing bound.
    pub fn device(&self) -> Box<SamplerDevice> {
        let mut device = Box::new(Device::new(self.platform, self.heaps));
        device.executor.set_precision(self.precision);
        device.executor.set_stages(crate::simd::best());
        device
    }
}

impl Environment<'_> {
    fn surface(&self, index: u8) -> Result<&BoundSurface> {
        self.surfaces.get(usize::from(index)).ok_or_else(|| {
            let why = format!("entry {index} of {}", self.surfaces.len());
            Error::new("surface outside the binding table", why)
        })
    }

    /// Returns the buffer at a binding table index; `None` for a null surface.
    #[inline]
    pub fn buffer(&self, index: u8) -> Result<Option<Buffer>> {
        match self.surface(index)? {
            BoundSurface::Buffer(buffer) => Ok(Some(*buffer)),
            BoundSurface::Null => Ok(None),
            BoundSurface::Refused(error) => Err(error.clone()),
            BoundSurface::Image(_) => {
                Err(Error::new("untyped access to an image", format!("binding table entry {index}")))
            }
        }
    }

    /// Returns the image at a binding table index; `None` for a null surface.
    pub fn image(&self, index: u8) -> Result<Option<&Image>> {
        match self.surface(index)? {
            BoundSurface::Image(image) => Ok(Some(image)),
            BoundSurface::Null => Ok(None),
            BoundSurface::Refused(error) => Err(error.clone()),
            BoundSurface::Buffer(_) => {
                Err(Error::new("typed access to a buffer", format!("binding table entry {index}")))
            }
        }
    }
}

/// Shared local memory (SLM) of a group.
#[derive(Clone, Debug, Default)]
pub struct LocalMemory {
    bytes: Vec<u8>,
}

/// The bits of a local address that count. Compiled code sets higher ones, so that no valid local pointer equals the null pointer.
const LOCAL_MASK: u64 = 0xffff;

impl LocalMemory {
    /// Creates `size` bytes of zeros.
    pub fn new(size: usize) -> Self {
        Self { bytes: vec![0; size] }
    }

    /// Reads up to 8 bytes; `None` if they are outside.
    #[inline]
    pub fn load(&self, address: u64, bytes: usize) -> Option<u64> {
        let at = (address & LOCAL_MASK) as usize;
        (at + bytes <= self.bytes.len()).then(|| read_little(&self.bytes, at, bytes))
    }

    /// Writes up to 8 bytes; `None` if they are outside, and nothing is written.
    #[inline]
    pub fn store(&mut self, address: u64, bytes: usize, value: u64) -> Option<()> {
        let at = (address & LOCAL_MASK) as usize;
        self.bytes.get_mut(at..at + bytes)?.copy_from_slice(&value.to_le_bytes()[..bytes]);
        Some(())
    }

    /// Returns the size in bytes.
    pub fn size(&self) -> usize {
        self.bytes.len()
    }
}

/// How many bound surfaces, and how many samplers, a device keeps.
pub const BOUND: usize = 32;

/// The sampler of a thread.
pub type SamplerDevice = Device<'static, BOUND, BOUND>;

/// A thread.
#[derive(Debug)]
pub struct Thread {
    /// The registers.
    pub registers: Registers,
    /// The positions of the channels in the program.
    pub flow: Flow,
    /// The thread's own scratch memory.
    pub scratch: Vec<u8>,
    /// The address of the scratch memory among 32-bit stateless addresses: r0.5 without its low bits.
    pub scratch_base: u32,
    /// The group's local memory, lent to the thread while it runs.
    pub local: LocalMemory,
    /// The sampler, lent to the thread while it runs; the first sampler message creates it.
    pub device: Option<Box<SamplerDevice>>,
    /// The thread's number in the launch: group number x threads of a full group + the thread's number in its group.
    pub number: u32,
    /// Byte offset of the last send.
    pub offset: u32,
    /// Sampler messages are recorded.
    pub record: bool,
    /// The recorded sampler messages, in order.
    pub records: Vec<SamplerRecord>,
    /// Number of instructions executed.
    pub executed: u64,
    /// Accesses outside surfaces and local memory.
    pub out_of_bounds: OutOfBoundsCounts,
    /// The thread has signalled the gateway that it arrived at the barrier.
    pub signalled: bool,
    /// All threads of the group have arrived at the barrier: this one may pass.
    pub released: bool,
    /// The thread has ended.
    pub ended: bool,
}

impl Thread {
    /// Creates a thread that starts with these registers and the dispatch mask `dispatch`. It has no local memory yet, and number 0.
    pub fn new(registers: Registers, dispatch: u32, scratch_bytes: usize, scratch_base: u32) -> Self {
        Self {
            registers,
            flow: Flow::new(dispatch),
            scratch: vec![0; scratch_bytes],
            scratch_base,
            local: LocalMemory::default(),
            device: None,
            number: 0,
            offset: 0,
            record: false,
            records: Vec::new(),
            executed: 0,
            out_of_bounds: OutOfBoundsCounts::default(),
            signalled: false,
            released: false,
            ended: false,
        }
    }

    /// Returns true if the thread has signalled the barrier and others have not: it stops at the next `wait`.
    #[inline]
    pub const fn is_held(&self) -> bool {
        self.signalled && !self.released
    }

    /// Returns the offset in the scratch memory of `bytes` bytes at a 32-bit address; `None` if they are not in it.
    #[inline]
    pub fn scratch_at(&self, address: u64, bytes: usize) -> Option<usize> {
        let at = usize::try_from(address.checked_sub(u64::from(self.scratch_base))?).ok()?;
        (at.checked_add(bytes)? <= self.scratch.len()).then_some(at)
    }
}
