//! Tests of vISA: rules, text and operands, trace records.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test may panic")]

mod records;
mod rules;
mod text;

use texwire::Error;
use texwire::visa::{Anonymous, MAX_SAMPLER_BYTES, Symbols, Type, Variable, Version, assemble};

const V4: Version = Version::V4_1;

fn bytes(text: &str, version: Version) -> Vec<u8> {
    let mut out = [0; MAX_SAMPLER_BYTES];
    let len = assemble(text, &Anonymous, version, &mut out).unwrap_or_else(|why| panic!("{text}: {why}"));
    out[..len].to_vec()
}

fn refused(text: &str, version: Version) -> Error {
    match assemble(text, &Anonymous, version, &mut [0; MAX_SAMPLER_BYTES]) {
        Err(why) => why,
        Ok(_) => panic!("{text} is taken"),
    }
}

/// Symbols with declared variables: type, number of elements, alias.
struct Table;

impl Symbols for Table {
    fn variable(&self, index: u32) -> Option<Variable<'_>> {
        let (kind, elements, alias) = match index {
            32..=34 => (Type::F, 16, None),
            35 => (Type::Hf, 32, None),
            36 => (Type::Ub, 64, None),
            37 => (Type::F, 8, None),
            38 => (Type::Ud, 16, None),
            40 => (Type::F, 64, None),
            41 => (Type::Ud, 64, None),
            42 => (Type::F, 16, Some((43, 0))),
            43 => (Type::F, 16, Some((42, 0))),
            44 => (Type::F, 16, Some((32, 4))),
            45 => (Type::F, 16, Some((99, 0))),
            46 => (Type::F, 16, Some((7, 32))),
            47 => (Type::Q, 64, None),
            48 => (Type::F, 1, None),
            _ => return None,
        };
        Some(Variable { name: b"x", kind: Some(kind), elements, alias })
    }
    fn find(&self, name: &[u8]) -> Option<u32> {
        if name == b"radius" { Some(38) } else { Anonymous.find(name) }
    }
    fn has_predicate(&self, index: u16) -> bool {
        index == 1
    }
    fn has_sampler(&self, index: u8) -> bool {
        index < 2 || index == 31
    }
    fn has_surface(&self, index: u8) -> bool {
        index < 8
    }
}
