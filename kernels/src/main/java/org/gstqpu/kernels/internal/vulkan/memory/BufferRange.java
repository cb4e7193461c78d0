/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.memory;

import static org.lwjgl.vulkan.VK11.VK_NULL_HANDLE;

/**
 * A part of a VkBuffer, for a descriptor. Owns nothing. Immutable.
 *
 * @param buffer handle of the VkBuffer
 * @param offsetBytes where the part begins, a multiple of the device's alignment of storage buffers
 * @param sizeBytes the length of the part
 * @param wordView handle of the {@link WordView} of the same part; 0 if there is none
 */
public record BufferRange(long buffer, long offsetBytes, long sizeBytes, long wordView) {
    /** A part without a {@link WordView}. */
    public BufferRange(long buffer, long offsetBytes, long sizeBytes) {
        this(buffer, offsetBytes, sizeBytes, VK_NULL_HANDLE);
    }
}
