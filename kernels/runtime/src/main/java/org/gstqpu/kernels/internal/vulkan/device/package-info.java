/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/** Vulkan's loader, instance and devices: what a device can do, which device a context uses, and whether it failed. */
package org.gstqpu.kernels.internal.vulkan.device;
