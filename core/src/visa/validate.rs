//! Rules that a decoded vISA instruction may break on a platform.
//!
//! Sources: the tool's verifier (`IsaVerification.cpp`), its code generator, and the documents `3D_SAMPLE`, `3D_SAMPLE4`, `INFO`.
//! Rules about declarations need the container's tables; with [`Anonymous`](super::Anonymous) they are never broken.

use super::operand::{FIRST_VARIABLE, RawOperand, Type, VectorKind};
use super::sampler::{SamplerInstruction, SamplerOpcode};
use super::symbols::{Symbols, Variable};
use super::{MediaInstruction, MediaValue};
use crate::message::{Op, Width};
use crate::platform::Platform;
use crate::rules::Violations;

rules! {
    /// Rules of vISA sampler instructions.
    pub enum VisaRule {
        Platform = "platform", "vISA runs on Intel platforms.";
        ExecPair = "exec-pair", "Size 32 and 16 begin at M1 or M5, size 8 at M1, M3, M5 or M7 (tool: invalid emask).";
        ExecSize = "exec-size", "Documented sizes are 8 and 16, for gather4 also 32; the tool takes all.";
        OpReserved = "op-reserved", "Unused bits of the operation field are 0.";
        FlagElsewhere = "flag-elsewhere", "CPS and divS bits belong to 3d_sample; elsewhere the tool ignores them.";
        PredReserved = "pred-reserved", "Bit 12 of the predicate field is 0.";
        ChannelsReserved = "channels-reserved", "Bits 7..4 of the channel mask are 0.";
        AoffimmiReserved = "aoffimmi-reserved", "Bits 14..12 of the texel offsets are 0.";
        AoffimmiType = "aoffimmi-type", "Texel offsets are a scalar word (uw; the tool also takes ud, w and a register).";
        AoffimmiUseless = "aoffimmi-useless", "LOD takes no texel offsets.";
        CpsPlatform = "cps-platform", "CPS LOD compensation needs Ice Lake or later (document 3D_SAMPLE).";
        CpsOperation = "cps-operation", "CPS LOD compensation is for sample, sample_b, sample_b_c, sample_c and LOD.";
        CpsExecSize = "cps-exec-size", "CPS LOD compensation needs execution size 8 or 16.";
        CpsDestination = "cps-destination", "CPS LOD compensation needs a response: the destination is not %null.";
        LodChannels = "lod-channels", "LOD defines red and green only; blue and alpha are masked out (document 3D_SAMPLE).";
        PoPlatform = "po-platform", "On DG2 and later sample4_po and sample4_po_c store a channel mask: the channel is not certain.";
        LaterOperation = "later-operation", "The operation is of later compilers; release 12504.6 does not know it.";
        TooManyParameters = "too-many-parameters", "The operation takes no more parameters than its list has.";
        UndeclaredVariable = "undeclared-variable", "Variables are predefined or declared.";
        UndeclaredSampler = "undeclared-sampler", "Samplers are declared, or 31.";
        UndeclaredSurface = "undeclared-surface", "Surfaces are predefined or declared.";
        UndeclaredPredicate = "undeclared-predicate", "Predicates are declared.";
        SlmSurface = "slm-surface", "The sampler does not read shared local memory (surface 0).";
        RawAlignment = "raw-alignment", "Raw operands of variables of a register or more are register aligned, aliases included.";
        RawRange = "raw-range", "Raw operands begin inside their variable.";
        AliasChain = "alias-chain", "Alias chains end.";
        ParameterType = "parameter-type", "Parameters are f or hf; integers where the operation takes integers.";
        MixedWidths = "mixed-widths", "All parameters have the same width.";
        HalfPlatform = "half-platform", "Half float parameters need Ice Lake or later.";
        DestinationType = "destination-type", "The destination has type hf, f, w, uw, d or ud; for info ud.";
        DestinationSize = "destination-size", "The destination holds the whole result.";
        DestinationReadOnly = "destination-read-only", "Predefined variables other than %null are not written.";
        LodType = "lod-type", "The LOD of resinfo has type ud.";
        MediaMode = "media-mode", "SIMD mode is 0 or 1, the channel mask not 0.";
        MediaSurface = "media-surface", "The surface of a media instruction is not SLM.";
        MediaOperand = "media-operand", "Coordinates of sample_unorm and avs are general, indirect or immediate.";
        MediaControl = "media-control", "Control and execution mode of avs are 0 to 3.";
    }
}

/// The longest alias chain that is followed; a longer one counts as endless.
const MAX_ALIASES: usize = 16;

type Found = Violations<VisaRule>;

