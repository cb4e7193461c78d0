/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.block;

import org.gstqpu.kernels.block.BlockCall;
import org.gstqpu.kernels.block.BlockContext;
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
import org.gstqpu.kernels.internal.vulkan.device.VulkanCounters.Counted;
import org.gstqpu.kernels.internal.vulkan.work.DeviceRuntime;
import org.gstqpu.kernels.internal.vulkan.work.VulkanOptions;
import org.gstqpu.kernels.substrate.Substrate;
import org.gstqpu.kernels.substrate.SubstrateChoice;
import org.gstqpu.kernels.substrate.SubstrateUnavailableException;

/** Owns, unless made {@link #beside} another context, an opened Vulkan device, on which it runs block calls. Belongs to one thread at a time. */
public final class VulkanBlockContext implements BlockContext {
    private final DeviceRuntime runtime;
    private final boolean owner;
    private MotionWeights weights;

    /**
     * Opens a device; the caller closes it.
     *
     * @throws SubstrateUnavailableException when the device cannot be opened as the options say
     */
    public static VulkanBlockContext open(VulkanOptions options) throws SubstrateUnavailableException {
        return new VulkanBlockContext(DeviceRuntime.open(options), true);
    }

    /** A context over a device that another context owns, and closes after this one. Both belong to the same thread. */
    public static VulkanBlockContext beside(DeviceRuntime runtime) {
        return new VulkanBlockContext(runtime, false);
    }

    private VulkanBlockContext(DeviceRuntime runtime, boolean owner) {
        this.runtime = runtime;
        this.owner = owner;
    }

    /** The opened device and what its calls share; it stays this context's. */
    public DeviceRuntime runtime() {
        return runtime;
    }

    /** Name of the device. */
    public String deviceName() {
        return runtime.device().capabilities().name();
    }

    /** How the invocations of kernels exchange values here. */
    public BlockExchange exchange() {
        return BlockExchange.of(runtime.device(), runtime.tuning());
    }

    @Override
    public KernelBuffer newBuffer(long sizeBytes) {
        runtime.checkUsable();
        return new VulkanKernelBuffer(runtime.pool(), sizeBytes);
    }

    @Override
    public PreparedCall prepare(BlockCall call) {
        runtime.checkUsable();
        BlockWork work = work(call);
        for (KernelBuffer buffer : work.buffers()) {
            if (!(buffer instanceof VulkanKernelBuffer own && own.isOf(runtime.pool()))) {
                throw new IllegalArgumentException("a buffer of " + call.kernelName() + " was made by another context");
            }
        }
        if (work.table() instanceof BlockWork.Table.Weights && weights == null) {
            weights = new MotionWeights(runtime.pool());
        }
        return new VulkanPreparedCall(
                runtime,
                call,
                work,
                weights == null ? null : weights.range(),
                new SubstrateChoice(Substrate.QPU, runtime.reason()));
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

    @Override
    public long submits() {
        return runtime.device().counters().get(Counted.SUBMITS);
    }

    @Override
    public void close() {
        if (weights != null) {
            weights.close();
            weights = null;
        }
        if (owner) {
            runtime.close();
        }
    }
}
