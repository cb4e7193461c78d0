/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/**
 * The Vulkan substrate. {@link org.gstqpu.kernels.internal.vulkan.VulkanFilterContext} opens a device and makes its
 * filters, meters and block calls. Every class in the packages below belongs to the context's thread unless the class
 * says otherwise.
 */
package org.gstqpu.kernels.internal.vulkan;
