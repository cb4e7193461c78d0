/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.work;

import java.util.HashMap;
import java.util.Map;
import org.gstqpu.kernels.internal.vulkan.device.DeviceAllowances;
import org.gstqpu.kernels.internal.vulkan.device.DeviceCapabilities;
import org.gstqpu.kernels.internal.vulkan.device.DeviceHandle;
import org.gstqpu.kernels.internal.vulkan.device.DeviceType;
import org.gstqpu.kernels.internal.vulkan.device.VulkanInstance;
import org.gstqpu.kernels.substrate.DeviceException;
import org.gstqpu.kernels.substrate.SubstrateUnavailableException;

/**
 * Owns a VkDevice and what was compiled for it. On a driver that runs shaders on the CPU, all contexts of the process with the same
 * allowances have one: Mesa's keeps each shader in two forms for each VkDevice, tens of megabytes, and runs the work of all on the same
 * threads. A GPU's contexts have one each, so that the loss of one is not the others', and the work of one does not wait for the
 * others'. Any thread.
 */
final class SharedDevice implements AutoCloseable {
    private record Key(VulkanInstance instance, int device, DeviceAllowances allowances) {}

    /** What can be shared; guarded by the class. */
    private static final Map<Key, SharedDevice> OPEN = new HashMap<>();

    private final Key key;
    private final DeviceHandle handle;
    private final CompiledKernels kernels;

    /** Guarded by the class. */
    private int users = 1;

    /**
     * Returns the device, and makes it if there is none to share. Each call is a share, which the caller closes exactly once.
     *
     * @param instance a share of the instance, which this method takes over, also if it throws
     * @throws SubstrateUnavailableException if the driver does not make the device
     */
    static SharedDevice open(VulkanInstance instance, DeviceCapabilities device, DeviceAllowances allowances)
            throws SubstrateUnavailableException {
        Key key = new Key(instance, device.index(), allowances);
        if (device.type() != DeviceType.CPU) {
            return make(key, device);
        }
        synchronized (SharedDevice.class) {
            SharedDevice open = OPEN.get(key);
            if (open != null && open.handle.isSound()) {
                open.users++;
                instance.close();
                return open;
            }
            SharedDevice made = make(key, device);
            OPEN.put(key, made);
            return made;
        }
    }

    private static SharedDevice make(Key key, DeviceCapabilities device) throws SubstrateUnavailableException {
        DeviceHandle handle = DeviceHandle.open(key.instance(), device, key.allowances());
        try {
            return new SharedDevice(key, handle);
        } catch (DeviceException e) {
            handle.close();
            throw new SubstrateUnavailableException(
                    "the device " + device.summary() + " cannot be used: " + e.getMessage(), e);
        }
    }

    private SharedDevice(Key key, DeviceHandle handle) {
        this.key = key;
        this.handle = handle;
        kernels = new CompiledKernels(handle);
    }

    /** Returns the VkDevice, which stays this object's. */
    DeviceHandle handle() {
        return handle;
    }

    /** Returns what was compiled for the VkDevice. It stays this object's. */
    CompiledKernels kernels() {
        return kernels;
    }

    /** Gives a share back. The last one destroys everything, unless work of one of them never ended. */
    @Override
    public void close() {
        synchronized (SharedDevice.class) {
            users--;
            if (users > 0) {
                return;
            }
            OPEN.remove(key, this);
        }
        if (handle.mayDestroy()) {
            kernels.close();
            handle.close();
        }
    }
}
