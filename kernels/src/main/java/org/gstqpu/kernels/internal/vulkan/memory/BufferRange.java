/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.memory;

import static org.lwjgl.vulkan.VK11.VK_NULL_HANDLE;

/**
 * Part of a VkBuffer, as a descriptor names it.
 *
 * @param buffer handle of the VkBuffer
 * @param offsetBytes where the part begins, aligned as the device asks
 * @param sizeBytes its length
 * @param wordView handle of the {@link WordView} over the same part; 0 where it has none
 */
public record BufferRange(long buffer, long offsetBytes, long sizeBytes, long wordView) {
    public BufferRange(long buffer, long offsetBytes, long sizeBytes) {
        this(buffer, offsetBytes, sizeBytes, VK_NULL_HANDLE);
    }
}
