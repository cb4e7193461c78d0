/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.work;

import org.gstqpu.kernels.internal.vulkan.device.VulkanDevice;
import org.gstqpu.kernels.internal.vulkan.memory.BufferPool;

/**
 * What all filters, meters and calls of a context share. The context owns the parts and closes them; this record only names them.
 * Belongs to the context's thread.
 *
 * @param device the opened device
 * @param pool where buffers of the device come from
 * @param pipelines the compiled kernels
 * @param tuning how kernels are cut for this device
 * @param timeoutNanos how long to wait for work before the device counts as hung
 */
public record DeviceRuntime(
        VulkanDevice device, BufferPool pool, KernelPipelines pipelines, KernelTuning tuning, long timeoutNanos) {}
