/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/** Buffers of the device: its own from a pool, and imported ones (dmabufs, memory of the process). */
package org.gstqpu.kernels.internal.vulkan.memory;
