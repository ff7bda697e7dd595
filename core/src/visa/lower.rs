//! Lowers an instruction, with the thread's run-time values, to a [`Message`] and its [`Payload`].
//!
//! There are two entry points: [`SamplerInstruction::lower`] takes the values from a trace record,
//! [`SamplerInstruction::lower_registers`] reads them from the thread's variables.
//!
//! Lanes: lane 0 of an instruction with mask Mk is lane 4(k-1) of the thread; dispatch mask and predicate are
//! counted in lanes of the thread. `_NM` ignores the dispatch mask, not the predicate. `any` and `all` combine the
//! predicate's bits of all lanes of the instruction, dispatched or not, into one result for all lanes; `!` inverts that
//! result or, without `any` and `all`, each lane (Intel's PRM: predicate inversion comes after predicate control).

use super::media::{MediaInstruction, MediaValue};
use super::operand::{RawOperand, Type, VectorKind, VectorOperand};
use super::sampler::{PredicateCombine, SamplerInstruction, SamplerOpcode, TexelOffsets};
use super::symbols::Symbols;
use crate::bits;
use crate::error::{Error, Kind, Result, What};
use crate::message::{Binding, Channels, Message, Op, Payload, Width};
use crate::platform::Platform;

/// The run-time values of a thread that executes an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Runtime {
    /// The platform; its register size determines the layout of the results.
    pub platform: Platform,
    /// The dispatch mask, bit n = lane n of the thread.
    pub dispatch: u32,
    /// The value of the instruction's predicate variable, bit n = lane n of the thread; ignored without predicate.
    pub predicate: u32,
    /// The texel offsets at run time; `None`: those of the immediate.
    pub aoffimmi: Option<u16>,
    /// Width of every parameter.
    pub param_width: Width,
    /// Width of the result.
    pub return_width: Width,
}

impl Runtime {
    /// Returns values for every lane, 32-bit parameters and results, and the offsets in the instruction.
    pub const fn new(platform: Platform) -> Self {
        Self {
            platform,
            dispatch: u32::MAX,
            predicate: u32::MAX,
            aoffimmi: None,
            param_width: Width::Full,
            return_width: Width::Full,
        }
    }
}

/// Access to the variables of a thread.
pub trait Registers {
    /// Returns `len` bytes of `variable` (index as in [`RawOperand`]; the implementation resolves aliases) from byte `offset`
    /// on; `None` if they do not exist.
    fn bytes(&self, variable: u32, offset: usize, len: usize) -> Option<&[u8]>;

    /// Returns the value of predicate `index` (1 and up), bit n = lane n of the thread.
    fn predicate(&self, index: u16) -> u32;

    /// Returns `len` bytes from where element `element` of address variable `address` points, plus `offset` bytes; `None` if
    /// they do not exist.
    fn indirect(&self, address: u16, element: u8, offset: i16, len: usize) -> Option<&[u8]> {
        let _ = (address, element, offset, len);
        None
    }
}

