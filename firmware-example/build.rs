//! Writes `memory.x` for the QEMU machine that goes with the target, and names the linker scripts.

use std::{env, fs, path::PathBuf};

/// Target prefix, flash and RAM: origin and length.
const MACHINES: [(&str, &str, &str); 3] = [
    // microbit
    ("thumbv6m", "ORIGIN = 0x00000000, LENGTH = 256K", "ORIGIN = 0x20000000, LENGTH = 16K"),
    // mps2-an386
    ("thumbv7em", "ORIGIN = 0x00000000, LENGTH = 4M", "ORIGIN = 0x20000000, LENGTH = 4M"),
    // virt: all of it is RAM
    ("riscv32", "ORIGIN = 0x80000000, LENGTH = 4M", "ORIGIN = 0x80400000, LENGTH = 4M"),
];

/// What riscv-rt wants to know besides.
const REGIONS: &str = "REGION_ALIAS(\"REGION_TEXT\", FLASH);
REGION_ALIAS(\"REGION_RODATA\", FLASH);
REGION_ALIAS(\"REGION_DATA\", RAM);
REGION_ALIAS(\"REGION_BSS\", RAM);
REGION_ALIAS(\"REGION_HEAP\", RAM);
REGION_ALIAS(\"REGION_STACK\", RAM);
";

fn main() {
    let target = env::var("TARGET").expect("cargo sets TARGET");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    if let Some((_, flash, ram)) = MACHINES.iter().find(|(prefix, ..)| target.starts_with(prefix)) {
        let mut text = format!("MEMORY\n{{\n  FLASH : {flash}\n  RAM : {ram}\n}}\n");
        if target.starts_with("riscv") {
            text += REGIONS;
            println!("cargo::rustc-link-arg-bins=-Tmemory.x");
        }
        fs::write(out.join("memory.x"), text).expect("OUT_DIR can be written");
        println!("cargo::rustc-link-search={}", out.display());
        println!("cargo::rustc-link-arg-bins=-Tlink.x");
        // The probes do not log.
        if env::var("CARGO_PKG_NAME").is_ok_and(|name| name == "texwire-firmware") {
            println!("cargo::rustc-link-arg-bins=-Tdefmt.x");
        }
    }
    println!("cargo::rerun-if-changed=build.rs");
}
