//! Ground truth of kind: sampling.

use super::Checker;

/// The checker.
pub const CHECKER: Checker = Checker { name: "sampling", claims: |_| false, check: |_, _| Ok(()) };
