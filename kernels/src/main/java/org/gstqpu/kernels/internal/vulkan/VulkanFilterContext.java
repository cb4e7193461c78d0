/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.gstqpu.kernels.block.BlockCall;
import org.gstqpu.kernels.block.CdefDirection;
import org.gstqpu.kernels.block.CdefFilter;
import org.gstqpu.kernels.block.H264Edge;
import org.gstqpu.kernels.block.KernelBuffer;
import org.gstqpu.kernels.block.PreparedCall;
import org.gstqpu.kernels.block.ScheduledEdges;
import org.gstqpu.kernels.block.Shrinkage;
import org.gstqpu.kernels.block.Vp9IdctAdd;
import org.gstqpu.kernels.block.Vp9LoopFilter;
import org.gstqpu.kernels.block.Vp9MotionCompensation;
import org.gstqpu.kernels.filter.FilterContext;
import org.gstqpu.kernels.filter.PictureFilter;
import org.gstqpu.kernels.internal.picture.FieldwiseFilter;
import org.gstqpu.kernels.internal.vulkan.block.BlockExchange;
import org.gstqpu.kernels.internal.vulkan.block.BlockWork;
import org.gstqpu.kernels.internal.vulkan.block.MotionWeights;
import org.gstqpu.kernels.internal.vulkan.block.VulkanKernelBuffer;
import org.gstqpu.kernels.internal.vulkan.block.VulkanPreparedCall;
import org.gstqpu.kernels.internal.vulkan.device.DeviceCapabilities;
import org.gstqpu.kernels.internal.vulkan.device.DeviceChoice;
import org.gstqpu.kernels.internal.vulkan.device.GpuMeasurement;
import org.gstqpu.kernels.internal.vulkan.device.PerformanceCounter;
import org.gstqpu.kernels.internal.vulkan.device.PerformanceCounters;
import org.gstqpu.kernels.internal.vulkan.device.VulkanCounters;
import org.gstqpu.kernels.internal.vulkan.device.VulkanDevice;
import org.gstqpu.kernels.internal.vulkan.device.VulkanDevices;
import org.gstqpu.kernels.internal.vulkan.device.VulkanInstance;
import org.gstqpu.kernels.internal.vulkan.memory.BufferPool;
import org.gstqpu.kernels.internal.vulkan.memory.DmabufPlanes;
import org.gstqpu.kernels.internal.vulkan.memory.HostImport;
import org.gstqpu.kernels.internal.vulkan.picture.DevicePicture;
import org.gstqpu.kernels.internal.vulkan.picture.PictureTimes;
import org.gstqpu.kernels.internal.vulkan.picture.VulkanPictureFilter;
import org.gstqpu.kernels.internal.vulkan.quality.VulkanQualityMeter;
import org.gstqpu.kernels.internal.vulkan.work.DeblockForm;
import org.gstqpu.kernels.internal.vulkan.work.DeviceRuntime;
import org.gstqpu.kernels.internal.vulkan.work.KernelPipelines;
import org.gstqpu.kernels.internal.vulkan.work.KernelTuning;
import org.gstqpu.kernels.picture.DeviceMemory;
import org.gstqpu.kernels.picture.DmabufPicture;
import org.gstqpu.kernels.picture.DmabufRefusedException;
import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.kernels.quality.QualityMeter;
import org.gstqpu.kernels.quality.QualityMetric;
import org.gstqpu.kernels.substrate.DeviceException;
import org.gstqpu.kernels.substrate.Substrate;
import org.gstqpu.kernels.substrate.SubstrateChoice;
import org.gstqpu.kernels.substrate.SubstrateUnavailableException;

/**
 * Owns a Vulkan device, its pipelines and its buffer pool. One thread at a time may use the context and its filters;
 * any thread may read the counters.
 */
public final class VulkanFilterContext implements FilterContext {
    private final VulkanDevice device;
    private volatile String reason;
    private final BufferPool pool;
    private final KernelPipelines pipelines;
    private final PictureTimes pictureTimes = new PictureTimes();
    private final DeviceRuntime runtime;
    private MotionWeights weights;
    private boolean closed;

