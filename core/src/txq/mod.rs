//! txq
