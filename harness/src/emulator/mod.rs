//! The oracle: an independent implementation in plain f64 and bit loops, to be read next to the specification.
