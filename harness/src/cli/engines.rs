//! Engines as `--engine` names them, and `texwire engines`.

use super::inputs::CommandResult;
use crate::console::say;
use crate::core_engine::CoreEngine;
use crate::devices;
use crate::emulator::Emulator;
use crate::engine::Engine;
use crate::external::External;
use serde_json::{Value, json};
use std::str::FromStr;

/// Lists what can execute a job: the core, the emulator, and the Vulkan devices with their drivers and limits.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// As JSON: an object with `core`, `emulator` and `vulkan` (`devices` or `error`)
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> CommandResult {
    let vulkan = list();
    if args.json {
        let vulkan = match &vulkan {
            Ok(devices) => json!({"devices": devices}),
            Err(why) => json!({"error": why}),
        };
        let version = env!("CARGO_PKG_VERSION");
        let all = json!({"core": {"version": version}, "emulator": {"version": version}, "vulkan": vulkan});
        say!("{all}");
        return Ok(true);
    }
    say!("core        the library, f32");
    say!("emulator    the oracle, written from the specification in f64");
    match vulkan {
        Ok(devices) => devices.iter().for_each(|device| say!("{}", described(device))),
        Err(why) => say!("vulkan      {why}"),
    }
    Ok(true)
}

/// Lists the Vulkan devices, each as JSON.
#[cfg(feature = "vulkan")]
fn list() -> Result<Vec<Value>, String> {
    Ok(crate::vulkan::devices()?.iter().map(|device| json!(device)).collect())
}

#[cfg(not(feature = "vulkan"))]
fn list() -> Result<Vec<Value>, String> {
    Err("none: texwire was built without feature vulkan".into())
}

/// Describes a device of [`list`] in lines of text.
fn described(device: &Value) -> String {
    let text = |key: &str| match &device[key] {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let offers = device["offers"].as_object().into_iter().flatten();
    let missing: Vec<&str> = offers.filter(|(_, on)| **on == false).map(|(name, _)| name.as_str()).collect();
    let missing = if missing.is_empty() { "nothing".to_owned() } else { missing.join(", ") };
    format!(
        "vulkan:{}    {}\n            driver {} {}, Vulkan {}\n            sub-texel bits {}, mipmap bits {}, LOD bias to {}, anisotropy to {}; not offered: {missing}",
        text("index"),
        text("name"),
        text("driver"),
        text("driver_version"),
        text("api_version"),
        text("sub_texel_bits"),
        text("mipmap_bits"),
        text("max_lod_bias"),
        text("max_anisotropy"),
    )
}

/// The value of `--engine`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Choice {
    Core,
    Emulator,
    /// A process: see [`crate::external`].
    External(String),
    /// A Vulkan device: empty, its index, or a part of its name.
    Vulkan(String),
}

/// The values that `--engine` accepts, for error messages.
const EXPECTED: &str = "core, emulator, vulkan, vulkan:INDEX, vulkan:NAME or external:COMMAND";

impl FromStr for Choice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match (text, text.strip_prefix("external:")) {
            ("core", _) => Ok(Self::Core),
            ("emulator", _) => Ok(Self::Emulator),
            (_, Some(command)) => Ok(Self::External(command.to_owned())),
            _ => match devices::named(text) {
                Some(device) => Ok(Self::Vulkan(device.to_owned())),
                None => Err(format!("unknown engine {text} (expected {EXPECTED})")),
            },
        }
    }
}

impl Choice {
    pub(super) fn engine(&self) -> Result<Box<dyn Engine>, String> {
        Ok(match self {
            Self::Core => Box::new(CoreEngine),
            Self::Emulator => Box::new(Emulator),
            Self::External(command) => {
                let model = External::new(command)?;
                model.start()?;
                Box::new(model)
            }
            Self::Vulkan(device) => devices::open(device)?,
        })
    }
}