    /**
     * Opens a device; the caller closes it.
     *
     * @throws SubstrateUnavailableException when there is no Vulkan, no such device, or the device cannot be opened as the
     *     options say
     */
    public static VulkanFilterContext open(VulkanOptions options) throws SubstrateUnavailableException {
        VulkanInstance instance = VulkanInstance.open();
        DeviceChoice choice = choose(instance, options.device());
        VulkanDevice device = VulkanDevice.open(instance, choice.device(), options.allowances());
        try {
            KernelTuning tuning = options.tuning().apply(choice.device());
            return new VulkanFilterContext(device, choice.reason(), tuning, options.timeoutNanos());
        } catch (DeviceException e) {
            device.close();
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

    private VulkanFilterContext(VulkanDevice device, String reason, KernelTuning tuning, long timeoutNanos) {
        this.device = device;
        this.reason = reason;
        this.pool = new BufferPool(device);
        this.pipelines = new KernelPipelines(device);
        this.runtime = new DeviceRuntime(device, pool, pipelines, tuning, timeoutNanos);
    }

    @Override
    public Substrate substrate() {
        return Substrate.QPU;
    }

    @Override
    public String deviceName() {
        return device.capabilities().name();
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
        return device.capabilities();
    }

    @Override
    public PictureFilter newPictureFilter(PixelFormat format, int width, int height) {
        checkUsable();
        return new FieldwiseFilter(
                format, width, height, rows -> new VulkanPictureFilter(runtime, pictureTimes, format, width, rows));
    }

    @Override
    public QualityMeter newQualityMeter(PixelFormat format, int width, int height, Set<QualityMetric> metrics) {
        checkUsable();
        return new VulkanQualityMeter(runtime, format, width, height, metrics);
    }

    /** The form in which pictures are deblocked here. */
    public DeblockForm deblockForm() {
        return runtime.tuning().deblockForm();
    }

    /** Allocates device memory for a picture. The caller closes it. */
    public DevicePicture newDevicePicture(long sizeBytes) {
        checkUsable();
        return new DevicePicture(runtime, sizeBytes);
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

    @Override
    public KernelBuffer newBuffer(long sizeBytes) {
        checkUsable();
        return new VulkanKernelBuffer(pool, sizeBytes);
    }

    @Override
    public PreparedCall prepare(BlockCall call) {
        checkUsable();
        BlockWork work = work(call);
        for (KernelBuffer buffer : work.buffers()) {
            if (!(buffer instanceof VulkanKernelBuffer own && own.isOf(pool))) {
                throw new IllegalArgumentException("a buffer of " + call.kernelName() + " was made by another context");
            }
        }
        if (work.table() instanceof BlockWork.Table.Weights && weights == null) {
            weights = new MotionWeights(pool);
        }
        return new VulkanPreparedCall(
                runtime,
                call,
                work,
                weights == null ? null : weights.range(),
                new SubstrateChoice(Substrate.QPU, reason));
    }

    private BlockWork work(BlockCall call) {
        BlockExchange exchange = exchange();
        if (call instanceof Vp9IdctAdd idct) {
            return BlockWork.of(idct, exchange);
        }
        if (call instanceof Vp9LoopFilter edges) {
            return BlockWork.of(edges, exchange);
        }
        if (call instanceof Vp9MotionCompensation motion) {
            return BlockWork.of(motion, exchange);
        }
        if (call instanceof CdefDirection direction) {
            return BlockWork.of(direction);
        }
        if (call instanceof CdefFilter filter) {
            return BlockWork.of(filter, exchange.shuffles(), runtime.tuning().cdefRows());
        }
        if (call instanceof Shrinkage shrinkage) {
            return BlockWork.of(shrinkage, exchange);
        }
        if (call instanceof H264Edge edges) {
            return BlockWork.of(edges, exchange);
        }
        if (call instanceof ScheduledEdges scheduled) {
            return BlockWork.of(scheduled, exchange);
        }
        throw new IllegalArgumentException("not a call of this library: " + call);
    }

    private void checkUsable() {
        if (closed) {
            throw new IllegalStateException("the filter context is closed");
        }
        device.checkAlive();
    }

    @Override
    public long submits() {
        return device.counters().submits();
    }

    /** Number of dispatches that filters and prepared calls have submitted so far. */
    public long dispatches() {
        return device.counters().dispatches();
    }

    /** Number of submissions that the device measured and that were seen to end. Any thread may ask. */
    public long measuredSubmits() {
        return device.counters().measuredSubmits();
    }

    /**
     * Nanoseconds that the measured submissions took on the device; 0 unless {@link GpuMeasurement#TIMESTAMPS} are
     * taken. Any thread may ask.
     */
    public long gpuNanos() {
        return device.counters().gpuNanos();
    }

    /**
     * Values of the device's performance counters; empty unless {@link GpuMeasurement#PERFORMANCE_COUNTERS} are read.
     */
    public List<PerformanceCounter> performanceCounters() {
        return device.performanceCounters().map(PerformanceCounters::read).orElseGet(List::of);
    }

    @Override
    public long bytesCopied() {
        return device.counters().bytesCopied();
    }

    @Override
    public long copies() {
        return device.counters().copies();
    }

    @Override
    public long cpuWaits() {
        return device.counters().waits() + device.counters().fenceWaits();
    }

    @Override
    public long fencesImported() {
        return device.counters().fencesImported();
    }

    @Override
    public long fencesExported() {
        return device.counters().fencesExported();
    }

    @Override
    public boolean timesPictures() {
        return device.canTime();
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
    public long reRecords() {
        return device.counters().reRecords();
    }

    @Override
    public long poolBytes() {
        return pool.totalBytes();
    }

    /** How the invocations of the block library's kernels exchange values here. */
    public BlockExchange exchange() {
        return BlockExchange.of(device, runtime.tuning());
    }

    public VulkanDevice device() {
        return device;
    }

    public BufferPool pool() {
        return pool;
    }

    public KernelPipelines pipelines() {
        return pipelines;
    }

    /**
     * Counts of the calls that this context has made to Vulkan. Tests check with them that the steady state makes none
     * to create or record.
     */
    public VulkanCounters counters() {
        return device.counters();
    }

    @Override
    public void hurry(boolean hurried) {
        device.hurry(hurried);
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        if (weights != null) {
            weights.close();
        }
        pipelines.close();
        pool.close();
        device.close();
    }
}
