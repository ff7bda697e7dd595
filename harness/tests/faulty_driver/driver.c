/*
 * A Vulkan driver in front of another one, for tests: it loses its device, or lacks what the other offers.
 *
 * TEXWIRE_TEST_DRIVER     the other driver's library
 * TEXWIRE_TEST_LOSSES     a symbolic link, whose target has a letter for each submission that loses the device: one is taken away each time
 * TEXWIRE_TEST_FEATURES   0: no feature of VkPhysicalDeviceFeatures, and no extension
 */
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef void (*Function)(void);
typedef Function (*Lookup)(void *, const char *);

enum { SUCCESS = 0, DEVICE_LOST = -4, FEATURES = 55 };

static Lookup other(const char *name) {
    static void *library;
    if (!library) {
        const char *path = getenv("TEXWIRE_TEST_DRIVER");
        library = path ? dlopen(path, RTLD_NOW) : NULL;
    }
    return library ? (Lookup)dlsym(library, name) : NULL;
}

static int32_t (*submit)(void *, uint32_t, const void *, uint64_t);
static void (*features)(void *, void *);
static int32_t (*extensions)(void *, const char *, uint32_t *, void *);
static Lookup of_device;

static int32_t losing_submit(void *queue, uint32_t count, const void *submits, uint64_t fence) {
    const char *losses = getenv("TEXWIRE_TEST_LOSSES");
    char left[64];
    ssize_t length = losses ? readlink(losses, left, sizeof left) : 0;
    if (length > 0) {
        left[length - 1] = 0;
        unlink(losses);
        if (length > 1 && symlink(left, losses)) abort();
        return DEVICE_LOST;
    }
    return submit(queue, count, submits, fence);
}

static int without_features(void) {
    const char *wanted = getenv("TEXWIRE_TEST_FEATURES");
    return wanted && !strcmp(wanted, "0");
}

/* VkPhysicalDeviceFeatures2: type, next, 55 numbers. */
static void no_features(void *device, void *all) {
    features(device, all);
    memset((char *)all + 16, 0, FEATURES * sizeof(uint32_t));
}

static int32_t no_extensions(void *device, const char *layer, uint32_t *count, void *list) {
    (void)device, (void)layer, (void)list;
    *count = 0;
    return SUCCESS;
}

static Function lookup_of_device(void *device, const char *name) {
    Function found = of_device(device, name);
    if (found && !strcmp(name, "vkQueueSubmit")) {
        submit = (int32_t(*)(void *, uint32_t, const void *, uint64_t))found;
        return (Function)losing_submit;
    }
    return found;
}

static Function replaced(const char *name, Function found) {
    if (!found) return found;
    if (!strcmp(name, "vkGetDeviceProcAddr")) {
        of_device = (Lookup)found;
        return (Function)lookup_of_device;
    }
    if (without_features() && !strncmp(name, "vkGetPhysicalDeviceFeatures2", 28)) {
        features = (void (*)(void *, void *))found;
        return (Function)no_features;
    }
    if (without_features() && !strcmp(name, "vkEnumerateDeviceExtensionProperties")) {
        extensions = (int32_t(*)(void *, const char *, uint32_t *, void *))found;
        return (Function)no_extensions;
    }
    return found;
}

Function vk_icdGetInstanceProcAddr(void *instance, const char *name) {
    Lookup real = other("vk_icdGetInstanceProcAddr");
    return real ? replaced(name, real(instance, name)) : NULL;
}

Function vk_icdGetPhysicalDeviceProcAddr(void *instance, const char *name) {
    Lookup real = other("vk_icdGetPhysicalDeviceProcAddr");
    return real ? replaced(name, real(instance, name)) : NULL;
}

int32_t vk_icdNegotiateLoaderICDInterfaceVersion(uint32_t *version) {
    Function found = (Function)other("vk_icdNegotiateLoaderICDInterfaceVersion");
    int32_t (*real)(uint32_t *) = (int32_t(*)(uint32_t *))found;
    return real ? real(version) : -3;
}
