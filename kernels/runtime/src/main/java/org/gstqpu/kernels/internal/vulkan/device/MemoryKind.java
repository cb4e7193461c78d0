/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.device;

import static org.lwjgl.vulkan.VK11.*;

/** What memory of the device is for. The kind decides which memory type of the device is used. */
public enum MemoryKind {
    /** Only the device reads and writes it. */
    DEVICE(0, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT),
    /** The CPU writes it, the device reads it. */
    UPLOAD(
            VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT,
            VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT,
            0),
    /** The device writes it. The CPU reads it, and may write it too. Reads of uncached memory are many times slower. */
    DOWNLOAD(
            VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT,
            VK_MEMORY_PROPERTY_HOST_CACHED_BIT,
            0);

    /** Property flags that a memory type must have. */
    private final int required;
    /** Property flags of the best memory types. */
    private final int preferred;
    /** Property flags that good memory types do not have. */
    private final int unwanted;

    MemoryKind(int required, int preferred, int unwanted) {
        this.required = required;
        this.preferred = preferred;
        this.unwanted = unwanted;
    }

    /** Returns true if the CPU reads or writes this memory, so that it stays mapped. */
    public boolean mapped() {
        return (required & VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT) != 0;
    }

    /** Returns how well a memory type with these property flags serves this kind; -1 if it cannot. */
    int score(int propertyFlags) {
        if ((propertyFlags & required) != required) {
            return -1;
        }
        return ((propertyFlags & preferred) == preferred ? 2 : 0) + ((propertyFlags & unwanted) == 0 ? 1 : 0);
    }
}
