/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.device;

import static org.lwjgl.vulkan.VK11.*;

/** Kinds of Vulkan devices (VkPhysicalDeviceType), best first. */
public enum DeviceType {
    /** A GPU with memory of its own. */
    DISCRETE_GPU,
    /** A GPU that shares the CPU's memory, as that of a Raspberry Pi. */
    INTEGRATED_GPU,
    /** A GPU lent to a virtual machine. */
    VIRTUAL_GPU,
    /** Anything else. */
    OTHER,
    /** A driver that runs shaders on the CPU, as Mesa's lavapipe. */
    CPU;

    static DeviceType of(int vkPhysicalDeviceType) {
        return switch (vkPhysicalDeviceType) {
            case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU -> DISCRETE_GPU;
            case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU -> INTEGRATED_GPU;
            case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU -> VIRTUAL_GPU;
            case VK_PHYSICAL_DEVICE_TYPE_CPU -> CPU;
            default -> OTHER;
        };
    }

    /** Whether this is a GPU and not a CPU in disguise. */
    public boolean isGpu() {
        return this == DISCRETE_GPU || this == INTEGRATED_GPU || this == VIRTUAL_GPU;
    }
}
