//! The state of a trace as jobs for any engine.

use crate::engine::{Job, Precision, Region};
use std::collections::BTreeMap;
use texwire::format;
use texwire::message::{Binding, Message, Payload};
use texwire::state::SurfaceState;
use texwire::trace::{Event, Header, Kind, Record};

/// The state of a trace up to here, as plain data: what [`Job`]s for any engine are made from.
#[derive(Clone, Debug, Default)]
pub struct State {
    header: Option<Header>,
    surfaces: BTreeMap<u32, [u8; 64]>,
    samplers: BTreeMap<u32, [u8; 16]>,
    borders: BTreeMap<u32, [u8; 16]>,
    palettes: BTreeMap<u8, Vec<u32>>,
    coarse: u32,
    memory: BTreeMap<u64, Vec<u8>>,
    nulls: Vec<(u64, u64)>,
}

impl State {
    /// Takes what a decoder found; the record, if it is a good one. A header with number 0 starts a new stream.
    pub fn event<'a>(&mut self, event: &Event<'a>) -> Option<Record<'a>> {
        let Event::Frame { frame, .. } = event else { return None };
        if frame.kind == Kind::HEADER && frame.sequence == 0 {
            *self = Self::default();
        }
        let record = frame.record().ok().flatten()?;
        self.record(&record);
        Some(record)
    }

    /// Takes a record that sets state.
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
            Record::Memory { address, bytes } => self.write(address, bytes),
            Record::Unmap { address, length } => {
                self.cut_nulls(address, address.saturating_add(length));
                self.nulls.push((address, length));
            }
            _ => {}
        }
    }

    /// The contents of a region that is there are replaced, a neighbour grows, else it is a new one.
    fn write(&mut self, address: u64, bytes: &[u8]) {
        let end = address.saturating_add(bytes.len() as u64);
        self.cut_nulls(address, end);
        // Joins everything that touches the new bytes.
        let touching: Vec<u64> = self
            .memory
            .range(..=end)
            .filter(|(at, known)| at.saturating_add(known.len() as u64) >= address)
            .map(|(&at, _)| at)
            .collect();
        let start = touching.first().copied().unwrap_or(address).min(address);
        let mut joined = touching.first().and_then(|at| self.memory.remove(at)).unwrap_or_default();
        if start == address && touching.first() != Some(&address) {
            // The first region begins behind the new bytes.
            let behind = std::mem::take(&mut joined);
            if let Some(&at) = touching.first() {
                place(&mut joined, (at - start) as usize, &behind);
            }
        }
        for at in touching.iter().skip(1) {
            let part = self.memory.remove(at).unwrap_or_default();
            place(&mut joined, (at - start) as usize, &part);
        }
        place(&mut joined, (address - start) as usize, bytes);
        self.memory.insert(start, joined);
    }

    fn cut_nulls(&mut self, start: u64, end: u64) {
        let parts = self.nulls.iter().flat_map(|&(at, len)| {
            let stop = at.saturating_add(len);
            [(at, stop.min(start)), (at.max(end), stop)]
        });
        self.nulls = parts.filter(|(from, to)| from < to).map(|(from, to)| (from, to - from)).collect();
    }

    /// The job of a message, with all state it refers to; `None` for a record that is none, and for
    /// TXQ, which asks no sampler.
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

    fn message_job(&self, message: &Message, payload: &Payload<'_>, header: Header) -> Result<Job, String> {
        let surface = self.surfaces.get(&slot(message.surface)?).ok_or("missing surface")?;
        let sampler = match message.op.flags().sampler {
            true => *self.samplers.get(&slot(message.sampler)?).ok_or("missing sampler")?,
            false => [0; 16],
        };
        let state = texwire::state::SamplerState::from_bytes(&sampler);
        let border = self.borders.get(&state.border_offset()).copied().unwrap_or_default();
        Ok(Job {
            platform: header.platform,
            surface: dwords(surface),
            sampler: dwords(&sampler),
            border: dwords(&border),
            palette: self.palette(surface),
            cps: message.cps.then_some(self.coarse),
            memory: self
                .memory
                .iter()
                .map(|(&address, bytes)| Region { address, bytes: bytes.clone() })
                .collect(),
            null_pages: self.nulls.clone(),
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

fn dwords<const D: usize>(bytes: &[u8]) -> [u32; D] {
    let mut dwords = [0; D];
    for (to, from) in dwords.iter_mut().zip(bytes.chunks_exact(4)) {
        *to = from.iter().rev().fold(0, |value, &byte| value << 8 | u32::from(byte));
    }
    dwords
}

/// Puts `part` at `at` of `whole`, which grows as needed.
fn place(whole: &mut Vec<u8>, at: usize, part: &[u8]) {
    let end = at + part.len();
    if whole.len() < end {
        whole.resize(end, 0);
    }
    whole[at..end].copy_from_slice(part);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_joins_and_nulls_are_cut() {
        let mut state = State::default();
        state.write(100, &[1; 4]);
        state.write(108, &[2; 4]);
        state.write(102, &[3; 6]);
        assert_eq!(state.memory[&100], [1, 1, 3, 3, 3, 3, 3, 3, 2, 2, 2, 2]);
        state.write(90, &[4; 11]);
        assert_eq!(state.memory.len(), 1);
        assert_eq!(state.memory[&90][9..13], [4, 4, 1, 3]);
        state.record(&Record::Unmap { address: 0, length: 200 });
        state.write(50, &[5; 10]);
        assert_eq!(state.nulls, [(0, 50), (60, 140)]);
    }
}
