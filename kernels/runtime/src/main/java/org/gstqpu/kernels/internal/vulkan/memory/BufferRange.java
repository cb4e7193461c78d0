/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.memory;

/**
 * A part of a VkBuffer, for a descriptor. Owns nothing. Immutable.
 *
 * @param buffer handle of the VkBuffer
 * @param offsetBytes where the part begins, a multiple of the device's alignment of storage buffers
 * @param sizeBytes the length of the part
 */
public record BufferRange(long buffer, long offsetBytes, long sizeBytes) {}
