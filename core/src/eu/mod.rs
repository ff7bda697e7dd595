//! eu
