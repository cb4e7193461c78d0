/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.bench.dispatch;

import java.util.Optional;
import org.gstqpu.kernels.internal.vulkan.device.VulkanDevice;
import org.gstqpu.kernels.internal.vulkan.memory.BufferPool;
import org.gstqpu.kernels.internal.vulkan.memory.HostImport;
import org.gstqpu.kernels.substrate.DeviceException;

/**
 * A dispatch that owns and keeps its buffers, descriptor set, recorded command buffer and fence, so that {@link #dispatch}
 * allocates nothing. Belongs to the context's thread.
 */
final class PremadeDispatch implements StagedDispatch {
    private final VulkanDevice device;
    private final long destinationAddress;
    private final WorkPipeline pipeline;
    private Optional<HostImport> destination = Optional.empty();
    private WorkBuffers buffers;
    private RecordedWork recorded;
    private WorkFence fence;

    /**
     * @param importDestination whether the destination is imported, so that the device works on it
     * @throws DeviceException when the device has not enough memory, or does not import the destination
     */
    PremadeDispatch(
            VulkanDevice device,
            DispatchWork work,
            BufferPool pool,
            long destinationAddress,
            boolean importDestination) {
        this.device = device;
        this.destinationAddress = destinationAddress;
        pipeline = new WorkPipeline(device, work);
        try {
            if (importDestination) {
                destination = Optional.of(importDestination(work));
                buffers = WorkBuffers.acquire(pool, work, destination.get());
            } else {
                buffers = WorkBuffers.acquire(pool, work);
            }
            recorded = new RecordedWork(device, pipeline, buffers);
            fence = new WorkFence(device);
        } catch (DeviceException e) {
            close();
            throw e;
        }
    }

    private HostImport importDestination(DispatchWork work) {
        return (HostImport) HostImport.tryImport(device, destinationAddress, work.destinationBytes())
                .orElseThrow(() -> new DeviceException(
                        "the device " + device.capabilities().summary()
                                + " does not import memory of the process; leave the stage out"));
    }

    @Override
    public void dispatch(long[] inputAddresses) {
        buffers.upload(inputAddresses, destinationAddress);
        fence.run(recorded.primary());
        buffers.download(destinationAddress);
    }

    @Override
    public Optional<DispatchHandles> handles() {
        return Optional.of(new DispatchHandles(
                device.handle().address(),
                device.queue().address(),
                recorded.primary().address(),
                fence.handle(),
                buffers.inputAddresses(),
                buffers.destinationAddress()));
    }

    @Override
    public void close() {
        if (fence != null) {
            fence.close();
        }
        if (recorded != null) {
            recorded.close();
            recorded = null;
        }
        if (buffers != null) {
            buffers.close();
        }
        destination.ifPresent(HostImport::close);
        pipeline.close();
    }
}
