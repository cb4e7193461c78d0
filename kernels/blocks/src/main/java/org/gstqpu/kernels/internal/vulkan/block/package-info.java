/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/** Block calls on the device. */
package org.gstqpu.kernels.internal.vulkan.block;
