/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.device;

import static org.lwjgl.vulkan.VK11.*;

/** The kinds of Vulkan devices (VkPhysicalDeviceType), the best kind first. */
public enum DeviceType {
    /** A GPU with memory of its own. */
    DISCRETE_GPU,
    /** A GPU that shares the memory of the CPU, such as that of a Raspberry Pi. */
    INTEGRATED_GPU,
    /** A GPU in a virtual machine. */
    VIRTUAL_GPU,
    /** Anything else. */
    OTHER,
    /** A driver that runs shaders on the CPU, such as Mesa's lavapipe. */
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

    /** Returns true for the kinds that are GPUs: all but {@link #OTHER} and {@link #CPU}. */
    public boolean isGpu() {
        return this == DISCRETE_GPU || this == INTEGRATED_GPU || this == VIRTUAL_GPU;
    }
}