impl SamplerInstruction<'_> {
    /// Lowers the instruction to the wire-neutral message.
    ///
    /// A destination `%null` gives a message without channels: nothing is written back. (Messages of the gather4 family
    /// return four channels all the same; do not store them.) Surface and sampler are the indices in the instruction,
    /// including the bindless ones (surface 4, sampler 31).
    ///
    /// # Errors
    /// `Invalid ParameterCount` when it has more parameters than the operation takes; `Unsupported VectorOperand` when
    /// the offsets are in a register and `runtime` has no value for them; `NotOnPlatform Instruction` when the platform
    /// is not Intel's.
    pub fn lower(&self, runtime: &Runtime) -> Result<Message> {
        let op = self.operation().op;
        let params = match self.lod {
            Some(_) => 1,
            None => self.params.len(),
        };
        let mut message = message(op, params, runtime)?;
        message.simd = self.exec_size();
        message.lanes = self.lanes(runtime.dispatch, runtime.predicate) & message.all_lanes();
        message.offsets = self.run_offsets(runtime)?.uvr;
        message.null_mask = self.null_mask();
        message.cps = self.cps();
        message.non_uniform = self.non_uniform();
        message.surface = Binding::Index(self.surface.into());
        message.sampler = Binding::Index(self.sampler.into());
        if self.opcode == SamplerOpcode::Gather4 {
            message.gather = self.channels & 3;
        }
        message.channels = self.channel_mask();
        if self.dst.is_null() {
            message.channels = Channels::new(0);
            message.null_mask = false;
        }
        Ok(message)
    }

    /// Splits the bytes of a trace record into a payload: the parameters in order, each with `exec_size` lanes and padded to
    /// a multiple of 4 bytes.
    ///
    /// # Errors
    /// `Truncated Payload`; `Invalid ParameterCount`.
    pub fn payload<'p>(&self, message: &Message, bytes: &'p [u8]) -> Result<Payload<'p>> {
        let lanes = usize::from(message.simd).wrapping_mul(message.param_width.bytes());
        Payload::split([bytes, &[]], lanes.next_multiple_of(4), message.params.into())
    }

    /// Lowers the instruction to a message and its payload, with values from a thread's variables.
    ///
    /// The widths are those of the variables' declared types; 32 bits without a declaration and for `%null`.
    ///
    /// # Errors
    /// As [`lower`](Self::lower); `Invalid ElementType` for a type that is not the sampler's or parameters of
    /// different widths; `Invalid Registers` when `registers` does not have the bytes of a variable.
    pub fn lower_registers<'r>(
        &self,
        platform: Platform,
        dispatch: u32,
        symbols: &impl Symbols,
        registers: &'r impl Registers,
    ) -> Result<(Message, Payload<'r>)> {
        let mut runtime = Runtime { dispatch, ..Runtime::new(platform) };
        runtime.return_width = width(self.dst, symbols)?.unwrap_or_default();
        runtime.param_width = self.param_width(symbols)?;
        if let Some(predicate) = self.predicate() {
            runtime.predicate = registers.predicate(predicate.index);
        }
        if let Some(vector) = &self.aoffimmi {
            runtime.aoffimmi = Some(scalar(vector, platform, symbols, registers)?);
        }
        let message = self.lower(&runtime)?;
        let length = usize::from(message.simd).wrapping_mul(message.param_width.bytes());
        let mut payload = Payload::new();
        for raw in self.lod.into_iter().chain(self.params) {
            payload.push(lanes_of(raw, length, registers)?)?;
        }
        Ok((message, payload))
    }

    /// Returns the variable and the byte offset that the result is written to, and its length in bytes; `None` for `%null`.
    pub fn destination(&self, message: &Message) -> Option<(u32, usize, usize)> {
        if self.dst.is_null() {
            return None;
        }
        Some((self.dst.index, self.dst.offset.into(), message.response().len.into()))
    }

    /// Returns the mask of the instruction's lanes that execute, by the thread's dispatch mask and predicate value.
    pub fn lanes(&self, dispatch: u32, predicate: u32) -> u32 {
        let all = bits::mask(self.exec_size().into()) as u32;
        let mask = self.exec_mask();
        let shift = mask.first_lane();
        let dispatched = if mask.no_mask { all } else { dispatch >> shift & all };
        let Some(p) = self.predicate() else { return dispatched };
        let value = predicate >> shift & all;
        let whole = |yes: bool| if yes { all } else { 0 };
        let value = match p.control {
            PredicateCombine::None => value,
            PredicateCombine::Any => whole(value != 0),
            PredicateCombine::All => whole(value == all),
        };
        dispatched & if p.inverse { !value } else { value }
    }

    fn run_offsets(&self, runtime: &Runtime) -> Result<TexelOffsets> {
        let unsupported = Error::new(Kind::Unsupported, What::VectorOperand);
        match runtime.aoffimmi {
            Some(value) if self.aoffimmi.is_some() => Ok(TexelOffsets::from_bits(value)),
            _ => self.offsets().ok_or(unsupported),
        }
    }

    fn param_width(&self, symbols: &impl Symbols) -> Result<Width> {
        let mut found = None;
        for raw in self.lod.into_iter().chain(self.params) {
            let width = width(raw, symbols)?;
            match (found, width) {
                (Some(one), Some(other)) if one != other => {
                    return Err(Error::new(Kind::Invalid, What::ElementType).value(raw.index.into()));
                }
                _ => found = found.or(width),
            }
        }
        Ok(found.unwrap_or_default())
    }
}

