//! The commands as people run them. One program, since each one links the whole harness; `cargo test -p texwire-harness --test
//! commands page::` runs a file's tests.

#[path = "../command/mod.rs"]
mod command;

mod campaign;
mod check;
mod decode;
mod explain;
mod external;
mod firmware_template;
mod footprint;
mod kernel;
mod live;
mod models;
mod outputs;
mod page;
mod pictures;
mod reports;
mod rules;
mod runner;
mod traces;
mod usability;
