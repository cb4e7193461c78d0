/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/** Memory that a device uses through VkBuffers: buffers of a pool, and imported dmabufs and memory of the process. */
package org.gstqpu.kernels.internal.vulkan.memory;
