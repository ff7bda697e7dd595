//! Known disagreements: a campaign that has a list of them fails on new ones only.

use super::labels::Labels;
use crate::compare::Kind;
use crate::engine::Job;
use crate::explain::{Explained, record};
use serde::{Deserialize, Serialize};

/// Disagreements that are known and accepted: a file of these makes a campaign fail on new ones only.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Baseline {
    /// What is accepted.
    pub accepted: Vec<Accepted>,
}

/// A sort of disagreements that is accepted. What is not said fits everything; a `*` stands for any letters.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Accepted {
    /// The operation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub operation: Option<String>,
    /// The surface format.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<String>,
    /// The address modes.
    #[serde(rename = "address mode", skip_serializing_if = "Option::is_none")]
    pub address_mode: Option<String>,
    /// The filters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub filter: Option<String>,
    /// The dimension.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dimension: Option<String>,
    /// What one of the lines says that sum up message, surface and sampler: `*V MIRROR_ONCE*`, `*texel offsets*`, `*from level*`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<String>,
    /// In what they disagree: `values`, `broken`, ...
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<Kind>,
    /// Why it is accepted.
    pub why: String,
}

impl Accepted {
    fn fits(&self, labels: &Labels, states: &[Explained], kind: Kind) -> bool {
        let patterns = [&self.operation, &self.format, &self.address_mode, &self.filter, &self.dimension];
        let named = self.state.is_some() || patterns.iter().any(|pattern| pattern.is_some());
        let said = |pattern: &String| states.iter().any(|state| matches(pattern, &state.summary));
        let all = patterns
            .into_iter()
            .zip(labels)
            .all(|(pattern, label)| pattern.as_ref().is_none_or(|pattern| matches(pattern, label)));
        named && all && self.state.as_ref().is_none_or(said) && self.kind.is_none_or(|mine| mine == kind)
    }
}

/// Whether a text fits a pattern in which each `*` stands for any letters.
fn matches(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = text.strip_prefix(parts.next().unwrap_or_default()) else { return false };
    let mut parts = parts.peekable();
    if parts.peek().is_none() {
        return rest.is_empty();
    }
    while let Some(part) = parts.next() {
        if parts.peek().is_none() {
            return rest.ends_with(part);
        }
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    true
}

impl Baseline {
    /// The number of the entry that accepts a disagreement about a job.
    pub fn accepts(&self, job: &Job, labels: &Labels, kind: Kind) -> Option<usize> {
        if self.accepted.is_empty() {
            return None;
        }
        let states = record::job(job);
        self.accepted.iter().position(|one| one.fits(labels, &states, kind))
    }

    /// Entries for what a campaign found: one for each operation, format and filter. `findings`: the labels of the jobs as they
    /// were found, which is what a campaign compares with the list, and in what each disagrees.
    pub fn of<'a>(findings: impl Iterator<Item = (&'a Labels, Kind)>) -> Self {
        let mut accepted: Vec<Accepted> = Vec::new();
        for (labels, kind) in findings {
            let [operation, format, address_mode, filter, dimension] = labels.clone();
            let one = Accepted {
                operation: Some(operation),
                format: Some(format),
                address_mode: Some(address_mode),
                filter: Some(filter),
                dimension: Some(dimension),
                state: None,
                kind: Some(kind),
                why: "not judged yet".to_owned(),
            };
            if !accepted.contains(&one) {
                accepted.push(one);
            }
        }
        Self { accepted }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns() {
        for (pattern, text, fits) in [
            ("gather4", "gather4", true),
            ("gather4", "gather4_c", false),
            ("gather4*", "gather4_c", true),
            ("*_SRGB", "BC1_UNORM_SRGB", true),
            ("*_SRGB", "BC1_UNORM", false),
            ("BC*_SRGB", "BC1_UNORM_SRGB", true),
            ("B*C*R*G*", "BC1_UNORM_SRGB", true),
            ("*", "", true),
            ("a*a", "a", false),
        ] {
            assert_eq!(matches(pattern, text), fits, "{pattern} {text}");
        }
    }
}
