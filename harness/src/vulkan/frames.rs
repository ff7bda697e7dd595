//! Frames between a model and its process: a length of 4 bytes (little-endian), then a value in postcard's encoding.

use super::DeviceInfo;
use super::engine::JobGroup;
use crate::engine::{Answer, Job};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::io::{self, Read, Write};

/// The most bytes of a frame.
const MOST: u32 = 1 << 30;

/// Jobs that share a state: the first job, and the lanes and parameters of each further one.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Bundle {
    /// The first job.
    pub(super) job: Job,
    /// Lanes and parameters of the further jobs.
    pub(super) others: Vec<(u32, Vec<Vec<u32>>)>,
}

/// A [`Bundle`] that borrows its jobs, to be written.
#[derive(Debug, Serialize)]
pub(super) struct BundleOf<'a> {
    job: &'a Job,
    others: Vec<(u32, &'a [Vec<u32>])>,
}

impl<'a> BundleOf<'a> {
    /// Bundles jobs that share a state. `None`: there are no jobs.
    pub(super) fn new(jobs: &'a [Job]) -> Option<Self> {
        let (job, others) = jobs.split_first()?;
        Some(Self { job, others: others.iter().map(|job| (job.lanes, job.params.as_slice())).collect() })
    }
}

impl Bundle {
    /// Returns the jobs as a group.
    pub(super) fn group(&self) -> JobGroup<'_> {
        let first = std::iter::once((self.job.lanes, self.job.params.as_slice()));
        let others = self.others.iter().map(|(lanes, params)| (*lanes, params.as_slice()));
        JobGroup { job: &self.job, payloads: first.chain(others).collect() }
    }
}

/// A reply of the process.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) enum Reply {
    /// It has opened its device.
    Open(Box<DeviceInfo>),
    /// It could not open its device, for this reason.
    Failed(String),
    /// The answers to the jobs of a request, each with whether its texels were widened, and the number of validation messages until now.
    Answers(Vec<(Answer, bool)>, u64),
}

/// Writes a frame.
pub(super) fn write(out: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    let bytes = postcard::to_stdvec(value).map_err(io::Error::other)?;
    let length = u32::try_from(bytes.len()).ok().filter(|length| *length <= MOST);
    let length = length.ok_or_else(|| io::Error::other("a frame of more than 1 GiB"))?;
    out.write_all(&length.to_le_bytes())?;
    out.write_all(&bytes)?;
    out.flush()
}

/// Reads a frame; `None` at the end of the input.
pub(super) fn read<T: DeserializeOwned>(input: &mut impl Read) -> io::Result<Option<T>> {
    let mut length = [0; 4];
    match input.read_exact(&mut length) {
        Err(why) if why.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        other => other?,
    }
    let length = u32::from_le_bytes(length);
    if length > MOST {
        return Err(io::Error::other("a frame of more than 1 GiB"));
    }
    let mut bytes = Vec::new();
    input.take(length.into()).read_to_end(&mut bytes)?;
    postcard::from_bytes(&bytes).map(Some).map_err(io::Error::other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_come_back_from_frames() {
        let job = |lane: u32| Job { params: vec![vec![lane; 8]], lanes: lane, ..Job::new("sample") };
        let jobs = [job(1), job(2), job(4)];
        let mut bytes = Vec::new();
        write(&mut bytes, &[BundleOf::new(&jobs).unwrap()].as_slice()).unwrap();
        let mut input = bytes.as_slice();
        let back: Vec<Bundle> = read(&mut input).unwrap().unwrap();
        let group = back[0].group();
        assert!(group.job == &jobs[0] && back.len() == 1);
        let expected: Vec<_> = jobs.iter().map(|job| (job.lanes, job.params.as_slice())).collect();
        assert_eq!(group.payloads, expected);
        assert!(read::<Vec<Bundle>>(&mut input).unwrap().is_none());
        assert!(read::<Reply>(&mut [255u8; 8].as_slice()).is_err());
    }
}
