//! The process that drives a device: `texwire serve --engine vulkan --framed`.

use super::DeviceOptions;
use super::engine::VulkanEngine;
use super::frames::{self, Bundle, Reply};
use crate::engine::Answer;
use std::io::{self, Read, Write};
use std::time::Duration;

/// Environment variable: set to 1, it enables the validation layer.
pub const VALIDATE: &str = "TEXWIRE_VULKAN_VALIDATE";
/// Environment variable for tests: the process aborts at a job whose first parameter has this pattern in lane 0.
pub const ABORT_AT: &str = "TEXWIRE_VULKAN_ABORT_AT";
/// Environment variable for tests: the process hangs at a job whose first parameter has this pattern in lane 0.
pub const HANG_AT: &str = "TEXWIRE_VULKAN_HANG_AT";

impl DeviceOptions {
    /// Returns the options that the environment sets: [`VALIDATE`].
    pub fn of_environment() -> Self {
        Self { validate: std::env::var_os(VALIDATE).is_some_and(|value| value == "1") }
    }
}

/// Returns the pattern that an environment variable holds in decimal; `None` without one.
fn pattern(name: &str) -> Option<u32> {
    std::env::var(name).ok()?.parse().ok()
}

/// Answers frames of jobs until `input` ends.
///
/// # Errors
/// Those of `input` and `output`. A device that cannot be opened is not an error but a reply.
pub fn serve(
    choice: &str,
    options: DeviceOptions,
    input: &mut impl Read,
    output: &mut impl Write,
) -> io::Result<()> {
    let mut engine = match VulkanEngine::open(choice, options) {
        Ok(engine) => engine,
        Err(why) => return frames::write(output, &Reply::Failed(why)),
    };
    frames::write(output, &Reply::Open(Box::new(engine.info().clone())))?;
    let (abort, hang) = (pattern(ABORT_AT), pattern(HANG_AT));
    while let Some(bundles) = frames::read::<Vec<Bundle>>(input)? {
        let groups: Vec<_> = bundles.iter().map(Bundle::group).collect();
        let has = |wanted: Option<u32>| {
            let mut firsts = groups
                .iter()
                .flat_map(|group| &group.payloads)
                .filter_map(|(_, params)| params.first()?.first());
            wanted.is_some() && firsts.any(|first| Some(*first) == wanted)
        };
        if has(abort) {
            std::process::abort();
        }
        while has(hang) {
            std::thread::sleep(Duration::from_secs(3600));
        }
        let answers = engine.execute(&groups);
        let lost = answers.iter().any(|(answer, _)| matches!(answer, Answer::Broken(_)));
        frames::write(output, &Reply::Answers(answers, engine.messages()))?;
        if lost {
            // A device that has failed is not used again: the process ends.
            return Ok(());
        }
    }
    Ok(())
}
