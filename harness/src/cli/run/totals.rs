//! What came of all messages of a run.

use crate::run::execute::Report;
use crate::run::whole;
use std::collections::BTreeMap;

/// What came of the messages.
#[derive(Debug, Default)]
pub(super) struct Totals {
    /// Messages whose lanes all agree with the oracle.
    pub(super) agreeing: usize,
    /// Messages with lanes that do not.
    pub(super) disagreeing: usize,
    /// Lanes that agree at coordinates within the rounding bound only.
    pub(super) boundary: u64,
    /// Lanes set aside, because no bound describes them.
    pub(super) unbounded: u64,
    /// Why messages were not executed, and how many.
    pub(super) reasons: BTreeMap<String, usize>,
    /// Messages of kernels that ran, which no work item came to.
    pub(super) unreached: usize,
}

impl Totals {
    pub(super) fn executed(&mut self, report: &Report) {
        let agrees = report.agreeing == report.lanes;
        self.agreeing += usize::from(agrees);
        self.disagreeing += usize::from(!agrees);
        self.boundary += report.boundary;
        self.unbounded += report.unbounded;
    }

    /// An instruction's messages, as a kernel sent them.
    pub(super) fn ran(&mut self, agreement: &whole::Agreement) {
        self.agreeing += usize::from(agreement.is_full());
        self.disagreeing += usize::from(!agreement.is_full());
        self.boundary += agreement.boundary;
        self.unbounded += agreement.unbounded;
    }

    pub(super) fn not_executed(&mut self, why: &str) {
        *self.reasons.entry(why.to_owned()).or_default() += 1;
    }

    /// Everything was executed and agrees.
    pub(super) fn are_well(&self) -> bool {
        self.disagreeing == 0 && self.reasons.is_empty()
    }

    pub(super) fn lines(&self) -> Vec<String> {
        let executed = self.agreeing + self.disagreeing;
        let missing: usize = self.reasons.values().sum();
        let mut lines = vec![match self.disagreeing {
            0 if executed + missing == 0 => "no sampler message was sent".to_owned(),
            0 => format!("core and oracle agree on all {executed} messages that were executed"),
            differ => format!("core and oracle DISAGREE on {differ} of {executed} messages: see above"),
        }];
        if self.boundary + self.unbounded > 0 {
            lines.push(format!(
                "{} lanes agree at a decision boundary only (coordinates within the rounding bound), {} were set aside",
                self.boundary, self.unbounded
            ));
        }
        if self.unreached > 0 {
            lines.push(format!(
                "{} of {} messages are in branches that no work item took",
                self.unreached,
                executed + missing + self.unreached
            ));
        }
        if missing > 0 {
            lines.push(format!("{missing} of {} messages were not executed:", executed + missing));
            lines.extend(self.reasons.iter().map(|(why, count)| format!("{count:>6}  {why}")));
        }
        lines
    }
}
