/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.bench.dispatch;

import static org.lwjgl.system.MemoryUtil.memCopy;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.gstqpu.kernels.internal.vulkan.device.MemoryKind;
import org.gstqpu.kernels.internal.vulkan.device.VulkanDevice;
import org.gstqpu.kernels.internal.vulkan.memory.BufferPool;
import org.gstqpu.kernels.internal.vulkan.memory.BufferRange;
import org.gstqpu.kernels.internal.vulkan.memory.DeviceBuffer;
import org.gstqpu.kernels.internal.vulkan.memory.HostImport;
import org.gstqpu.kernels.substrate.DeviceException;

/**
 * Owns the buffers of a {@link DispatchWork}: its inputs, and its destination unless that is imported memory of the caller.
 * Belongs to the context's thread.
 */
final class WorkBuffers implements AutoCloseable {
    private final DispatchWork work;
    private final Optional<BufferPool> pool;
    private final Optional<HostImport> imported;

    /** The buffer of each binding; null for an imported destination. */
    private final DeviceBuffer[] buffers;

    /** The bindings of the inputs. */
    private final int[] inputs;

    /** The binding of the destination. */
    private final int destination;

    private WorkBuffers(DispatchWork work, Optional<BufferPool> pool, Optional<HostImport> imported) {
        this.work = work;
        this.pool = pool;
        this.imported = imported;
        buffers = new DeviceBuffer[work.buffers().size()];
        inputs = IntStream.range(0, buffers.length).filter(this::isInput).toArray();
        destination = IntStream.range(0, buffers.length)
                .filter(binding -> !isInput(binding))
                .findFirst()
                .orElseThrow();
    }

    private boolean isInput(int binding) {
        return work.buffers().get(binding).role() != DispatchWork.Role.DESTINATION;
    }

    /** Makes new buffers, which {@link #close} frees. */
    static WorkBuffers allocate(VulkanDevice device, DispatchWork work) {
        WorkBuffers made = new WorkBuffers(work, Optional.empty(), Optional.empty());
        return made.fill((kind, bytes) -> new DeviceBuffer(device, kind, bytes));
    }

    /** Takes buffers from a pool, to which {@link #close} returns them. */
    static WorkBuffers acquire(BufferPool pool, DispatchWork work) {
        return new WorkBuffers(work, Optional.of(pool), Optional.empty()).fill(pool::acquire);
    }

    /** Takes buffers for the inputs from a pool. The destination is imported memory of the caller. */
    static WorkBuffers acquire(BufferPool pool, DispatchWork work, HostImport destination) {
        return new WorkBuffers(work, Optional.of(pool), Optional.of(destination)).fill(pool::acquire);
    }

    @FunctionalInterface
    private interface Source {
        DeviceBuffer buffer(MemoryKind kind, long bytes);
    }

    private WorkBuffers fill(Source source) {
        try {
            for (int binding = 0; binding < buffers.length; binding++) {
                int bytes = work.buffers().get(binding).bytes();
                if (isInput(binding)) {
                    buffers[binding] = source.buffer(MemoryKind.UPLOAD, bytes);
                } else if (imported.isEmpty()) {
                    buffers[binding] = source.buffer(MemoryKind.DOWNLOAD, bytes);
                }
            }
            return this;
        } catch (DeviceException e) {
            close();
            throw e;
        }
    }

    /** The buffer range of each binding, for the descriptors. Lists of the same buffers are equal. */
    List<BufferRange> ranges() {
        List<BufferRange> ranges = new ArrayList<>();
        for (DeviceBuffer buffer : buffers) {
            ranges.add(buffer != null ? buffer.range() : imported.orElseThrow().range(0));
        }
        return ranges;
    }

    /** The mapped address of each input. */
    List<Long> inputAddresses() {
        return IntStream.of(inputs)
                .mapToObj(binding -> buffers[binding].address())
                .toList();
    }

    /** The mapped address of the destination, 0 if the destination is imported. */
    long destinationAddress() {
        return imported.isPresent() ? 0 : buffers[destination].address();
    }

    /** Copies the inputs to the buffers, and the destination, too, unless that is imported. Allocates nothing. */
    void upload(long[] inputAddresses, long destinationAddress) {
        for (int i = 0; i < inputs.length; i++) {
            copy(inputAddresses[i], buffers[inputs[i]].address(), inputs[i]);
        }
        if (imported.isEmpty()) {
            copy(destinationAddress, buffers[destination].address(), destination);
        }
    }

    /** Copies the destination back, unless that is imported. Allocates nothing. */
    void download(long destinationAddress) {
        if (imported.isEmpty()) {
            copy(buffers[destination].address(), destinationAddress, destination);
        }
    }

    private void copy(long from, long to, int binding) {
        memCopy(from, to, work.buffers().get(binding).bytes());
    }

    @Override
    public void close() {
        // In reverse order, because the pool's free lists are stacks: the next acquire then returns the same buffers.
        for (int binding = buffers.length - 1; binding >= 0; binding--) {
            DeviceBuffer buffer = buffers[binding];
            buffers[binding] = null;
            if (buffer != null) {
                pool.ifPresentOrElse(owner -> owner.release(buffer), buffer::close);
            }
        }
    }
}
