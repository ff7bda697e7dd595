//! visa
