//! The harness as a library, in one program, so that short tests run beside long ones.

mod campaigns;
mod generators;
mod proofs;
mod properties;
mod traces;
mod wires;
