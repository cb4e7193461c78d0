/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.device;

import static org.lwjgl.vulkan.VK11.*;

/** What device memory is for, which decides among the device's memory types. */
public enum MemoryKind {
    /** Only the device reads and writes it. */
    DEVICE(0, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT),
    /** The CPU writes it, the device reads it. */
    UPLOAD(
            VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT,
            VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT,
            0),
    /** The device writes it, the CPU reads it, and perhaps writes it too; uncached memory makes that many times slower. */
    DOWNLOAD(
            VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT,
            VK_MEMORY_PROPERTY_HOST_CACHED_BIT,
            0);

    private final int required;
    private final int preferred;
    private final int unwanted;

    MemoryKind(int required, int preferred, int unwanted) {
        this.required = required;
        this.preferred = preferred;
        this.unwanted = unwanted;
    }

    public boolean mapped() {
        return (required & VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT) != 0;
    }

    /** How well a memory type with these property flags serves, -1 where it does not. */
    int score(int propertyFlags) {
        if ((propertyFlags & required) != required) {
            return -1;
        }
        return ((propertyFlags & preferred) == preferred ? 2 : 0) + ((propertyFlags & unwanted) == 0 ? 1 : 0);
    }
}
