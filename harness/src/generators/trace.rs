//! Traces: records of every kind, streams of them, and damaged streams.

use arbitrary::{Result, Unstructured};
use texwire::trace::{
    Frame, GenRecord, KINDS, MAX_FRAME, OVERHEAD, Record, RecordKind, StreamHeader, TxqRecord, VisaRecord,
    encoded_len,
};

/// Chooses the data of a record, a multiple of `step` bytes: mostly short, in one of eight up to a whole frame.
fn bulk<'a>(u: &mut Unstructured<'a>, step: usize) -> Result<&'a [u8]> {
    let most = if u.ratio(1, 8)? { MAX_FRAME - OVERHEAD - 64 } else { 96 };
    let len = u.int_in_range(0..=most / step)? * step;
    let len = len.min(u.len() / step * step);
    u.bytes(len)
}

fn chunk<'a, const N: usize>(u: &mut Unstructured<'a>) -> Result<&'a [u8; N]> {
    u.bytes(N)?.first_chunk().ok_or(arbitrary::Error::NotEnoughData)
}

/// Generates a record of any kind with arbitrary contents.
///
/// # Errors
/// The bytes are used up.
pub fn record<'a>(u: &mut Unstructured<'a>) -> Result<Record<'a>> {
    Ok(match *u.choose(KINDS)? {
        RecordKind::HEADER => Record::Header(StreamHeader {
            version: u.arbitrary()?,
            platform: u.arbitrary()?,
            flags: u.arbitrary()?,
        }),
        RecordKind::SURFACE => Record::Surface { slot: u.arbitrary()?, state: chunk(u)? },
        RecordKind::SAMPLER => Record::Sampler { slot: u.arbitrary()?, state: chunk(u)? },
        RecordKind::BORDER => Record::Border { offset: u.arbitrary()?, color: chunk(u)? },
        RecordKind::TEX_HEADER => {
            Record::TexHeader { index: u.arbitrary()?, header: chunk(u)?, class: u.arbitrary()? }
        }
        RecordKind::TEX_SAMPLER => Record::TexSampler { index: u.arbitrary()?, sampler: chunk(u)? },
        RecordKind::MEMORY => Record::Memory { address: u.arbitrary()?, bytes: bulk(u, 1)? },
        RecordKind::UNMAP => Record::Unmap { address: u.arbitrary()?, length: u.arbitrary()? },
        RecordKind::CONSTANT => Record::Constant { offset: u.arbitrary()?, bytes: bulk(u, 1)? },
        RecordKind::PALETTE => Record::Palette {
            palette: u.int_in_range(0..=1)?,
            first: u.int_in_range(0..=127)?,
            entries: {
                let entries = bulk(u, 4)?;
                entries.get(..512).unwrap_or(entries)
            },
        },
        RecordKind::COARSE => Record::Coarse { lod: u.arbitrary()? },
        RecordKind::VISA => {
            let len = usize::from(u.int_in_range(0..=40u8)?).min(u.len());
            Record::Visa(VisaRecord {
                thread: u.arbitrary()?,
                dispatch: u.arbitrary()?,
                predicate: u.arbitrary()?,
                aoffimmi: u.arbitrary()?,
                dst_type: u.arbitrary()?,
                version: u.arbitrary()?,
                instruction: u.bytes(len)?,
                half: u.arbitrary()?,
                params: bulk(u, 4)?,
            })
        }
        RecordKind::GEN => Record::Gen(GenRecord {
            thread: u.arbitrary()?,
            dispatch: u.arbitrary()?,
            flags: u.arbitrary()?,
            instruction: chunk(u)?,
            descriptor: u.arbitrary()?,
            extended: u.arbitrary()?,
            payload: bulk(u, 32)?,
        }),
        RecordKind::TXQ => Record::Txq(TxqRecord {
            warp: u.arbitrary()?,
            active: u.arbitrary()?,
            word: u.arbitrary()?,
            control: u.arbitrary()?,
            sources: bulk(u, 4)?,
        }),
        RecordKind::WRITEBACK => Record::Writeback { of: RecordKind(u.arbitrary()?), registers: bulk(u, 1)? },
        RecordKind::MARK => Record::Mark { time: u.arbitrary()?, ticks_per_us: u.arbitrary()? },
        RecordKind::TEXT => Record::Text(u.arbitrary()?),
        RecordKind::LOST => Record::Lost(u.arbitrary()?),
        _ => Record::End { frames: u.arbitrary()? },
    })
}

