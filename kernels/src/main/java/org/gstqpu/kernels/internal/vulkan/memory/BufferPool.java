/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.memory;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.gstqpu.kernels.internal.vulkan.device.MemoryKind;
import org.gstqpu.kernels.internal.vulkan.device.VulkanDevice;

/**
 * Owns the device buffers of a context: a freelist for each {@link MemoryKind} and each power of two from 2^8 to 2^23 bytes;
 * larger ones are made and freed as they come. Pooled memory is freed at {@link #close} only. Belongs to the context's
 * thread, but for {@link #totalBytes}.
 */
public final class BufferPool implements AutoCloseable {
    static final int SMALLEST_CLASS = 8;
    static final int LARGEST_CLASS = 23;

    private final VulkanDevice device;
    /** By kind, then by size class, the smallest first. */
    private final Map<MemoryKind, List<Deque<DeviceBuffer>>> free = new EnumMap<>(MemoryKind.class);

    private final AtomicLong totalBytes = new AtomicLong();

    public BufferPool(VulkanDevice device) {
        this.device = device;
        for (MemoryKind kind : MemoryKind.values()) {
            free.put(
                    kind,
                    IntStream.rangeClosed(SMALLEST_CLASS, LARGEST_CLASS)
                            .<Deque<DeviceBuffer>>mapToObj(sizeClass -> new ArrayDeque<>())
                            .toList());
        }
    }

    /** Size class of a request: the exponent of the smallest power of two that holds it; above the largest: unpooled. */
    static int sizeClass(long sizeBytes) {
        return Math.max(SMALLEST_CLASS, 64 - Long.numberOfLeadingZeros(sizeBytes - 1));
    }

    /**
     * A buffer of at least {@code sizeBytes} bytes, its content undefined; given back by {@link #release}.
     *
     * @throws org.gstqpu.kernels.substrate.DeviceException when the device has not the memory
     */
    public DeviceBuffer acquire(MemoryKind kind, long sizeBytes) {
        if (sizeBytes < 1) {
            throw new IllegalArgumentException("a buffer has at least 1 byte, given " + sizeBytes);
        }
        int sizeClass = sizeClass(sizeBytes);
        if (sizeClass > LARGEST_CLASS) {
            return create(kind, sizeBytes);
        }
        DeviceBuffer reused = freelist(kind, sizeClass).pollLast();
        return reused != null ? reused : create(kind, 1L << sizeClass);
    }

    private DeviceBuffer create(MemoryKind kind, long sizeBytes) {
        DeviceBuffer buffer = new DeviceBuffer(device, kind, sizeBytes, true);
        totalBytes.addAndGet(sizeBytes);
        return buffer;
    }

    /** Takes a buffer back that no work uses any more. */
    public void release(DeviceBuffer buffer) {
        int sizeClass = sizeClass(buffer.sizeBytes());
        if (sizeClass > LARGEST_CLASS) {
            destroy(buffer);
        } else {
            freelist(buffer.kind(), sizeClass).addLast(buffer);
        }
    }

    private Deque<DeviceBuffer> freelist(MemoryKind kind, int sizeClass) {
        return free.get(kind).get(sizeClass - SMALLEST_CLASS);
    }

    private void destroy(DeviceBuffer buffer) {
        totalBytes.addAndGet(-buffer.sizeBytes());
        buffer.close();
    }

    /** Bytes of all buffers that live, in use or free; any thread. */
    public long totalBytes() {
        return totalBytes.get();
    }

    /** Frees what is on the freelists; buffers still in use stay their user's. */
    @Override
    public void close() {
        for (List<Deque<DeviceBuffer>> classes : free.values()) {
            for (Deque<DeviceBuffer> list : classes) {
                while (!list.isEmpty()) {
                    destroy(list.pollLast());
                }
            }
        }
    }
}
