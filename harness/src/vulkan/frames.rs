//! What a model and its process say to one another: a length of 4 bytes (the lowest first), then a value in postcard's encoding.

use super::DeviceInfo;
use crate::engine::{Answer, Job};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::io::{self, Read, Write};

/// Bytes of a frame at most.
const MOST: u32 = 1 << 30;

/// Jobs of one state: a job, and what the others have instead of its lanes and parameters.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Bundle {
    /// The first of them.
    pub(super) job: Job,
    /// Lanes and parameters of the others.
    pub(super) others: Vec<(u32, Vec<Vec<u32>>)>,
}

impl Bundle {
    /// Bundles jobs, in their order.
    pub(super) fn of(jobs: &[Job]) -> Vec<Self> {
        let mut all: Vec<Self> = Vec::new();
        for job in jobs {
            match all.last_mut() {
                Some(last) if last.job.same_state(job) => last.others.push((job.lanes, job.params.clone())),
                _ => all.push(Self { job: job.clone(), others: Vec::new() }),
            }
        }
        all
    }

    /// The jobs again.
    pub(super) fn jobs(bundles: Vec<Self>) -> Vec<Job> {
        let of = |bundle: Self| {
            let first = bundle.job;
            let mut all = vec![first];
            for (lanes, params) in bundle.others {
                let job = Job { lanes, params, ..all[0].clone() };
                all.push(job);
            }
            all
        };
        bundles.into_iter().flat_map(of).collect()
    }
}

/// What a process says.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) enum Reply {
    /// It has opened its device.
    Open(Box<DeviceInfo>),
    /// It has not, and why.
    Failed(String),
    /// Answers to the jobs of a request, whether their texels were widened, and the validation messages until now.
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
    fn jobs_come_back_from_bundles_and_frames() {
        let job = |op: &str, lane: u32| Job { params: vec![vec![lane; 8]], lanes: lane, ..Job::new(op) };
        let jobs = [job("sample", 1), job("sample", 2), job("ld", 3), job("sample", 4)];
        let bundles = Bundle::of(&jobs);
        assert_eq!(bundles.iter().map(|b| b.others.len()).collect::<Vec<_>>(), [1, 0, 0]);
        let mut bytes = Vec::new();
        write(&mut bytes, &bundles).unwrap();
        let mut input = bytes.as_slice();
        let read_back: Vec<Bundle> = read(&mut input).unwrap().unwrap();
        assert_eq!(Bundle::jobs(read_back), jobs);
        assert!(read::<Vec<Bundle>>(&mut input).unwrap().is_none());
        assert!(read::<Reply>(&mut [255u8; 8].as_slice()).is_err());
    }
}
