//! The memory of a job.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

/// A contiguous range of mapped memory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Region {
    /// Address of the first byte.
    pub address: u64,
    /// Contents.
    #[serde(with = "bytes")]
    pub bytes: Vec<u8>,
}

impl Region {
    /// Returns the address after the last byte, or the last address if the region ends with the address space.
    pub fn end(&self) -> u64 {
        self.address.saturating_add(self.bytes.len() as u64)
    }
}

/// Regions that copies of a job share until one of them is changed: messages with the same state share their memory.
#[derive(Clone, Debug, Default)]
pub struct Regions(Arc<Vec<Region>>);

impl Serialize for Regions {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(to)
    }
}

impl<'de> Deserialize<'de> for Regions {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Vec::deserialize(from).map(Self::from)
    }
}

impl PartialEq for Regions {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0 == other.0
    }
}

impl Eq for Regions {}

impl Deref for Regions {
    type Target = Vec<Region>;

    fn deref(&self) -> &Vec<Region> {
        &self.0
    }
}

impl DerefMut for Regions {
    fn deref_mut(&mut self) -> &mut Vec<Region> {
        Arc::make_mut(&mut self.0)
    }
}

impl From<Vec<Region>> for Regions {
    fn from(regions: Vec<Region>) -> Self {
        Self(Arc::new(regions))
    }
}

impl FromIterator<Region> for Regions {
    fn from_iter<I: IntoIterator<Item = Region>>(regions: I) -> Self {
        Vec::from_iter(regions).into()
    }
}

impl<'a> IntoIterator for &'a Regions {
    type Item = &'a Region;
    type IntoIter = std::slice::Iter<'a, Region>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl<'a> IntoIterator for &'a mut Regions {
    type Item = &'a mut Region;
    type IntoIter = std::slice::IterMut<'a, Region>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter_mut()
    }
}

/// Serialises bytes as one byte string where the encoding has them (frames to another process), otherwise as a list of numbers (JSON).
pub(super) mod bytes {
    use serde::de::{SeqAccess, Visitor};
    use serde::{Deserializer, Serializer};
    use std::fmt;

    pub(in crate::engine) fn serialize<S: Serializer>(bytes: &[u8], to: S) -> Result<S::Ok, S::Error> {
        to.serialize_bytes(bytes)
    }

    pub(in crate::engine) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u8>, D::Error> {
        match from.is_human_readable() {
            // A human-readable encoding may offer a string as bytes, so only a list is accepted.
            true => from.deserialize_seq(BytesVisitor),
            false => from.deserialize_byte_buf(BytesVisitor),
        }
    }

    struct BytesVisitor;

    impl<'de> Visitor<'de> for BytesVisitor {
        type Value = Vec<u8>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("bytes, 0 to 255 each")
        }

        fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Vec<u8>, E> {
            Ok(bytes.to_vec())
        }

        fn visit_byte_buf<E>(self, bytes: Vec<u8>) -> Result<Vec<u8>, E> {
            Ok(bytes)
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Vec<u8>, A::Error> {
            let mut bytes = Vec::new();
            while let Some(byte) = list.next_element()? {
                bytes.push(byte);
            }
            Ok(bytes)
        }
    }
}