impl SamplerInstruction<'_> {
    /// Returns the rules that the instruction breaks on `platform`. `symbols` has the declarations.
    pub fn validate(&self, platform: Platform, symbols: &impl Symbols) -> Violations<VisaRule> {
        let mut found = Found::NONE;
        found.add(VisaRule::Platform, matches!(platform, Platform::Maxwell | Platform::Pascal));
        self.fields(&mut found);
        self.flags(platform, &mut found);
        self.offset_rules(&mut found);
        self.declarations(symbols, &mut found);
        self.parameters(platform, symbols, &mut found);
        self.destination_rules(platform, symbols, &mut found);
        for raw in self.operands() {
            raw_rules(raw, platform, symbols, &mut found);
        }
        found
    }

    fn operands(&self) -> impl Iterator<Item = RawOperand> {
        self.lod.into_iter().chain([self.dst]).chain(self.params)
    }

    fn fields(&self, found: &mut Found) {
        let quarter = self.exec_mask().quarter;
        let step = match self.exec_size() {
            16 | 32 => 4,
            8 => 2,
            _ => 1,
        };
        found.add(VisaRule::ExecPair, quarter.wrapping_sub(1) & (step - 1) != 0);
        let documented = match self.opcode {
            SamplerOpcode::Gather4 => matches!(self.exec_size(), 8 | 16 | 32),
            _ => matches!(self.exec_size(), 8 | 16),
        };
        found.add(VisaRule::ExecSize, !documented);
        let (unused, elsewhere) = match (self.opcode, self.version.major >= 4) {
            (SamplerOpcode::Info, _) => (0, 0),
            (_, true) => (0xf800, 0x600),
            (_, false) => (0, 0xc0),
        };
        found.add(VisaRule::OpReserved, self.op_field & unused != 0);
        found.add(
            VisaRule::FlagElsewhere,
            self.opcode != SamplerOpcode::Sample && self.op_field & elsewhere != 0,
        );
        found.add(VisaRule::PredReserved, self.pred & 0x1000 != 0);
        found.add(
            VisaRule::ChannelsReserved,
            self.opcode != SamplerOpcode::Gather4 && self.channels & 0xf0 != 0,
        );
        let number = self.operation().number;
        found.add(VisaRule::LaterOperation, matches!(number, 13..=15 | 21 | 23 | 40..));
    }

    fn flags(&self, platform: Platform, found: &mut Found) {
        let op = self.operation().op;
        let cps = self.cps();
        found.add(VisaRule::CpsPlatform, cps && platform < Platform::Gen11);
        let takes = matches!(op, Op::Sample | Op::SampleB | Op::SampleBC | Op::SampleC | Op::Lod);
        found.add(VisaRule::CpsOperation, cps && !takes);
        found.add(VisaRule::CpsExecSize, cps && !matches!(self.exec_size(), 8 | 16));
        found.add(VisaRule::CpsDestination, cps && self.dst.is_null());
        found.add(VisaRule::LodChannels, op == Op::Lod && self.channels & 0xc != 0);
        let po = matches!(self.operation().number, 17 | 18);
        found.add(VisaRule::PoPlatform, po && matches!(platform, Platform::XeHpg | Platform::XeHpc));
    }

    fn offset_rules(&self, found: &mut Found) {
        let Some(offsets) = &self.aoffimmi else { return };
        match offsets.kind {
            VectorKind::Immediate { kind, value } => {
                found.add(VisaRule::AoffimmiReserved, value & 0x7000 != 0);
                let word = matches!(Type::from_code(kind), Type::Uw | Type::Ud | Type::W);
                found.add(VisaRule::AoffimmiType, !word || value > 0xffff);
                found.add(VisaRule::AoffimmiUseless, self.operation().op == Op::Lod && value != 0);
            }
            VectorKind::General { .. } | VectorKind::Indirect { .. } => {}
            _ => found.add(VisaRule::AoffimmiType, true),
        }
    }

    fn declarations(&self, symbols: &impl Symbols, found: &mut Found) {
        let sampler = self.opcode.has_sampler() && !symbols.has_sampler(self.sampler);
        found.add(VisaRule::UndeclaredSampler, sampler);
        found.add(VisaRule::UndeclaredSurface, !symbols.has_surface(self.surface));
        found.add(VisaRule::SlmSurface, self.surface == 0);
        let predicate = self.predicate().is_some_and(|p| !symbols.has_predicate(p.index));
        found.add(VisaRule::UndeclaredPredicate, predicate);
        if let Some(VectorKind::General { index, .. }) = self.aoffimmi.map(|offsets| offsets.kind) {
            let unknown = index >= FIRST_VARIABLE && symbols.variable(index).is_none();
            found.add(VisaRule::UndeclaredVariable, unknown);
        }
    }

    fn parameters(&self, platform: Platform, symbols: &impl Symbols, found: &mut Found) {
        if self.opcode == SamplerOpcode::Info {
            let kind = self.lod.and_then(|lod| kind_of(lod, symbols));
            found.add(VisaRule::LodType, kind.is_some_and(|kind| kind != Type::Ud));
            return;
        }
        let mut first: Option<Width> = None;
        let mut half = false;
        let op = self.operation().op;
        for raw in self.params {
            let Some(kind) = kind_of(raw, symbols) else { continue };
            let width = kind.width();
            found.add(VisaRule::ParameterType, width.is_none());
            half |= width == Some(Width::Half);
            found.add(VisaRule::MixedWidths, matches!((first, width), (Some(a), Some(b)) if a != b));
            first = first.or(width);
        }
        found.add(VisaRule::HalfPlatform, half && platform < Platform::Gen11);
        let list = op.params(first.unwrap_or_default());
        found.add(VisaRule::TooManyParameters, self.params.len() > list.len());
        for (raw, &param) in self.params.zip(list) {
            let Some(kind) = kind_of(raw, symbols) else { continue };
            let float = matches!(kind, Type::F | Type::Hf);
            found.add(VisaRule::ParameterType, float == op.takes_integer(param));
        }
    }

    fn destination_rules(&self, platform: Platform, symbols: &impl Symbols, found: &mut Found) {
        if self.dst.is_null() {
            return;
        }
        found.add(VisaRule::DestinationReadOnly, self.dst.index < FIRST_VARIABLE);
        let Some(variable) = declared(self.dst, symbols) else { return };
        let Some(kind) = variable.kind else { return };
        let width = kind.width();
        let info = self.opcode == SamplerOpcode::Info;
        found.add(VisaRule::DestinationType, width.is_none() || (info && kind != Type::Ud));
        let register = platform.register_bytes();
        let lanes = usize::from(self.exec_size()).wrapping_mul(width.unwrap_or_default().bytes());
        let channels = self.channel_mask().count();
        let mask = if self.null_mask() { register } else { 0 };
        let needed = lanes.next_multiple_of(register).wrapping_mul(channels).wrapping_add(mask);
        let held = usize::from(variable.elements).wrapping_mul(kind.bytes());
        found.add(VisaRule::DestinationSize, usize::from(self.dst.offset).wrapping_add(needed) > held);
    }
}

