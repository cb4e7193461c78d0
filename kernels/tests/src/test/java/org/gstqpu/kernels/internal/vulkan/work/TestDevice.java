/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.work;

import org.gstqpu.kernels.internal.vulkan.device.DeviceAllowances;
import org.gstqpu.kernels.internal.vulkan.device.DeviceCapabilities;
import org.gstqpu.kernels.internal.vulkan.device.DeviceHandle;
import org.gstqpu.kernels.internal.vulkan.device.VulkanDevice;
import org.gstqpu.kernels.internal.vulkan.device.VulkanInstance;
import org.gstqpu.kernels.substrate.SubstrateUnavailableException;
import org.lwjgl.vulkan.VkDevice;

/** Owns a VkDevice that no context uses, and what is compiled for it: whatever a test does to it is nobody else's. */
public final class TestDevice implements AutoCloseable {
    private final DeviceHandle handle;
    private final VulkanDevice device;
    private CompiledKernels kernels;

    public TestDevice(DeviceCapabilities capabilities, DeviceAllowances allowances)
            throws SubstrateUnavailableException {
        handle = DeviceHandle.open(VulkanInstance.open(), capabilities, allowances);
        device = new VulkanDevice(handle, capabilities, allowances);
    }

    public VulkanDevice device() {
        return device;
    }

    public VkDevice handle() {
        return device.handle();
    }

    /** Pipelines that the test closes. */
    KernelPipelines newPipelines() {
        if (kernels == null) {
            kernels = new CompiledKernels(handle);
        }
        return new KernelPipelines(device, kernels);
    }

    @Override
    public void close() {
        if (kernels != null && handle.mayDestroy()) {
            kernels.close();
        }
        handle.close();
    }
}
