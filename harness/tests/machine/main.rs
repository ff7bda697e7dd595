//! Whole kernels and single instructions on the machine.

mod alu;
mod kernels;
mod rare;
mod semantics;
