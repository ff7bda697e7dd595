//! A thread: its registers, its memories, and what it shares with the others of a launch.

use super::error::{Fault, Result};
use super::flow::Flow;
use super::image::{Buffer, Image, Surface};
use super::memory::{Memory, read_little};
use super::outside::Outside;
use super::registers::Registers;
use super::sampler_record::SamplerRecord;
use texwire::Platform;
use texwire::device::{Device, Heaps};
use texwire::sample::Precision;

/// What all threads of a launch share.
#[derive(Debug)]
pub struct Environment<'e> {
    /// The kernel's memory.
    pub memory: &'e Memory,
    /// The binding table.
    pub surfaces: &'e [Surface],
    /// Instructions that a thread may execute.
    pub max_instructions: u64,
    /// An access outside a surface is a fault.
    pub strict: bool,
    /// What its sampler is made of; `None`: it has no sampler.
    pub sampler: Option<SamplerSetup>,
}

/// What a sampler is made of, when the first message asks for it.
#[derive(Clone, Copy, Debug)]
pub struct SamplerSetup {
    /// The platform.
    pub platform: Platform,
    /// Where its state is.
    pub heaps: Heaps,
    /// Filter arithmetic.
    pub precision: Precision,
}

impl SamplerSetup {
    /// The sampler, with nothing bound.
    pub fn device(&self) -> Box<SamplerDevice> {
        let mut device = Box::new(Device::new(self.platform, self.heaps));
        device.bound.set_precision(self.precision);
        device.bound.set_stages(crate::simd::best());
        device
    }
}

impl Environment<'_> {
    fn surface(&self, index: u8) -> Result<&Surface> {
        self.surfaces.get(usize::from(index)).ok_or_else(|| {
            let why = format!("entry {index} of {}", self.surfaces.len());
            Fault::new("surface outside the binding table", why)
        })
    }

    /// The buffer behind a binding table index; `None` for a null surface.
    #[inline]
    pub fn buffer(&self, index: u8) -> Result<Option<Buffer>> {
        match self.surface(index)? {
            Surface::Buffer(buffer) => Ok(Some(*buffer)),
            Surface::Null => Ok(None),
            Surface::Refused(fault) => Err(fault.clone()),
            Surface::Image(_) => {
                Err(Fault::new("untyped access to an image", format!("binding table entry {index}")))
            }
        }
    }

    /// The image behind a binding table index; `None` for a null surface.
    pub fn image(&self, index: u8) -> Result<Option<&Image>> {
        match self.surface(index)? {
            Surface::Image(image) => Ok(Some(image)),
            Surface::Null => Ok(None),
            Surface::Refused(fault) => Err(fault.clone()),
            Surface::Buffer(_) => {
                Err(Fault::new("typed access to a buffer", format!("binding table entry {index}")))
            }
        }
    }
}

/// Shared local memory of a group.
#[derive(Clone, Debug, Default)]
pub struct Local {
    bytes: Vec<u8>,
}

/// Local addresses have 16 bits: code sets higher ones so that a null pointer differs.
const LOCAL_MASK: u64 = 0xffff;

impl Local {
    /// `size` bytes of zeros.
    pub fn new(size: usize) -> Self {
        Self { bytes: vec![0; size] }
    }

    /// Reads up to 8 bytes; `None` outside.
    #[inline]
    pub fn load(&self, address: u64, bytes: usize) -> Option<u64> {
        let at = (address & LOCAL_MASK) as usize;
        (at + bytes <= self.bytes.len()).then(|| read_little(&self.bytes, at, bytes))
    }

    /// Writes up to 8 bytes; `None` and nothing written outside.
    #[inline]
    pub fn store(&mut self, address: u64, bytes: usize, value: u64) -> Option<()> {
        let at = (address & LOCAL_MASK) as usize;
        self.bytes.get_mut(at..at + bytes)?.copy_from_slice(&value.to_le_bytes()[..bytes]);
        Some(())
    }

    /// Bytes.
    pub fn size(&self) -> usize {
        self.bytes.len()
    }
}

/// Bound surfaces and samplers that a device keeps.
pub const BOUND: usize = 32;

/// The sampler of a thread.
pub type SamplerDevice = Device<'static, BOUND, BOUND>;

/// A thread.
#[derive(Debug)]
pub struct Thread {
    /// Its registers.
    pub registers: Registers,
    /// Where its channels are.
    pub flow: Flow,
    /// Scratch memory.
    pub scratch: Vec<u8>,
    /// The scratch memory's address in 32-bit addresses: r0.5 without its low bits.
    pub scratch_base: u32,
    /// The group's local memory, while the thread runs.
    pub local: Local,
    /// The sampler, while the thread runs; made by the first message.
    pub device: Option<Box<SamplerDevice>>,
    /// Group number times threads of a group, plus the thread's number.
    pub number: u32,
    /// Byte offset of the instruction that runs.
    pub offset: u32,
    /// Keeps sampler messages.
    pub record: bool,
    /// Sampler messages, in order.
    pub records: Vec<SamplerRecord>,
    /// Instructions executed.
    pub executed: u64,
    /// Accesses outside surfaces.
    pub outside: Outside,
    /// It has told the gateway that it is at the barrier.
    pub signalled: bool,
    /// All others have arrived: it may pass.
    pub released: bool,
    /// It has ended.
    pub ended: bool,
}

impl Thread {
    /// Where `bytes` bytes at a 32-bit address are in the scratch memory.
    #[inline]
    pub fn scratch_at(&self, address: u64, bytes: usize) -> Option<usize> {
        let at = usize::try_from(address.checked_sub(u64::from(self.scratch_base))?).ok()?;
        (at.checked_add(bytes)? <= self.scratch.len()).then_some(at)
    }
}
