/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/** Loader, instance, physical and logical device: what a device can do, and which device is chosen. */
package org.gstqpu.kernels.internal.vulkan.device;
