/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.memory;

import static org.lwjgl.system.MemoryUtil.memSet;

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
 * Owns the free buffers of a context. There is a freelist for each {@link MemoryKind} and each power of two from 2^8 to 2^23
 * bytes. Buffers of these sizes are reused, and freed by {@link #close} only. Larger buffers are made by {@link #acquire} and
 * freed by {@link #release}. Belongs to the context's thread; any thread may call {@link #totalBytes}.
 */
public final class BufferPool implements AutoCloseable {
    /** The exponent of the smallest pooled size, 2^8 bytes. */
    static final int SMALLEST_CLASS = 8;
    /** The exponent of the largest pooled size, 2^23 bytes. */
    static final int LARGEST_CLASS = 23;

    private final VulkanDevice device;
    /** The freelists of each kind, from the smallest size class to the largest. */
    private final Map<MemoryKind, List<Deque<DeviceBuffer>>> free = new EnumMap<>(MemoryKind.class);

    private final AtomicLong totalBytes = new AtomicLong();

    /** An empty pool. The device stays the caller's, and is closed after the pool. */
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

    /**
     * Returns the size class for {@code sizeBytes}: the exponent of the smallest power of two that is not less, and at least
     * {@link #SMALLEST_CLASS}. Sizes above {@link #LARGEST_CLASS} are not pooled.
     */
    static int sizeClass(long sizeBytes) {
        return Math.max(SMALLEST_CLASS, 64 - Long.numberOfLeadingZeros(sizeBytes - 1));
    }

    /**
     * Returns a buffer of at least {@code sizeBytes} bytes with undefined content. The caller gives it back by {@link
     * #release}.
     *
     * @throws org.gstqpu.kernels.substrate.DeviceException if the device does not have the memory
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
        DeviceBuffer buffer = new DeviceBuffer(device, kind, sizeBytes);
        totalBytes.addAndGet(sizeBytes);
        return buffer;
    }

    /**
     * Returns mapped memory that the device reads, of which each byte is 0. The caller gives it back by {@link #release}.
     *
     * @throws org.gstqpu.kernels.substrate.DeviceException if the device does not have the memory
     */
    public DeviceBuffer acquireCleared(long sizeBytes) {
        DeviceBuffer buffer = acquire(MemoryKind.UPLOAD, sizeBytes);
        memSet(buffer.address(), 0, sizeBytes);
        return buffer;
    }

    /** Takes a buffer of this pool back. No work of the device may use it any more. Does nothing without a buffer. */
    public void release(DeviceBuffer buffer) {
        if (buffer == null) {
            return;
        }
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

    /** Returns the bytes of all buffers of this pool, whether they are in use or free. Any thread. */
    public long totalBytes() {
        return totalBytes.get();
    }

    /** Frees the buffers on the freelists. Buffers that are in use stay their users'. */
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
