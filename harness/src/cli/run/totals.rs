//! The totals of a run: how many messages agree with the oracle, and how many were not executed.

use crate::run::execute::MessageReport;
use crate::run::kernel_run;
use std::collections::BTreeMap;

/// Counts of the messages of a run by outcome.
#[derive(Debug, Default)]
pub(super) struct Totals {
    /// Messages whose lanes all agree with the oracle.
    pub(super) agreeing: usize,
    /// Messages with lanes that do not agree.
    pub(super) disagreeing: usize,
    /// Lanes that agree only when the coordinates or the LOD are moved within their rounding bound.
    pub(super) boundary: u64,
    /// Lanes that are not compared, because no rounding bound describes them.
    pub(super) unbounded: u64,
    /// Counts of messages that were not executed, by reason.
    pub(super) reasons: BTreeMap<String, usize>,
    /// Sampler instructions of kernels that ran, which no work item reached.
    pub(super) unreached: usize,
}

impl Totals {
    pub(super) fn executed(&mut self, report: &MessageReport) {
        let agrees = report.agreeing == report.lanes;
        self.agreeing += usize::from(agrees);
        self.disagreeing += usize::from(!agrees);
        self.boundary += report.boundary;
        self.unbounded += report.unbounded;
    }

    /// Counts an instruction whose messages were executed while its kernel ran.
    pub(super) fn ran(&mut self, agreement: &kernel_run::MessageAgreement) {
        self.agreeing += usize::from(agreement.is_full());
        self.disagreeing += usize::from(!agreement.is_full());
        self.boundary += agreement.boundary;
        self.unbounded += agreement.unbounded;
    }

    pub(super) fn not_executed(&mut self, why: &str) {
        *self.reasons.entry(why.to_owned()).or_default() += 1;
    }

    /// Returns whether every message was executed and agrees.
    pub(super) fn all_agree(&self) -> bool {
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
