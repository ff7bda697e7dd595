//! Vulkan devices by name. This module is also in builds without Vulkan.

use crate::engine::Engine;

/// Returns the device that `vulkan[:INDEX|:NAME]` names: an index or a name, empty for the first one. `None`: the text names no Vulkan
/// device.
pub fn named(text: &str) -> Option<&str> {
    match text.strip_prefix("vulkan")? {
        "" => Some(""),
        rest => rest.strip_prefix(':'),
    }
}

/// Opens a device in a process of its own.
///
/// # Errors
/// No such device, or a build without feature `vulkan`.
#[cfg(feature = "vulkan")]
pub fn open(device: &str) -> Result<Box<dyn Engine>, String> {
    use crate::vulkan::{DeviceOptions, VulkanModel};
    Ok(Box::new(VulkanModel::start(device, DeviceOptions::of_environment())?))
}

/// Opens a device in a process of its own.
///
/// # Errors
/// Always: this build is without feature `vulkan`.
#[cfg(not(feature = "vulkan"))]
pub fn open(device: &str) -> Result<Box<dyn Engine>, String> {
    let name = if device.is_empty() { "vulkan".to_owned() } else { format!("vulkan:{device}") };
    Err(format!("no engine at {name}: texwire was built without feature vulkan"))
}

#[cfg(test)]
mod tests {
    use super::named;

    #[test]
    fn names_of_devices() {
        let names = ["vulkan", "vulkan:", "vulkan:1", "vulkan:llvmpipe", "vulkan_model --stdio", "./vulkan"];
        let devices = [Some(""), Some(""), Some("1"), Some("llvmpipe"), None, None];
        assert_eq!(names.map(named), devices);
    }
}
