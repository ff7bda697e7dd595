//! Vulkan devices: finding them, querying their features, opening them, and handles that free themselves.

use super::features::{self, EnabledFeatures};
use super::info::{DeviceInfo, DeviceOptions};
use ash::{Device, Entry, Instance, vk};
use std::ffi::{CStr, CString, c_void};
use std::rc::Rc;
use std::sync::atomic::{AtomicU64, Ordering};

/// An instance of the API, with the count of its validation messages.
pub(super) struct Api {
    pub(super) instance: Instance,
    messenger: Option<(ash::ext::debug_utils::Instance, vk::DebugUtilsMessengerEXT)>,
    messages: Box<AtomicU64>,
    // The last field, as dropping it unloads the library.
    _entry: Entry,
}

/// Counts and prints the validation layer's messages.
unsafe extern "system" fn message(
    _: vk::DebugUtilsMessageSeverityFlagsEXT,
    _: vk::DebugUtilsMessageTypeFlagsEXT,
    data: *const vk::DebugUtilsMessengerCallbackDataEXT<'_>,
    count: *mut c_void,
) -> vk::Bool32 {
    // SAFETY: the layer passes valid data or null, and the pointer that it was given: an AtomicU64 that outlives the messenger.
    unsafe {
        if let Some(data) = data.as_ref().filter(|data| !data.p_message.is_null()) {
            use std::io::Write;
            let text = CStr::from_ptr(data.p_message).to_string_lossy();
            let _ = writeln!(std::io::stderr(), "error: validation message at the Vulkan device: {text}");
        }
        (*count.cast::<AtomicU64>()).fetch_add(1, Ordering::Relaxed);
    }
    vk::FALSE
}

const VALIDATION: &CStr = c"VK_LAYER_KHRONOS_validation";

impl Api {
    /// Opens libvulkan.
    ///
    /// # Errors
    /// There is no libvulkan, or it cannot create an instance.
    pub(super) fn open(options: DeviceOptions) -> Result<Rc<Self>, String> {
        // SAFETY: loading the system's Vulkan loader runs its initialisers, which are sound to run.
        let entry = unsafe { Entry::load() }.map_err(|why| {
            format!(
                "no Vulkan at libvulkan: {why} (Debian: libvulkan1 and a driver, such as mesa-vulkan-drivers)"
            )
        })?;
        let application =
            vk::ApplicationInfo::default().application_name(c"texwire").api_version(vk::API_VERSION_1_3);
        let (mut layers, mut extensions) = (Vec::new(), Vec::new());
        if options.validate {
            layers.push(VALIDATION.as_ptr());
            extensions.push(ash::ext::debug_utils::NAME.as_ptr());
        }
        let info = vk::InstanceCreateInfo::default()
            .application_info(&application)
            .enabled_layer_names(&layers)
            .enabled_extension_names(&extensions);
        // SAFETY: `info` and what it points to live until the call returns.
        let instance = unsafe { entry.create_instance(&info, None) }.map_err(|why| match why {
            vk::Result::ERROR_LAYER_NOT_PRESENT => {
                "no Vulkan at the validation layer: it is not installed (Debian: vulkan-validationlayers)"
                    .to_owned()
            }
            vk::Result::ERROR_INCOMPATIBLE_DRIVER => {
                "no Vulkan at the drivers: none is installed (Debian: mesa-vulkan-drivers)".to_owned()
            }
            why => format!("no Vulkan at the instance: {why}"),
        })?;
        let messages = Box::new(AtomicU64::new(0));
        let mut api = Self { instance, messenger: None, messages, _entry: entry };
        if options.validate {
            api.listen().map_err(|why| format!("no Vulkan at the validation layer's messages: {why}"))?;
        }
        Ok(Rc::new(api))
    }

    fn listen(&mut self) -> Result<(), vk::Result> {
        use vk::{DebugUtilsMessageSeverityFlagsEXT as Severity, DebugUtilsMessageTypeFlagsEXT as Type};
        let utils = ash::ext::debug_utils::Instance::new(&self._entry, &self.instance);
        let info = vk::DebugUtilsMessengerCreateInfoEXT::default()
            .message_severity(Severity::ERROR | Severity::WARNING)
            .message_type(Type::VALIDATION)
            .pfn_user_callback(Some(message))
            .user_data(std::ptr::from_ref::<AtomicU64>(&self.messages).cast_mut().cast());
        // SAFETY: the instance has the extension; the count is boxed and outlives the messenger.
        let messenger = unsafe { utils.create_debug_utils_messenger(&info, None) }?;
        self.messenger = Some((utils, messenger));
        Ok(())
    }

    /// Returns the number of validation messages until now.
    pub(super) fn messages(&self) -> u64 {
        self.messages.load(Ordering::Relaxed)
    }

