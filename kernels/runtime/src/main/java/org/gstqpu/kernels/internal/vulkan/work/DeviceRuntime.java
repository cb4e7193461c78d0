/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.work;

import java.util.Optional;
import org.gstqpu.kernels.internal.vulkan.device.DeviceChoice;
import org.gstqpu.kernels.internal.vulkan.device.VulkanDevice;
import org.gstqpu.kernels.internal.vulkan.device.VulkanDevices;
import org.gstqpu.kernels.internal.vulkan.device.VulkanInstance;
import org.gstqpu.kernels.internal.vulkan.memory.BufferPool;
import org.gstqpu.kernels.internal.vulkan.memory.DmabufPlanes;
import org.gstqpu.kernels.internal.vulkan.memory.HostImport;
import org.gstqpu.kernels.picture.DeviceMemory;
import org.gstqpu.kernels.picture.DmabufPicture;
import org.gstqpu.kernels.picture.DmabufRefusedException;
import org.gstqpu.kernels.picture.MemoryImporter;
import org.gstqpu.kernels.substrate.DeviceException;
import org.gstqpu.kernels.substrate.SubstrateUnavailableException;

/**
 * Owns an opened device, its buffer pool and its pipelines: what all filters, meters and calls of a context share. The VkDevice and
 * what was compiled for it may be another context's, too: {@link SharedDevice}. Belongs to the context's thread.
 */
public final class DeviceRuntime implements MemoryImporter, AutoCloseable {
    private final SharedDevice shared;
    private final VulkanDevice device;
    private final String reason;
    private final BufferPool pool;
    private final KernelPipelines pipelines;
    private final KernelTuning tuning;
    private final long timeoutNanos;
    private boolean closed;

    /**
     * Opens a device; the caller closes it.
     *
     * @throws SubstrateUnavailableException when there is no Vulkan, no such device, or the device cannot be opened as the
     *     options say
     */
    public static DeviceRuntime open(VulkanOptions options) throws SubstrateUnavailableException {
        VulkanInstance instance = VulkanInstance.open();
        DeviceChoice choice = choose(instance, options.device());
        SharedDevice shared = SharedDevice.open(instance, choice.device(), options.allowances());
        try {
            VulkanDevice device = new VulkanDevice(shared.handle(), choice.device(), options.allowances());
            KernelTuning tuning = options.tuning().apply(choice.device());
            return new DeviceRuntime(
                    shared,
                    device,
                    choice.reason(),
                    tuning,
                    options.timeoutNanos().applyAsLong(choice.device()));
        } catch (DeviceException e) {
            shared.close();
            throw new SubstrateUnavailableException(
                    "the device " + choice.device().summary() + " cannot be used: " + e.getMessage(), e);
        }
    }

    private static DeviceChoice choose(VulkanInstance instance, Optional<String> wanted)
            throws SubstrateUnavailableException {
        boolean chosen = false;
        try {
            DeviceChoice choice = DeviceChoice.choose(VulkanDevices.probeAll(instance), wanted);
            chosen = true;
            return choice;
        } finally {
            if (!chosen) {
                instance.close();
            }
        }
    }

    private DeviceRuntime(
            SharedDevice shared, VulkanDevice device, String reason, KernelTuning tuning, long timeoutNanos) {
        this.shared = shared;
        this.device = device;
        this.reason = reason;
        this.tuning = tuning;
        this.timeoutNanos = timeoutNanos;
        pool = new BufferPool(device);
        pipelines = new KernelPipelines(device, shared.kernels());
    }

    /** The opened device. */
    public VulkanDevice device() {
        return device;
    }

    /** One line: why this device was chosen. */
    public String reason() {
        return reason;
    }

    /** Where buffers of the device come from. */
    public BufferPool pool() {
        return pool;
    }

    /** The compiled kernels. */
    public KernelPipelines pipelines() {
        return pipelines;
    }

    /** How kernels are cut for this device. */
    public KernelTuning tuning() {
        return tuning;
    }

    /** How long to wait for work before the device counts as hung. */
    public long timeoutNanos() {
        return timeoutNanos;
    }

    /**
     * Returns if the device can be given work.
     *
     * @throws IllegalStateException when it is closed
     * @throws DeviceException when it has failed
     */
    public void checkUsable() {
        if (closed) {
            throw new IllegalStateException("the context is closed");
        }
        device.checkAlive();
    }

    @Override
    public Optional<DeviceMemory> importHost(long address, long sizeBytes) {
        checkUsable();
        return HostImport.tryImport(device, address, sizeBytes);
    }

    @Override
    public boolean importsDmabufs() {
        return device.canImportDmabufs();
    }

    @Override
    public DeviceMemory importDmabuf(DmabufPicture picture) throws DmabufRefusedException {
        checkUsable();
        return DmabufPlanes.open(device, picture);
    }

    /** Releases the device, after all that uses it was closed. A second call does nothing. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        pipelines.close();
        pool.close();
        shared.close();
    }
}
