/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/**
 * Work for the device: compiled kernels, recorded command buffers, the submit ring, and the means to know that work has
 * ended.
 */
package org.gstqpu.kernels.internal.vulkan.work;
