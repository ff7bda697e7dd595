//! Traces: a stream of frames that small firmware writes and a probe reads.
//!
//! ```text
//!   stream   frame 00 frame 00 00 frame 00 ...        00 00: idle
//!   frame    COBS( kind u8 | flags u8 | sequence u16 | payload | CRC-32/ISO-HDLC u32 )
//!   record   the payload, by kind
//! ```
//! All numbers are little-endian. A frame is at most [`MAX_FRAME`] bytes before COBS. The sequence number counts all frames of a stream
//! modulo 65536. Damage costs one frame: the next frame starts after the next zero byte, and every byte that is not part of a good frame
//! is counted ([`Counts`]).
//!
//! [`Writer`] makes a stream in a caller's buffer; [`Decoder`] reads one from chunks of any size, with the same events however the stream
//! is cut; [`replay::Replay`] executes the messages in it.

mod bytes;
mod frame;
mod lower;
mod messages;
mod record;
pub mod replay;
mod stream;
mod writer;

pub use frame::{Frame, MAX_FRAME, OVERHEAD, encoded_len};
pub use messages::{GenRecord, TxqRecord, VisaRecord};
pub use record::{KINDS, Record, RecordKind, StreamHeader, VERSION};
pub use stream::{Counts, Decoder, Event, FrameFault, FrameOrder};
pub use writer::Writer;

#[cfg(test)]
mod tests;