    /// Returns the devices of Vulkan 1.1 and later.
    ///
    /// # Errors
    /// They cannot be enumerated.
    pub(super) fn devices(&self) -> Result<Vec<(vk::PhysicalDevice, DeviceInfo)>, String> {
        // SAFETY: the instance lives as long as `self`.
        let found = unsafe { self.instance.enumerate_physical_devices() }
            .map_err(|why| format!("no Vulkan at the devices: {why}"))?;
        let all = found.into_iter().enumerate().map(|(index, device)| (device, self.info(device, index)));
        Ok(all.filter(|(device, _)| self.version(*device) >= vk::API_VERSION_1_1).collect())
    }

    fn version(&self, device: vk::PhysicalDevice) -> u32 {
        // SAFETY: the device belongs to the instance.
        unsafe { self.instance.get_physical_device_properties(device) }.api_version
    }

    fn extensions(&self, device: vk::PhysicalDevice) -> Vec<CString> {
        // SAFETY: the device belongs to the instance.
        let all = unsafe { self.instance.enumerate_device_extension_properties(device) }.unwrap_or_default();
        all.iter().filter_map(|e| e.extension_name_as_c_str().ok().map(CStr::to_owned)).collect()
    }

    /// Returns the properties and features of a device; `index` is its number among the devices.
    fn info(&self, device: vk::PhysicalDevice, index: usize) -> DeviceInfo {
        let extensions = self.extensions(device);
        let has = |name: &CStr| extensions.iter().any(|e| e.as_c_str() == name);
        let modern = self.version(device) >= vk::API_VERSION_1_2;
        let mut driver = vk::PhysicalDeviceDriverProperties::default();
        let mut minmax = vk::PhysicalDeviceSamplerFilterMinmaxProperties::default();
        let mut properties = vk::PhysicalDeviceProperties2::default();
        if modern || has(ash::khr::driver_properties::NAME) {
            properties = properties.push_next(&mut driver);
        }
        if modern || has(ash::ext::sampler_filter_minmax::NAME) {
            properties = properties.push_next(&mut minmax);
        }
        // SAFETY: the structures of the chain are known to the device.
        unsafe { self.instance.get_physical_device_properties2(device, &mut properties) };
        let base = properties.properties;
        let text =
            |s: Result<&CStr, _>| s.map(|s: &CStr| s.to_string_lossy().into_owned()).unwrap_or_default();
        let version = |v: u32| {
            format!("{}.{}.{}", vk::api_version_major(v), vk::api_version_minor(v), vk::api_version_patch(v))
        };
        let driver_info = text(driver.driver_info_as_c_str());
        DeviceInfo {
            index,
            name: text(base.device_name_as_c_str()),
            driver: text(driver.driver_name_as_c_str()),
            driver_version: if driver_info.is_empty() { version(base.driver_version) } else { driver_info },
            api_version: version(base.api_version),
            sub_texel_bits: base.limits.sub_texel_precision_bits,
            mipmap_bits: base.limits.mipmap_precision_bits,
            max_lod_bias: base.limits.max_sampler_lod_bias,
            max_anisotropy: base.limits.max_sampler_anisotropy,
            offers: features::query(&self.instance, device, &has, modern, &minmax),
        }
    }
}

impl Drop for Api {
    fn drop(&mut self) {
        // SAFETY: devices hold the Rc of this, so that all of them are gone.
        unsafe {
            if let Some((utils, messenger)) = self.messenger.take() {
                utils.destroy_debug_utils_messenger(messenger, None);
            }
            self.instance.destroy_instance(None);
        }
    }
}

/// An open device with one queue for all work.
pub(super) struct Gpu {
    pub(super) device: Device,
    pub(super) physical: vk::PhysicalDevice,
    pub(super) queue: vk::Queue,
    pub(super) family: u32,
    pub(super) info: DeviceInfo,
    pub(super) memory: vk::PhysicalDeviceMemoryProperties,
    pub(super) api: Rc<Api>,
}

impl Gpu {
    /// Opens a device.
    ///
    /// # Errors
    /// It has no queue for draws and dispatches, or cannot be opened.
    pub(super) fn open(
        api: Rc<Api>,
        physical: vk::PhysicalDevice,
        info: DeviceInfo,
    ) -> Result<Rc<Self>, String> {
        let failed = |why: vk::Result| format!("cannot open the Vulkan device {}: {why}", info.name);
        let family = queue_family(&api, physical).ok_or_else(|| {
            format!("cannot open the Vulkan device {}: no queue for draws and dispatches", info.name)
        })?;
        let modern = api.version(physical) >= vk::API_VERSION_1_2;
        let wanted: Vec<_> = features::extensions(&info.offers, modern).map(CStr::as_ptr).collect();
        let mut chain = EnabledFeatures::new(&info.offers);
        let queue =
            [vk::DeviceQueueCreateInfo::default().queue_family_index(family).queue_priorities(&[1.0])];
        let base = chain.base;
        let create = vk::DeviceCreateInfo::default()
            .queue_create_infos(&queue)
            .enabled_extension_names(&wanted)
            .enabled_features(&base);
        let create = chain.enable(create, &info.offers, modern);
        // SAFETY: everything that is enabled is offered; `create` and its chain live until the call returns.
        let (device, memory) = unsafe {
            let device = api.instance.create_device(physical, &create, None).map_err(failed)?;
            (device, api.instance.get_physical_device_memory_properties(physical))
        };
        // SAFETY: the family has a queue.
        let queue = unsafe { device.get_device_queue(family, 0) };
        Ok(Rc::new(Self { device, physical, queue, family, info, memory, api }))
    }