/// Returns the declaration of the operand's variable; `None` if it is predefined or not declared.
fn declared<'s>(raw: RawOperand, symbols: &'s impl Symbols) -> Option<Variable<'s>> {
    if raw.index < FIRST_VARIABLE { None } else { symbols.variable(raw.index) }
}

fn kind_of(raw: RawOperand, symbols: &impl Symbols) -> Option<Type> {
    declared(raw, symbols)?.kind
}

fn raw_rules(raw: RawOperand, platform: Platform, symbols: &impl Symbols, found: &mut Found) {
    if raw.index < FIRST_VARIABLE {
        return;
    }
    let Some(variable) = symbols.variable(raw.index) else {
        return found.add(VisaRule::UndeclaredVariable, true);
    };
    let Some(kind) = variable.kind else { return };
    let size = usize::from(variable.elements).wrapping_mul(kind.bytes());
    let register = platform.register_bytes();
    let mut offset = usize::from(raw.offset);
    found.add(VisaRule::RawRange, offset >= size.max(1));
    let mut alias = variable.alias;
    for _ in 0..MAX_ALIASES {
        let Some((index, bytes)) = alias else { break };
        offset = offset.wrapping_add(bytes.into());
        match symbols.variable(index) {
            Some(next) => alias = next.alias,
            None => {
                found.add(VisaRule::UndeclaredVariable, index >= FIRST_VARIABLE);
                alias = None;
            }
        }
    }
    found.add(VisaRule::AliasChain, alias.is_some());
    found.add(VisaRule::RawAlignment, size >= register && offset.checked_rem(register) != Some(0));
}

impl MediaInstruction<'_> {
    /// Returns the rules that the instruction breaks on `platform`. `symbols` has the declarations.
    pub fn validate(&self, platform: Platform, symbols: &impl Symbols) -> Violations<VisaRule> {
        let mut found = Found::NONE;
        found.add(VisaRule::Platform, matches!(platform, Platform::Maxwell | Platform::Pascal));
        let sampler = self.byte("sampler").is_some_and(|index| !symbols.has_sampler(index));
        found.add(VisaRule::UndeclaredSampler, sampler);
        let surface = self.byte("surface");
        found.add(VisaRule::UndeclaredSurface, surface.is_some_and(|index| !symbols.has_surface(index)));
        found.add(VisaRule::MediaSurface, surface == Some(0));
        if let (0x40 | 0x42, Some(mode)) = (self.opcode, self.byte("mode")) {
            found.add(VisaRule::MediaMode, mode & 15 == 0 || mode >> 4 > 1);
        }
        if let (0x41 | 0x43, Some(channels)) = (self.opcode, self.byte("channels")) {
            found.add(VisaRule::MediaMode, channels & 15 == 0);
        }
        if self.opcode == 0x43 {
            let control = |name| self.byte(name).is_some_and(|value| value > 3);
            found.add(VisaRule::MediaControl, control("cntrl") || control("exec_mode"));
        }
        for field in self.fields() {
            match field.value {
                MediaValue::Raw(raw) => raw_rules(raw, platform, symbols, &mut found),
                MediaValue::Vector(vector) => {
                    let plain = matches!(
                        vector.kind,
                        VectorKind::General { .. }
                            | VectorKind::Indirect { .. }
                            | VectorKind::Immediate { .. }
                    );
                    found.add(VisaRule::MediaOperand, matches!(self.opcode, 0x41 | 0x43) && !plain);
                }
                MediaValue::Byte(_) => {}
            }
        }
        found
    }
}
