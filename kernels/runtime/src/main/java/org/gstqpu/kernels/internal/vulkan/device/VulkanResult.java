/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.device;

import static org.lwjgl.vulkan.EXTExternalMemoryHost.*;
import static org.lwjgl.vulkan.VK11.*;

import org.gstqpu.kernels.substrate.DeviceException;
import org.gstqpu.kernels.substrate.DeviceFailure;

/** Turns VkResult codes into exceptions whose messages name the cause and the cure. Has no state. Any thread. */
public final class VulkanResult {
    private VulkanResult() {}

    /**
     * Does nothing if {@code result} is VK_SUCCESS.
     *
     * @param call the call that returned it, as the message names it
     * @throws DeviceException otherwise
     */
    public static void check(int result, String call) {
        if (result != VK_SUCCESS) {
            throw failure(result, call);
        }
    }

    /**
     * Does nothing if a call has filled a list, or a part of one that has grown since its entries were counted: what has come meanwhile is
     * left out.
     *
     * @param call the call that returned the result, as the message names it
     * @throws DeviceException if the call failed
     */
    static void checkList(int result, String call) {
        if (result != VK_INCOMPLETE) {
            check(result, call);
        }
    }

    /** Returns the exception for a result other than VK_SUCCESS, for the caller to throw. {@code call} returned that result. */
    public static DeviceException failure(int result, String call) {
        return new DeviceException(kind(result), call + " failed: " + describe(result));
    }

    /**
     * Says in one line why a call that imports memory failed, where the caller can copy instead.
     *
     * @throws DeviceException if the device is lost: then a copy does not help either
     */
    public static String refusal(int result, String call) {
        DeviceException failure = failure(result, call);
        if (failure.failure() == DeviceFailure.LOST) {
            throw failure;
        }
        return failure.getMessage();
    }

    static boolean isOutOfMemory(int result) {
        return kind(result) == DeviceFailure.OUT_OF_MEMORY;
    }

    private static DeviceFailure kind(int result) {
        return switch (result) {
            case VK_ERROR_DEVICE_LOST -> DeviceFailure.LOST;
            case VK_ERROR_OUT_OF_DEVICE_MEMORY,
                    VK_ERROR_OUT_OF_HOST_MEMORY,
                    VK_ERROR_OUT_OF_POOL_MEMORY,
                    VK_ERROR_TOO_MANY_OBJECTS,
                    VK_ERROR_FRAGMENTED_POOL -> DeviceFailure.OUT_OF_MEMORY;
            case VK_TIMEOUT -> DeviceFailure.TIMED_OUT;
            default -> DeviceFailure.OTHER;
        };
    }

    private static String describe(int result) {
        return switch (result) {
            case VK_ERROR_DEVICE_LOST ->
                "VK_ERROR_DEVICE_LOST, the driver gave the device up (see dmesg); reopen it, or use substrate=cpu";
            case VK_ERROR_OUT_OF_DEVICE_MEMORY ->
                "VK_ERROR_OUT_OF_DEVICE_MEMORY, the device has no memory left; close other users of it, or use"
                        + " substrate=cpu";
            case VK_ERROR_OUT_OF_HOST_MEMORY ->
                "VK_ERROR_OUT_OF_HOST_MEMORY, the system has no memory left; close other programs";
            case VK_ERROR_OUT_OF_POOL_MEMORY ->
                "VK_ERROR_OUT_OF_POOL_MEMORY, the driver's descriptor pool is full too early; take a newer driver, or substrate=cpu";
            case VK_ERROR_INITIALIZATION_FAILED ->
                "VK_ERROR_INITIALIZATION_FAILED, the driver could not start; let this user into the group of"
                        + " /dev/dri/renderD* (often render), or use substrate=cpu";
            case VK_ERROR_MEMORY_MAP_FAILED ->
                "VK_ERROR_MEMORY_MAP_FAILED, device memory could not be mapped; close other programs, or use substrate=cpu";
            case VK_ERROR_LAYER_NOT_PRESENT ->
                "VK_ERROR_LAYER_NOT_PRESENT, a Vulkan layer is not installed; install it, or unset VK_INSTANCE_LAYERS";
            case VK_ERROR_EXTENSION_NOT_PRESENT ->
                "VK_ERROR_EXTENSION_NOT_PRESENT, an extension is missing; take a newer driver, or substrate=cpu";
            case VK_ERROR_FEATURE_NOT_PRESENT ->
                "VK_ERROR_FEATURE_NOT_PRESENT, a feature is missing; take a newer driver, or substrate=cpu";
            case VK_ERROR_INCOMPATIBLE_DRIVER ->
                "VK_ERROR_INCOMPATIBLE_DRIVER, no Vulkan driver: apt install mesa-vulkan-drivers";
            case VK_ERROR_TOO_MANY_OBJECTS ->
                "VK_ERROR_TOO_MANY_OBJECTS, the device has no room for one more; close other users of it, or use"
                        + " substrate=cpu";
            case VK_ERROR_FRAGMENTED_POOL ->
                "VK_ERROR_FRAGMENTED_POOL, the driver's descriptor pool is in pieces; take a newer driver, or substrate=cpu";
            case VK_ERROR_INVALID_EXTERNAL_HANDLE ->
                "VK_ERROR_INVALID_EXTERNAL_HANDLE, the driver cannot import this memory; let its producer take it elsewhere";
            case VK_TIMEOUT ->
                "VK_TIMEOUT, the device did not finish in time (see dmesg); close other users of it, or use substrate=cpu";
            default -> "VkResult " + result + "; take a newer driver, or substrate=cpu";
        };
    }
}
