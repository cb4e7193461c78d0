/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.quality;

import java.util.Optional;
import java.util.Set;
import org.gstqpu.kernels.internal.vulkan.work.DeviceRuntime;
import org.gstqpu.kernels.internal.vulkan.work.VulkanOptions;
import org.gstqpu.kernels.picture.DeviceMemory;
import org.gstqpu.kernels.picture.DmabufPicture;
import org.gstqpu.kernels.picture.DmabufRefusedException;
import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.kernels.quality.MeterContext;
import org.gstqpu.kernels.quality.MetricOptions;
import org.gstqpu.kernels.quality.QualityMeter;
import org.gstqpu.kernels.quality.QualityMetric;
import org.gstqpu.kernels.substrate.DeviceCounters;
import org.gstqpu.kernels.substrate.Substrate;
import org.gstqpu.kernels.substrate.SubstrateUnavailableException;

/** Owns, unless made {@link #beside} another context, an opened Vulkan device, on which it measures pictures. Belongs to one thread at a time. */
public final class VulkanMeterContext implements MeterContext {
    private final DeviceRuntime runtime;
    private final boolean owner;

    /**
     * Opens a device; the caller closes it.
     *
     * @throws SubstrateUnavailableException when the device cannot be opened as the options say
     */
    public static VulkanMeterContext open(VulkanOptions options) throws SubstrateUnavailableException {
        return new VulkanMeterContext(DeviceRuntime.open(options), true);
    }

    /** A context over a device that another context owns, and closes after this one. Both belong to the same thread. */
    public static VulkanMeterContext beside(DeviceRuntime runtime) {
        return new VulkanMeterContext(runtime, false);
    }

    private VulkanMeterContext(DeviceRuntime runtime, boolean owner) {
        this.runtime = runtime;
        this.owner = owner;
    }

    /** The opened device and what its meters share; it stays this context's. */
    public DeviceRuntime runtime() {
        return runtime;
    }

    @Override
    public Substrate substrate() {
        return Substrate.QPU;
    }

    @Override
    public String deviceName() {
        return runtime.device().capabilities().name();
    }

    @Override
    public QualityMeter newMeter(
            PixelFormat format, int width, int height, Set<QualityMetric> metrics, MetricOptions options) {
        runtime.checkUsable();
        return new VulkanQualityMeter(runtime, format, width, height, metrics, options);
    }

    @Override
    public Optional<DeviceMemory> importHost(long address, long sizeBytes) {
        return runtime.importHost(address, sizeBytes);
    }

    @Override
    public boolean importsDmabufs() {
        return runtime.importsDmabufs();
    }

    @Override
    public DeviceMemory importDmabuf(DmabufPicture picture) throws DmabufRefusedException {
        return runtime.importDmabuf(picture);
    }

    @Override
    public DeviceCounters counters() {
        return runtime.device().counters().summary();
    }

    @Override
    public void close() {
        if (owner) {
            runtime.close();
        }
    }
}
