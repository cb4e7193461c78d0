/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.device;

import static org.lwjgl.system.MemoryStack.stackPush;
import static org.lwjgl.vulkan.EXTDebugUtils.*;
import static org.lwjgl.vulkan.EXTValidationFeatures.*;
import static org.lwjgl.vulkan.VK11.*;

import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.gstqpu.kernels.substrate.DeviceException;
import org.gstqpu.kernels.substrate.SubstrateUnavailableException;
import org.lwjgl.PointerBuffer;
import org.lwjgl.system.JNI;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.vulkan.VK;
import org.lwjgl.vulkan.VkApplicationInfo;
import org.lwjgl.vulkan.VkDebugUtilsMessengerCreateInfoEXT;
import org.lwjgl.vulkan.VkInstance;
import org.lwjgl.vulkan.VkInstanceCreateInfo;
import org.lwjgl.vulkan.VkLayerProperties;
import org.lwjgl.vulkan.VkPhysicalDevice;
import org.lwjgl.vulkan.VkValidationFeaturesEXT;

/**
 * Owns the VkInstance that all contexts of the process share, and its validation messenger. The first {@link #open} makes the
 * instance, and the last {@link #close} destroys it. Any thread.
 *
 * <p>The loader loads the drivers with the first instance, and unloads them with the last. NVIDIA's driver needs care in two
 * ways. It crashes if the thread that unloads it is not the one that loaded it: an instance has a thread of its own for both.
 * Each load of its library libnvidia-tls takes static thread-local storage that glibc never gets back, so that the 30th load
 * would fail: this library stays loaded ({@link ResidentLibraries}).
 */
public final class VulkanInstance implements AutoCloseable {
    private static final String VALIDATION_LAYER = "VK_LAYER_KHRONOS_validation";

    private static VulkanInstance shared;

    private final ExecutorService thread;
    private final VkInstance handle;
    private final long messenger;
    private int users;

    private VulkanInstance(ExecutorService thread, VkInstance handle, long messenger) {
        this.thread = thread;
        this.handle = handle;
        this.messenger = messenger;
    }

    /**
     * Returns the instance, and makes it if there is none. Each call is a share, which the caller closes exactly once.
     *
     * @throws SubstrateUnavailableException if there is no Vulkan loader or no driver, or if the validation layer was asked for
     *     and is missing
     */
    public static VulkanInstance open() throws SubstrateUnavailableException {
        synchronized (VulkanInstance.class) {
            if (shared == null) {
                try {
                    VulkanLoader.load();
                    shared = createOnItsThread();
                } catch (SubstrateUnavailableException e) {
                    OpenFiles.requireEnough(e);
                    throw e;
                }
            }
            shared.users++;
            return shared;
        }
    }

    /** Makes an instance that nobody shares yet. libvulkan is loaded. */
    static VulkanInstance createOnItsThread() throws SubstrateUnavailableException {
        ExecutorService thread = Executors.newSingleThreadExecutor(work -> {
            Thread made = new Thread(work, "qpu-vulkan-instance");
            made.setDaemon(true);
            return made;
        });
        return createOn(thread, () -> create(thread, ValidationMessages.wanted()));
    }

    /** How an instance is made. */
    @FunctionalInterface
    interface Creation {
        VulkanInstance create() throws SubstrateUnavailableException;
    }