/// Generates a stream of undamaged frames (one in sixteen of an unknown kind); returns the encoded bytes of each frame.
///
/// Sequence numbers start anywhere and have no gap.
///
/// # Errors
/// The bytes are used up before the first frame.
pub fn frames(u: &mut Unstructured<'_>) -> Result<Vec<Vec<u8>>> {
    let mut sequence: u16 = u.arbitrary()?;
    let mut frames = Vec::new();
    let mut out = vec![0; encoded_len(MAX_FRAME)];
    for _ in 0..u.int_in_range(1..=12)? {
        let unknown = u.ratio(1, 16)?;
        let Ok(record) = record(u) else { break };
        let len = if unknown {
            let frame = Frame { kind: RecordKind(0xf0), flags: 3, sequence, payload: bulk(u, 1)? };
            frame.encode(&mut out).unwrap_or(0)
        } else {
            let mut writer = texwire::trace::Writer::resume(&mut out, sequence);
            // A text may be too long for a frame.
            if writer.write(&record).is_err() {
                continue;
            }
            writer.bytes().len()
        };
        frames.push(out[..len].to_vec());
        sequence = sequence.wrapping_add(1);
    }
    Ok(frames)
}

/// Damages a frame: alters, removes or inserts a byte, or cuts off the end. The delimiter of the frame stays, and the result may be another
/// spelling of the same frame.
///
/// # Errors
/// The bytes are used up.
pub fn damage(u: &mut Unstructured<'_>, frame: &mut Vec<u8>) -> Result<()> {
    let inside = frame.len().saturating_sub(2);
    let at = u.int_in_range(0..=inside)?;
    match u.int_in_range(0..=3u8)? {
        0 => frame[at] ^= u.int_in_range(1..=255u8)?,
        1 => drop(frame.remove(at)),
        2 => frame.insert(at, u.arbitrary()?),
        _ => drop(frame.drain(at..=inside)),
    }
    Ok(())
}

/// A stream as a probe receives it.
#[derive(Clone, Debug, Default)]
pub struct ReceivedStream {
    /// The received bytes.
    pub bytes: Vec<u8>,
    /// The frames that were sent.
    pub sent: Vec<Vec<u8>>,
    /// The number of sent frames that never arrive.
    pub lost: usize,
    /// The number of sent frames that arrive damaged.
    pub damaged: usize,
}

/// Generates a stream with losses and damage: of sixteen frames one is lost, one damaged, one sent twice, and one follows idle bytes or
/// noise. One stream in four begins late, and one in four ends early, possibly inside a frame.
///
/// # Errors
/// The bytes are used up.
pub fn received(u: &mut Unstructured<'_>) -> Result<ReceivedStream> {
    let mut out = ReceivedStream { sent: frames(u)?, ..ReceivedStream::default() };
    for frame in &out.sent {
        match u.int_in_range(0..=15u8)? {
            0 => out.lost += 1,
            1 if frame.len() > 2 => {
                let mut frame = frame.clone();
                damage(u, &mut frame)?;
                out.damaged += 1;
                out.bytes.extend(frame);
            }
            2 => out.bytes.extend([frame.as_slice(), frame].concat()),
            3 => {
                let idle = u.int_in_range(0..=8usize)?.min(u.len());
                let noise = if u.arbitrary()? { vec![0; idle] } else { u.bytes(idle)?.to_vec() };
                out.bytes.extend(noise);
                out.bytes.extend(frame);
            }
            _ => out.bytes.extend(frame),
        }
    }
    let len = out.bytes.len();
    if len > 0 && u.ratio(1, 4)? {
        out.bytes.truncate(len - u.int_in_range(0..=len.min(40))?);
    }
    let len = out.bytes.len();
    if len > 0 && u.ratio(1, 4)? {
        out.bytes.drain(..u.int_in_range(0..=len.min(40))?);
    }
    Ok(out)
}
