//! Engines as `--engine` names them.

use crate::core_engine::CoreEngine;
use crate::emulator::Emulator;
use crate::engine::Engine;
use crate::external::External;
use std::str::FromStr;

/// What follows `--engine`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Choice {
    Core,
    Emulator,
    /// A process: see [`crate::external`].
    External(String),
}

impl FromStr for Choice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match (text, text.strip_prefix("external:")) {
            ("core", _) => Ok(Self::Core),
            ("emulator", _) => Ok(Self::Emulator),
            (_, Some(command)) => Ok(Self::External(command.to_owned())),
            _ => Err(format!("unknown engine {text} (expected core, emulator or external:COMMAND)")),
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
        })
    }
}