    /** Has a thread make an instance, and throws what that throws, errors included. On failure the thread is ended. */
    static VulkanInstance createOn(ExecutorService thread, Creation creation) throws SubstrateUnavailableException {
        try {
            return CompletableFuture.supplyAsync(
                            () -> {
                                try {
                                    return creation.create();
                                } catch (DeviceException e) {
                                    throw new CompletionException(new SubstrateUnavailableException(e.getMessage(), e));
                                } catch (SubstrateUnavailableException e) {
                                    throw new CompletionException(e);
                                }
                            },
                            thread)
                    .join();
        } catch (CompletionException e) {
            thread.shutdown();
            if (e.getCause() instanceof SubstrateUnavailableException unavailable) {
                throw unavailable;
            }
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }

    private static VulkanInstance create(ExecutorService thread, boolean validate)
            throws SubstrateUnavailableException {
        try (MemoryStack stack = stackPush()) {
            if (VK.getInstanceVersionSupported() < VK_API_VERSION_1_1) {
                throw new SubstrateUnavailableException(
                        "the Vulkan loader is older than Vulkan 1.1: apt install libvulkan1 of a newer release");
            }
            VkApplicationInfo application = VkApplicationInfo.calloc(stack)
                    .sType$Default()
                    .pApplicationName(stack.UTF8("gst-qpu"))
                    // The highest version of which calls are used, on devices that have it.
                    .apiVersion(VK_MAKE_API_VERSION(0, 1, 3, 0));
            VkInstanceCreateInfo info =
                    VkInstanceCreateInfo.calloc(stack).sType$Default().pApplicationInfo(application);
            VkDebugUtilsMessengerCreateInfoEXT messengerInfo = null;
            if (validate) {
                requireValidationLayer(stack);
                messengerInfo = VkDebugUtilsMessengerCreateInfoEXT.calloc(stack)
                        .sType$Default()
                        .messageSeverity(VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT
                                | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT)
                        // Without general messages: these are the loader's, such as that there is no driver, and not
                        // the layer's.
                        .messageType(VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT
                                | VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT)
                        .pfnUserCallback(ValidationMessages.callback());
                VkValidationFeaturesEXT features = VkValidationFeaturesEXT.calloc(stack)
                        .sType$Default()
                        .pNext(messengerInfo.address())
                        .pEnabledValidationFeatures(
                                stack.ints(VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT));
                info.pNext(features.address())
                        .ppEnabledLayerNames(stack.pointers(stack.UTF8(VALIDATION_LAYER)))
                        .ppEnabledExtensionNames(stack.pointers(stack.UTF8(VK_EXT_DEBUG_UTILS_EXTENSION_NAME)));
            }
            PointerBuffer pointer = stack.mallocPointer(1);
            DriverExit.driversAreLoaded();
            int result = vkCreateInstance(info, null, pointer);
            if (result == VK_ERROR_INCOMPATIBLE_DRIVER) {
                throw withoutDriver();
            }
            if (result != VK_SUCCESS) {
                DeviceException cause = VulkanResult.failure(result, "vkCreateInstance");
                // Vulkan's loader says that memory is short if it cannot read the file that names a driver.
                throw new SubstrateUnavailableException(
                        cause.getMessage()
                                + "; or repair the driver's file in /usr/share/vulkan/icd.d, or that VK_DRIVER_FILES or"
                                + " VK_ICD_FILENAMES names",
                        cause);
            }
            ResidentLibraries.keep("libnvidia-tls.so");
            VkInstance handle = new VkInstance(pointer.get(0), info);
            try {
                return new VulkanInstance(thread, handle, newMessenger(handle, messengerInfo));
            } catch (DeviceException e) {
                vkDestroyInstance(handle, null);
                throw e;
            }
        }
    }

    /** Returns 0 where {@code info} is null. */
    private static long newMessenger(VkInstance instance, VkDebugUtilsMessengerCreateInfoEXT info) {
        if (info == null) {
            return 0;
        }
        try (MemoryStack stack = stackPush()) {
            LongBuffer created = stack.mallocLong(1);
            VulkanResult.check(
                    vkCreateDebugUtilsMessengerEXT(instance, info, null, created), "vkCreateDebugUtilsMessengerEXT");
            return created.get(0);
        }
    }

    private static SubstrateUnavailableException withoutDriver() {
        for (String variable : List.of("VK_DRIVER_FILES", "VK_ICD_FILENAMES")) {
            String files = System.getenv(variable);
            if (files != null && !files.isEmpty()) {
                return new SubstrateUnavailableException("no Vulkan driver: " + variable
                        + " names none that can be loaded; unset it, or correct it (" + files + ")");
            }
        }
        return new SubstrateUnavailableException("no Vulkan driver: apt install mesa-vulkan-drivers");
    }

    private static void requireValidationLayer(MemoryStack stack) throws SubstrateUnavailableException {
        IntBuffer count = stack.mallocInt(1);
        VulkanResult.check(vkEnumerateInstanceLayerProperties(count, null), "vkEnumerateInstanceLayerProperties");
        try (VkLayerProperties.Buffer layers = VkLayerProperties.malloc(count.get(0))) {
            VulkanResult.checkList(
                    vkEnumerateInstanceLayerProperties(count, layers), "vkEnumerateInstanceLayerProperties");
            for (int i = 0; i < count.get(0); i++) {
                if (layers.get(i).layerNameString().equals(VALIDATION_LAYER)) {
                    return;
                }
            }
        }
        throw new SubstrateUnavailableException("Vulkan validation was asked for (GST_QPU_VALIDATION or"
                + " org.gstqpu.validation) and " + VALIDATION_LAYER
                + " is missing: apt install vulkan-validationlayers");
    }

    /** Returns the VkInstance, which stays this object's. */
    VkInstance handle() {
        return handle;
    }

    /**
     * Returns all physical devices in the loader's order. Users name devices by their index in this order.
     *
     * @throws DeviceException if a driver fails
     */
    List<VkPhysicalDevice> physicalDevices() {
        try (MemoryStack stack = stackPush()) {
            IntBuffer count = stack.mallocInt(1);
            int result = vkEnumeratePhysicalDevices(handle, count, null);
            if (result == VK_INCOMPLETE) {
                // The loader counts by a list of its own, which has grown meanwhile.
                result = vkEnumeratePhysicalDevices(handle, count, null);
            }
            if (result == VK_ERROR_INITIALIZATION_FAILED || (result == VK_SUCCESS && count.get(0) == 0)) {
                // So the loader says that no driver could start.
                return List.of();
            }
            VulkanResult.check(result, "vkEnumeratePhysicalDevices");
            PointerBuffer pointers = stack.mallocPointer(count.get(0));
            VulkanResult.checkList(vkEnumeratePhysicalDevices(handle, count, pointers), "vkEnumeratePhysicalDevices");
            List<VkPhysicalDevice> devices = new ArrayList<>();
            for (int i = 0; i < count.get(0); i++) {
                devices.add(new VkPhysicalDevice(pointers.get(i), handle));
            }
            return devices;
        }
    }

    /**
     * Returns one of these devices by its index.
     *
     * @throws DeviceException if a driver fails, or if the list has become shorter
     */
    VkPhysicalDevice physicalDevice(int index) {
        List<VkPhysicalDevice> devices = physicalDevices();
        if (index >= devices.size()) {
            throw VulkanResult.failure(VK_ERROR_INITIALIZATION_FAILED, "vkEnumeratePhysicalDevices");
        }
        return devices.get(index);
    }

    /** Gives a share back. The last one destroys the instance, and has the C library give unused memory back soon after. */
    @Override
    public void close() {
        synchronized (VulkanInstance.class) {
            if (users > 0 && --users == 0) {
                if (shared == this) {
                    shared = null;
                }
                CompletableFuture.runAsync(this::destroy, thread).join();
                DriverExit.driversAreGone();
                // Nobody waits for it.
                thread.execute(VulkanInstance::giveMemoryBack);
                thread.shutdown();
            }
        }
    }

    /**
     * What the compilers of drivers have freed stays the process's, in as many arenas of glibc as threads compiled: hundreds of megabytes,
     * where many elements ran. Other C libraries have no such function.
     */
    private static void giveMemoryBack() {
        long trim = DriverExit.symbol("malloc_trim");
        if (trim != MemoryUtil.NULL) {
            JNI.invokePI(0L, trim);
        }
    }

    private void destroy() {
        if (messenger != 0) {
            vkDestroyDebugUtilsMessengerEXT(handle, messenger, null);
        }
        vkDestroyInstance(handle, null);
    }
}
