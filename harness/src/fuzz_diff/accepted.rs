//! Accepted disagreements: a campaign that has a list of them fails only on new ones.

use super::labels::Labels;
use crate::compare::DisagreementKind;
use crate::engine::Job;
use crate::explain::{Explained, record};
use serde::{Deserialize, Serialize};

/// A list of accepted disagreements, read from a file: a campaign with it fails only on new ones.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Baseline {
    /// The entries.
    pub accepted: Vec<Accepted>,
}

/// A class of accepted disagreements. A field that is absent matches everything (but an entry needs one text at least); in a text, `*`
/// matches any characters.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Accepted {
    /// Matches the operation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub operation: Option<String>,
    /// Matches the surface format.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<String>,
    /// Matches the address mode of U.
    #[serde(rename = "address mode", skip_serializing_if = "Option::is_none")]
    pub address_mode: Option<String>,
    /// Matches the label of the filters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub filter: Option<String>,
    /// Matches the dimension.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dimension: Option<String>,
    /// Matches one of the lines that sum up message, surface and sampler: `*V MIRROR_ONCE*`, `*texel offsets*`, `*from level*`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<String>,
    /// The kind of disagreement: `values`, `broken`, ...
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<DisagreementKind>,
    /// The reason why it is accepted.
    pub why: String,
}

impl Accepted {
    fn fits(&self, labels: &Labels, states: &[Explained], kind: DisagreementKind) -> bool {
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

/// Returns true if a text matches a pattern in which each `*` matches any characters.
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
    /// Returns the index of the entry that accepts a disagreement about a job; `None` if none does.
    pub fn accepts(&self, job: &Job, labels: &Labels, kind: DisagreementKind) -> Option<usize> {
        if self.accepted.is_empty() {
            return None;
        }
        let states = record::job(job);
        self.accepted.iter().position(|one| one.fits(labels, &states, kind))
    }

    /// Makes entries for the disagreements of a campaign: one for each combination of labels and kind. `findings`: the labels of the jobs
    /// as they were found (a campaign compares these with the list, not those of the minimal jobs), and the kind of each disagreement.
    pub fn of<'a>(findings: impl Iterator<Item = (&'a Labels, DisagreementKind)>) -> Self {
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
