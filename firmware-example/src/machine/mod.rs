//! What differs between the machines: the end of the program, its clock, its stack, the log's way out.

#[cfg(target_arch = "arm")]
mod cortex_m;
#[cfg(target_arch = "arm")]
pub use cortex_m::{Clock, PAINTED, bounds, exit, pointer};

#[cfg(target_arch = "riscv32")]
mod riscv;
#[cfg(target_arch = "riscv32")]
pub use riscv::{Clock, PAINTED, bounds, exit, pointer};

#[cfg(target_arch = "arm")]
pub mod cmsdk_uart;
