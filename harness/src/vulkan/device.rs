//! Vulkan devices: finding them, querying their features, opening them, and handles that free themselves.

use super::info::{DeviceFeatures, DeviceInfo, DeviceOptions};
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
        let mut chain = Chain::default();
        let features = chain.query(self, device, &has, modern);
        let twelve = chain.twelve;
        let text =
            |s: Result<&CStr, _>| s.map(|s: &CStr| s.to_string_lossy().into_owned()).unwrap_or_default();
        let on = |flag: vk::Bool32| flag == vk::TRUE;
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
            offers: DeviceFeatures {
                anisotropy: on(features.sampler_anisotropy),
                custom_border: on(chain.border.custom_border_colors)
                    && on(chain.border.custom_border_color_without_format),
                border_swizzle: on(chain.swizzle.border_color_swizzle)
                    && on(chain.swizzle.border_color_swizzle_from_image),
                minmax: if modern {
                    on(twelve.sampler_filter_minmax)
                } else {
                    has(ash::ext::sampler_filter_minmax::NAME)
                },
                minmax_mapping: on(minmax.filter_minmax_image_component_mapping),
                mirror_once: if modern {
                    on(twelve.sampler_mirror_clamp_to_edge)
                } else {
                    has(ash::khr::sampler_mirror_clamp_to_edge::NAME)
                },
                cube_array: on(features.image_cube_array),
                gather_extended: on(features.shader_image_gather_extended),
                fragment_stores: on(features.fragment_stores_and_atomics),
                bc: on(features.texture_compression_bc),
                etc2: on(features.texture_compression_etc2),
                astc: on(features.texture_compression_astc_ldr),
                robust_image: on(chain.robust.robust_image_access2),
                non_seamless: on(chain.seamless.non_seamless_cube_map),
                depth_unrestricted: has(ash::ext::depth_range_unrestricted::NAME),
                storage_multisample: on(features.shader_storage_image_multisample),
            },
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

/// The feature structures of a query.
#[derive(Default)]
struct Chain {
    twelve: vk::PhysicalDeviceVulkan12Features<'static>,
    border: vk::PhysicalDeviceCustomBorderColorFeaturesEXT<'static>,
    swizzle: vk::PhysicalDeviceBorderColorSwizzleFeaturesEXT<'static>,
    robust: vk::PhysicalDeviceRobustness2FeaturesEXT<'static>,
    seamless: vk::PhysicalDeviceNonSeamlessCubeMapFeaturesEXT<'static>,
}

impl Chain {
    fn query(
        &mut self,
        api: &Api,
        device: vk::PhysicalDevice,
        has: &dyn Fn(&CStr) -> bool,
        modern: bool,
    ) -> vk::PhysicalDeviceFeatures {
        let mut features = vk::PhysicalDeviceFeatures2::default();
        if modern {
            features = features.push_next(&mut self.twelve);
        }
        if has(ash::ext::custom_border_color::NAME) {
            features = features.push_next(&mut self.border);
        }
        if has(ash::ext::border_color_swizzle::NAME) {
            features = features.push_next(&mut self.swizzle);
        }
        if has(ash::ext::robustness2::NAME) {
            features = features.push_next(&mut self.robust);
        }
        if has(ash::ext::non_seamless_cube_map::NAME) {
            features = features.push_next(&mut self.seamless);
        }
        // SAFETY: the structures of the chain are known to the device.
        unsafe { api.instance.get_physical_device_features2(device, &mut features) };
        let all = features.features;
        // The structures outlive the query's chain: none may keep a pointer into it.
        self.twelve.p_next = std::ptr::null_mut();
        self.border.p_next = std::ptr::null_mut();
        self.swizzle.p_next = std::ptr::null_mut();
        self.robust.p_next = std::ptr::null_mut();
        self.seamless.p_next = std::ptr::null_mut();
        all
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
        // SAFETY: the device belongs to the instance.
        let families = unsafe { api.instance.get_physical_device_queue_family_properties(physical) };
        let both = vk::QueueFlags::GRAPHICS | vk::QueueFlags::COMPUTE;
        let family = families.iter().position(|f| f.queue_flags.contains(both));
        let family = family.ok_or_else(|| {
            format!("cannot open the Vulkan device {}: no queue for draws and dispatches", info.name)
        })? as u32;
        let extensions = api.extensions(physical);
        let has = |name: &CStr| extensions.iter().any(|e| e.as_c_str() == name);
        let modern = api.version(physical) >= vk::API_VERSION_1_2;
        let wanted: Vec<_> = [
            (ash::ext::custom_border_color::NAME, info.offers.custom_border),
            (ash::ext::border_color_swizzle::NAME, info.offers.border_swizzle),
            (ash::ext::robustness2::NAME, info.offers.robust_image),
            (ash::ext::non_seamless_cube_map::NAME, info.offers.non_seamless),
            (ash::ext::depth_range_unrestricted::NAME, info.offers.depth_unrestricted),
            (ash::ext::sampler_filter_minmax::NAME, !modern && info.offers.minmax),
            (ash::khr::sampler_mirror_clamp_to_edge::NAME, !modern && info.offers.mirror_once),
        ]
        .into_iter()
        .filter(|(name, used)| *used && has(name))
        .map(|(name, _)| name.as_ptr())
        .collect();
        let o = info.offers;
        let features = vk::PhysicalDeviceFeatures::default()
            .sampler_anisotropy(o.anisotropy)
            .image_cube_array(o.cube_array)
            .shader_image_gather_extended(o.gather_extended)
            .fragment_stores_and_atomics(o.fragment_stores)
            .texture_compression_bc(o.bc)
            .texture_compression_etc2(o.etc2)
            .texture_compression_astc_ldr(o.astc)
            .shader_storage_image_multisample(o.storage_multisample);
        let mut twelve = vk::PhysicalDeviceVulkan12Features::default()
            .sampler_filter_minmax(o.minmax)
            .sampler_mirror_clamp_to_edge(o.mirror_once);
        let mut border = vk::PhysicalDeviceCustomBorderColorFeaturesEXT::default()
            .custom_border_colors(true)
            .custom_border_color_without_format(true);
        let mut swizzle = vk::PhysicalDeviceBorderColorSwizzleFeaturesEXT::default()
            .border_color_swizzle(true)
            .border_color_swizzle_from_image(true);
        let mut robust = vk::PhysicalDeviceRobustness2FeaturesEXT::default().robust_image_access2(true);
        let mut seamless =
            vk::PhysicalDeviceNonSeamlessCubeMapFeaturesEXT::default().non_seamless_cube_map(true);
        let queue =
            [vk::DeviceQueueCreateInfo::default().queue_family_index(family).queue_priorities(&[1.0])];
        let mut create = vk::DeviceCreateInfo::default()
            .queue_create_infos(&queue)
            .enabled_extension_names(&wanted)
            .enabled_features(&features);
        if modern {
            create = create.push_next(&mut twelve);
        }
        if o.custom_border {
            create = create.push_next(&mut border);
        }
        if o.border_swizzle {
            create = create.push_next(&mut swizzle);
        }
        if o.robust_image {
            create = create.push_next(&mut robust);
        }
        if o.non_seamless {
            create = create.push_next(&mut seamless);
        }
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
