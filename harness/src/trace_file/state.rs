//! The state of a trace, from which jobs for any engine are made.

use super::MemoryMap;
use crate::engine::{Job, Precision};
use std::collections::BTreeMap;
use texwire::format;
use texwire::message::{Binding, Message, Payload};
use texwire::state::{BorderColor, SamplerState, SurfaceState};
use texwire::trace::replay::TraceMemory;
use texwire::trace::{Event, FrameOrder, Record, RecordKind, StreamHeader};

/// The state that the records of a trace have set so far, as plain data, from which [`Job`]s for any engine are made.
#[derive(Clone, Debug, Default)]
pub struct TraceState {
    header: Option<StreamHeader>,
    surfaces: BTreeMap<u32, [u8; 64]>,
    samplers: BTreeMap<u32, [u8; 16]>,
    borders: BTreeMap<u32, [u8; 16]>,
    palettes: BTreeMap<u8, Vec<u32>>,
    coarse: u32,
    memory: MemoryMap,
}

impl TraceState {
    /// Follows an event of the decoder. Returns its record; `None` for dropped bytes, repeated frames and records that do not parse.
    /// A header with number 0 starts a new stream and clears the state.
    pub fn event<'a>(&mut self, event: &Event<'a>) -> Option<Record<'a>> {
        let Event::Frame { frame, order, .. } = event else { return None };
        if *order == FrameOrder::Repeated {
            return None;
        }
        if frame.kind == RecordKind::HEADER && frame.sequence == 0 {
            *self = Self::default();
        }
        let record = frame.record().ok().flatten()?;
        self.record(&record);
        Some(record)
    }

    /// Applies a record that sets state; at a message, joins the pieces of memory.
    pub fn record(&mut self, record: &Record<'_>) {
        match *record {
            Record::Header(header) => self.header = Some(header),
            Record::Palette { palette, first, entries } => {
                let known = self.palettes.entry(palette).or_default();
                let at = usize::from(first);
                known.resize(known.len().max(at + entries.len() / 4), 0);
                for (place, entry) in known[at..].iter_mut().zip(entries.as_chunks().0) {
                    *place = u32::from_le_bytes(*entry);
                }
            }
            Record::Coarse { lod } => self.coarse = lod,
            Record::Surface { slot, state } => drop(self.surfaces.insert(slot.into(), *state)),
            Record::Sampler { slot, state } => drop(self.samplers.insert(slot.into(), *state)),
            Record::Border { offset, color } => drop(self.borders.insert(offset, *color)),
            // An error means contents past the end of the address space: they are not stored, and reads of them fault.
            Record::Memory { address, bytes } => drop(self.memory.write(address, bytes)),
            Record::Unmap { address, length } => drop(self.memory.unmap(address, length)),
            _ if record.kind().is_message() => self.memory.join_pieces(),
            _ => {}
        }
    }

    /// Returns the memory that the stream has set so far.
    pub const fn memory(&self) -> &MemoryMap {
        &self.memory
    }

    /// Returns the job of a message, with all state it refers to except the memory, which is [`memory`](Self::memory). `None` for a
    /// record that is not a message, and for TXQ, which does not use the sampler.
    ///
    /// # Errors
    /// In words: what is not set, or does not lower.
    pub fn job(&self, record: &Record<'_>) -> Result<Option<Job>, String> {
        if !matches!(record, Record::Gen(_) | Record::Visa(_)) {
            return Ok(None);
        }
        let header = self.header.ok_or("missing header record")?;
        let platform = header.platform().ok_or_else(|| format!("unknown platform {}", header.platform))?;
        let (message, payload) = match record {
            Record::Gen(message) => message.lower(platform),
            Record::Visa(message) => message.lower(platform),
            _ => return Ok(None),
        }
        .map_err(|why| why.to_string())?;
        self.message_job(&message, &payload, header).map(Some)
    }

    fn palette(&self, surface: &[u8; 64]) -> Vec<u32> {
        let format = SurfaceState::from_bytes(surface).format();
        let number = format::info(format).and_then(|info| info.palette);
        number.and_then(|number| self.palettes.get(&number)).cloned().unwrap_or_default()
    }

    fn message_job(
        &self,
        message: &Message,
        payload: &Payload<'_>,
        header: StreamHeader,
    ) -> Result<Job, String> {
        let surface = self.surfaces.get(&slot(message.surface)?).ok_or("missing surface")?;
        let sampler = match message.op.flags().sampler {
            true => *self.samplers.get(&slot(message.sampler)?).ok_or("missing sampler")?,
            false => [0; 16],
        };
        let sampler = SamplerState::from_bytes(&sampler);
        let border = self.borders.get(&sampler.border_offset()).copied().unwrap_or_default();
        Ok(Job {
            platform: header.platform,
            surface: SurfaceState::from_bytes(surface).dwords,
            sampler: sampler.dwords,
            border: BorderColor::from_bytes(&border).dwords,
            palette: self.palette(surface),
            cps: message.cps.then_some(self.coarse),
            precision: if header.fixed8() { Precision::Fixed8 } else { Precision::Float },
            ..crate::core_engine::job(message, payload)
        })
    }
}

fn slot(binding: Binding) -> Result<u32, String> {
    match binding {
        Binding::Index(index) | Binding::Bindless(index) => Ok(index),
        Binding::Unresolved => Err("unresolved reference".into()),
    }
}