/// Checks platform and parameter count, and returns a message with the fields that sampler and media instructions share.
fn message(op: Op, params: usize, runtime: &Runtime) -> Result<Message> {
    if matches!(runtime.platform, Platform::Maxwell | Platform::Pascal) {
        return Err(Error::new(Kind::NotOnPlatform, What::Instruction));
    }
    if params > op.params(runtime.param_width).len() {
        return Err(Error::new(Kind::Invalid, What::ParameterCount).value(params as u64));
    }
    let mut message = Message::new(op);
    message.params = params as u8;
    message.param_width = runtime.param_width;
    message.return_width = runtime.return_width;
    message.register_bytes = runtime.platform.register_bytes() as u8;
    Ok(message)
}

/// Returns the width of the variable's declared type; `None` for `%null`, predefined variables and unknown types.
fn width(raw: RawOperand, symbols: &impl Symbols) -> Result<Option<Width>> {
    let Some(kind) = symbols.variable(raw.index).and_then(|variable| variable.kind) else { return Ok(None) };
    let error = Error::new(Kind::Invalid, What::ElementType).value(kind.code().into());
    kind.width().map(Some).ok_or(error)
}

/// Returns the bytes of a raw operand's lanes; none for `%null`, which reads as 0.
fn lanes_of(raw: RawOperand, length: usize, registers: &impl Registers) -> Result<&[u8]> {
    if raw.is_null() {
        return Ok(&[]);
    }
    let missing = Error::new(Kind::Invalid, What::Registers).value(raw.index.into());
    registers.bytes(raw.index, raw.offset.into(), length).ok_or(missing)
}

/// Returns the low word of a scalar vector operand; a byte is zero-extended.
fn scalar(
    vector: &VectorOperand,
    platform: Platform,
    symbols: &impl Symbols,
    registers: &impl Registers,
) -> Result<u16> {
    let error = Error::new(Kind::Invalid, What::Registers).value(vector.tag.into());
    let bytes = match vector.kind {
        VectorKind::Immediate { value, .. } => return Ok(value as u16),
        VectorKind::General { index, row, column, .. } => {
            let kind = symbols.variable(index).and_then(|variable| variable.kind).unwrap_or(Type::Uw);
            let column = usize::from(column).wrapping_mul(kind.bytes());
            let offset = usize::from(row).wrapping_mul(platform.register_bytes()).wrapping_add(column);
            registers.bytes(index, offset, kind.bytes().min(2))
        }
        VectorKind::Indirect { index, offset, bytes, kind, .. } => {
            registers.indirect(index, offset, bytes, Type::from_code(kind).bytes().min(2))
        }
        _ => return Err(Error::new(Kind::Unsupported, What::VectorOperand).value(vector.tag.into())),
    };
    match *bytes.ok_or(error)? {
        [low] => Ok(low.into()),
        [low, high, ..] => Ok(u16::from_le_bytes([low, high])),
        [] => Err(error),
    }
}