    /// Returns the index of a memory type with `flags`, out of those that the mask `bits` allows.
    pub(super) fn memory_type(&self, bits: u32, flags: vk::MemoryPropertyFlags) -> Option<u32> {
        let types = self.memory.memory_types_as_slice();
        (0..types.len())
            .find(|&i| bits >> i & 1 == 1 && types[i].property_flags.contains(flags))
            .map(|i| i as u32)
    }

    /// Returns the features of images of a format.
    pub(super) fn format(&self, format: vk::Format) -> vk::FormatFeatureFlags {
        // SAFETY: the device belongs to the instance.
        unsafe { self.api.instance.get_physical_device_format_properties(self.physical, format) }
            .optimal_tiling_features
    }

    /// Returns the limits of images of a kind; `None`: the device does not offer them.
    pub(super) fn image_limits(
        &self,
        format: vk::Format,
        kind: vk::ImageType,
        usage: vk::ImageUsageFlags,
        flags: vk::ImageCreateFlags,
    ) -> Option<vk::ImageFormatProperties> {
        // SAFETY: the device belongs to the instance.
        unsafe {
            let tiling = vk::ImageTiling::OPTIMAL;
            self.api
                .instance
                .get_physical_device_image_format_properties(
                    self.physical,
                    format,
                    kind,
                    tiling,
                    usage,
                    flags,
                )
                .ok()
        }
    }
}

impl Drop for Gpu {
    fn drop(&mut self) {
        // SAFETY: every handle of the device holds the Rc of this, so that all of them are gone.
        unsafe {
            let _ = self.device.device_wait_idle();
            self.device.destroy_device(None);
        }
    }
}

/// Returns the family of queues that take draws and dispatches.
fn queue_family(api: &Api, physical: vk::PhysicalDevice) -> Option<u32> {
    // SAFETY: the device belongs to the instance.
    let families = unsafe { api.instance.get_physical_device_queue_family_properties(physical) };
    let both = vk::QueueFlags::GRAPHICS | vk::QueueFlags::COMPUTE;
    families.iter().position(|f| f.queue_flags.contains(both)).map(|family| family as u32)
}

/// A handle that is destroyed when it is dropped. Batches are waited for before they drop theirs.
pub(super) struct Owned<T: Copy> {
    handle: T,
    gpu: Rc<Gpu>,
    destroy: unsafe fn(&Device, T),
}

impl<T: Copy> Owned<T> {
    /// Takes over a handle, which `destroy` frees.
    pub(super) fn new(gpu: &Rc<Gpu>, handle: T, destroy: unsafe fn(&Device, T)) -> Self {
        Self { handle, gpu: Rc::clone(gpu), destroy }
    }

    /// Returns the handle, which is valid as long as this value lives.
    pub(super) fn get(&self) -> T {
        self.handle
    }
}

impl<T: Copy> Drop for Owned<T> {
    fn drop(&mut self) {
        // SAFETY: the handle is of this device, was not destroyed before, and no work that uses it is pending.
        unsafe { (self.destroy)(&self.gpu.device, self.handle) };
    }
}

/// Returns the devices of this machine.
///
/// # Errors
/// There is no libvulkan or no driver; in words.
pub fn devices() -> Result<Vec<DeviceInfo>, String> {
    let all = Api::open(DeviceOptions::default())?.devices()?;
    Ok(all.into_iter().map(|(_, info)| info).collect())
}

/// Returns the device that `choice` names: empty (the first one), an index, or a part of a name.
///
/// # Errors
/// No device has that index or name.
pub(super) fn choose(api: &Api, choice: &str) -> Result<(vk::PhysicalDevice, DeviceInfo), String> {
    let devices = api.devices()?;
    if devices.is_empty() {
        return Err("no Vulkan device at vulkan: no driver offers one (Debian: mesa-vulkan-drivers)".into());
    }
    let wanted = choice.to_lowercase();
    let found = devices.iter().find(|(_, info)| match choice.parse::<usize>() {
        Ok(index) => info.index == index,
        Err(_) => info.name.to_lowercase().contains(&wanted),
    });
    found.cloned().ok_or_else(|| {
        let names: Vec<String> = devices.iter().map(|(_, d)| format!("{} {}", d.index, d.name)).collect();
        format!("no Vulkan device at vulkan:{choice}: there are {}", names.join(", "))
    })
}
