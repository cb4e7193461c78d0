/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan;

import java.util.Optional;
import org.gstqpu.kernels.filter.FilterContext;
import org.gstqpu.kernels.filter.PictureFilter;
import org.gstqpu.kernels.internal.picture.FieldwiseFilter;
import org.gstqpu.kernels.internal.race.DeviceRace;
import org.gstqpu.kernels.internal.vulkan.device.DeviceCapabilities;
import org.gstqpu.kernels.internal.vulkan.device.VulkanCounters.Counted;
import org.gstqpu.kernels.internal.vulkan.picture.PictureTimes;
import org.gstqpu.kernels.internal.vulkan.picture.VulkanPictureFilter;
import org.gstqpu.kernels.internal.vulkan.work.DeblockForm;
import org.gstqpu.kernels.internal.vulkan.work.DevicePicture;
import org.gstqpu.kernels.internal.vulkan.work.DeviceRuntime;
import org.gstqpu.kernels.internal.vulkan.work.VulkanOptions;
import org.gstqpu.kernels.picture.DeviceMemory;
import org.gstqpu.kernels.picture.DmabufPicture;
import org.gstqpu.kernels.picture.DmabufRefusedException;
import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.kernels.substrate.DeviceCounters;
import org.gstqpu.kernels.substrate.Substrate;
import org.gstqpu.kernels.substrate.SubstrateUnavailableException;

/**
 * Owns an opened Vulkan device, on which it filters pictures. One thread at a time may use the context and its filters;
 * any thread may read the counters.
 */
public final class VulkanFilterContext implements FilterContext, DeviceRace.Racer {
    private final DeviceRuntime runtime;
    private volatile String reason;
    private final PictureTimes pictureTimes = new PictureTimes();

    /**
     * Opens a device; the caller closes it.
     *
     * @throws SubstrateUnavailableException when there is no Vulkan, no such device, or the device cannot be opened as the
     *     options say
     */
    public static VulkanFilterContext open(VulkanOptions options) throws SubstrateUnavailableException {
        return new VulkanFilterContext(DeviceRuntime.open(options));
    }

    private VulkanFilterContext(DeviceRuntime runtime) {
        this.runtime = runtime;
        reason = runtime.reason();
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
    public String reason() {
        return reason;
    }

    /** Replaces the reason, for a caller who chose this device for more than its name. Returns this context. */
    public VulkanFilterContext because(String reason) {
        this.reason = reason;
        return this;
    }

    /** Capabilities of the device. */
    public DeviceCapabilities capabilities() {
        return runtime.device().capabilities();
    }

    @Override
    public PictureFilter newPictureFilter(PixelFormat format, int width, int height) {
        runtime.checkUsable();
        return new FieldwiseFilter(
                format, width, height, rows -> new VulkanPictureFilter(runtime, pictureTimes, format, width, rows));
    }

    /** The form in which pictures are deblocked here. */
    public DeblockForm deblockForm() {
        return runtime.tuning().deblockForm();
    }

    /** Allocates device memory for a picture. The caller closes it. */
    public DevicePicture newDevicePicture(long sizeBytes) {
        runtime.checkUsable();
        return new DevicePicture(runtime, sizeBytes);
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

    /** Number of dispatches that filters and prepared calls have submitted so far. */
    public long dispatches() {
        return runtime.device().counters().get(Counted.DISPATCHES);
    }

    /** Number of submissions that the device measured and that were seen to end. Any thread may ask. */
    public long measuredSubmits() {
        return runtime.device().counters().get(Counted.MEASURED_SUBMITS);
    }

    /**
     * Nanoseconds that the measured submissions took on the device; 0 unless timestamps are
     * taken. Any thread may ask.
     */
    public long gpuNanos() {
        return runtime.device().counters().get(Counted.GPU_NANOS);
    }

    @Override
    public boolean timesPictures() {
        return runtime.device().canTime();
    }

    @Override
    public long lastGpuNanos() {
        return pictureTimes.lastNanos();
    }

    @Override
    public long medianGpuNanos() {
        return pictureTimes.medianNanos();
    }

    @Override
    public long poolBytes() {
        return runtime.pool().totalBytes();
    }

    /** The opened device and what its filters share; it stays this context's. */
    public DeviceRuntime runtime() {
        return runtime;
    }

    @Override
    public void hurry(boolean hurried) {
        runtime.device().hurry(hurried);
    }

    @Override
    public void close() {
        runtime.close();
    }
}