impl MediaInstruction<'_> {
    /// Lowers `sample` (0x40) or `load` (0x42), which have three coordinates and no flags, to the wire-neutral message.
    ///
    /// `load` becomes `ld_lz`, which reads level 0: the instruction has no LOD, and no source says where one would come
    /// from.
    ///
    /// # Errors
    /// `Unsupported Opcode` for other media instructions; `Invalid ChannelMask`, `Invalid ExecSize` (mode neither
    /// SIMD8 nor SIMD16); `NotOnPlatform Instruction` when the platform is not Intel's.
    pub fn lower(&self, runtime: &Runtime) -> Result<Message> {
        let op = match self.opcode {
            0x40 => Op::Sample,
            0x42 => Op::LdLz,
            opcode => return Err(Error::new(Kind::Unsupported, What::Opcode).at(0).value(opcode.into())),
        };
        let mode = self.byte("mode").unwrap_or(0);
        let mut message = message(op, 3, runtime)?;
        message.simd = match mode >> 4 & 3 {
            0 => 8,
            1 => 16,
            code => return Err(Error::new(Kind::Invalid, What::ExecSize).at(1).bit(4).value(code.into())),
        };
        if mode & 15 == 0 {
            return Err(Error::new(Kind::Invalid, What::ChannelMask).at(1).value(0));
        }
        message.channels = Channels::new(mode);
        message.lanes = runtime.dispatch & message.all_lanes();
        message.surface = Binding::Index(self.byte("surface").unwrap_or(0).into());
        message.sampler = Binding::Index(self.byte("sampler").unwrap_or(0).into());
        Ok(message)
    }

    /// Returns the raw operand called `name`.
    pub fn raw(&self, name: &str) -> Option<RawOperand> {
        match self.field(name) {
            Some(MediaValue::Raw(raw)) => Some(raw),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::enums::SurfaceFormat;
    use crate::memory::LinearMemory;
    use crate::sample::{self, Texture};
    use crate::state::{ChannelSelect, SamplerState, SurfaceState, SurfaceType};
    use crate::trace::VisaRecord;
    use crate::visa::{Anonymous, Version, assemble};
    use std::vec::Vec;

    /// Returns `sample_lz.RGBA (M1, 16) 0x0:uw S0 T6 V0071.0 V0067.0 V0069.0` with this execution byte and predicate field.
    fn sample_lz(exec: u8, pred: u16) -> Vec<u8> {
        let [low, high] = pred.to_le_bytes();
        let mut bytes = std::vec![0x6d, 0x18, 0, exec, low, high, 0x0f, 5, 2, 0x17, 0x82, 0, 0, 0, 6];
        bytes.extend([0x47, 0, 0, 0, 0, 0, 2, 0x43, 0, 0, 0, 0, 0, 0x45, 0, 0, 0, 0, 0]);
        bytes
    }

    #[test]
    fn lanes_follow_mask_predicate_and_control() {
        let lanes = |exec, pred| {
            let bytes = sample_lz(exec, pred);
            SamplerInstruction::decode(&bytes, Version::V4_1).unwrap().lanes(0x1234_5678, 0x00ff_00f0)
        };
        assert_eq!(lanes(0x04, 0), 0x5678, "M1, 16");
        assert_eq!(lanes(0x44, 0), 0x1234, "M5, 16");
        assert_eq!(lanes(0x23, 0), 0x56, "M3, 8");
        assert_eq!(lanes(0xc4, 0), 0xffff, "M5_NM, 16");
        assert_eq!(lanes(0x05, 0), 0x1234_5678, "M1, 32");
        assert_eq!(lanes(0x44, 1), 0x0034, "(P1)");
        assert_eq!(lanes(0x44, 0x8001), 0x1200, "(!P1)");
        assert_eq!(lanes(0x44, 0x2001), 0x1234, "(P1.any)");
        assert_eq!(lanes(0x44, 0xa001), 0, "(!P1.any)");
        assert_eq!(lanes(0x44, 0x4001), 0, "(P1.all)");
        assert_eq!(lanes(0x44, 0xc001), 0x1234, "(!P1.all)");
        assert_eq!(lanes(0xc4, 1), 0x00ff, "(P1), M5_NM");
    }

    #[test]
    fn a_record_becomes_a_message_and_its_payload() {
        let instruction = sample_lz(0x03, 0);
        let params: Vec<u8> = (0..32).collect();
        let record = VisaRecord {
            thread: 0,
            dispatch: 0xff,
            predicate: 0,
            aoffimmi: 0x8217,
            dst_type: Type::Hf.code(),
            version: [4, 1],
            instruction: &instruction,
            half: true,
            params: &params,
        };
        let (message, payload) = record.lower(Platform::XeHpc).unwrap();
        assert_eq!((message.op, message.simd, message.lanes), (Op::SampleLz, 8, 0xff));
        assert_eq!((message.param_width, message.return_width), (Width::Half, Width::Half));
        assert_eq!(message.offsets, [2, 1, 7]);
        assert_eq!(message.response().stride, 64);
        assert_eq!((payload.slot(0), payload.slot(1)), (&params[..16], &params[16..]));
        let short = VisaRecord { params: &params[..31], ..record };
        assert_eq!(short.lower(Platform::Gen11).unwrap_err().kind(), Kind::Truncated);
    }

    struct Thread {
        file: [u8; 128],
    }

    impl Registers for Thread {
        fn bytes(&self, variable: u32, offset: usize, len: usize) -> Option<&[u8]> {
            let start = (variable as usize).checked_sub(0x43)?.checked_mul(32)?.checked_add(offset)?;
            self.file.get(start..)?.get(..len)
        }

        fn predicate(&self, index: u16) -> u32 {
            u32::from(index)
        }
    }

    #[test]
    fn variables_are_read_where_they_are() {
        let bytes = sample_lz(0x03, 3);
        let sampler = SamplerInstruction::decode(&bytes, Version::V4_1).unwrap();
        let thread = Thread { file: core::array::from_fn(|i| i as u8) };
        let (message, payload) = sampler.lower_registers(Platform::Gen11, 0xff, &Anonymous, &thread).unwrap();
        assert_eq!((message.lanes, message.params), (3, 2));
        assert_eq!((payload.slot(0), payload.slot(1)), (&thread.file[..32], &thread.file[64..96]));
        assert_eq!(sampler.destination(&message), Some((0x47, 0, 128)));
    }

    /// A 4x4 RGBA8 surface whose texel n is (n, 2n, 3n, 4n).
    fn surface() -> (SurfaceState, [u8; 64]) {
        let mut surface = SurfaceState { dwords: [0; 16] };
        surface.set_surface_type(SurfaceType::D2).set_format(SurfaceFormat::R8G8B8A8_UNORM);
        surface
            .set_width(4)
            .unwrap()
            .set_height(4)
            .unwrap()
            .set_depth(1)
            .unwrap()
            .set_pitch(16)
            .unwrap()
            .set_mip_count(1)
            .unwrap()
            .set_halign(4)
            .set_valign(4);
        let select = [ChannelSelect::Red, ChannelSelect::Green, ChannelSelect::Blue, ChannelSelect::Alpha];
        surface.set_channel_select(select);
        (surface, core::array::from_fn(|i| (i / 4 * (i % 4 + 1)) as u8))
    }

    /// Executes `line` with U and V at the centres of texels 0 to 7, and returns the result, which held 0xaa bytes before.
    fn execute(line: &str, platform: Platform) -> Vec<u8> {
        let mut bytes = [0; 64];
        let length = assemble(line, &Anonymous, Version::V4_1, &mut bytes).unwrap();
        let instruction = &bytes[..length];
        let coordinate =
            |lane: u8, axis: u8| (f32::from(if axis == 0 { lane % 4 } else { lane / 4 }) + 0.5) / 4.0;
        let params: Vec<u8> = (0..16).flat_map(|i: u8| coordinate(i % 8, i / 8).to_le_bytes()).collect();
        let record = VisaRecord {
            thread: 0,
            dispatch: 0xff,
            predicate: 0x33,
            aoffimmi: 0,
            dst_type: Type::F.code(),
            version: [4, 1],
            instruction,
            half: false,
            params: &params,
        };
        let (message, payload) = record.lower(platform).unwrap();
        let (surface, texels) = surface();
        let texture = Texture::bind(&surface, platform).unwrap();
        let sampler = sample::Sampler::bind(&SamplerState { dwords: [0; 4] }, &[0; 4]).unwrap();
        let memory = LinearMemory { base: 0, bytes: &texels };
        let mut result = std::vec![0xaa; message.response().len.into()];
        texture.execute(&message, &payload, &sampler, &memory, &mut result).unwrap();
        result
    }

    #[test]
    fn an_instruction_executes_into_its_destination() {
        let line = "(P1) sample_lz.GA (M1, 8)  0x0:uw S0 T6 V0040.0 V0032.0 V0033.0";
        for (platform, register) in [(Platform::Gen11, 32), (Platform::XeHpc, 64)] {
            let result = execute(line, platform);
            assert_eq!(result.len(), 2 * register);
            for lane in 0..8 {
                let at = |channel: usize| {
                    let at = channel * register + lane * 4;
                    f32::from_le_bytes(result[at..at + 4].try_into().unwrap())
                };
                if 0x33 >> lane & 1 == 1 {
                    assert_eq!(
                        (at(0), at(1)),
                        (lane as f32 * 2.0 / 255.0, lane as f32 * 4.0 / 255.0),
                        "{platform}"
                    );
                } else {
                    assert_eq!(
                        (at(0).to_bits(), at(1).to_bits()),
                        (0xaaaa_aaaa, 0xaaaa_aaaa),
                        "lane {lane} is off"
                    );
                }
            }
        }
        let gathered = execute("sample4.B (M1, 8) 0x0:uw S0 T6 V0040.0 V0032.0 V0033.0", Platform::Gen11);
        assert_eq!(gathered.len(), 4 * 32);
    }
}
