//! Ground truth of kind: state.

use super::Checker;

/// The checker.
pub const CHECKER: Checker = Checker { name: "state", claims: |_| false, check: |_, _| Ok(()) };
