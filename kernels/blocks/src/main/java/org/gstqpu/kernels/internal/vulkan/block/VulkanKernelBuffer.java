/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.block;

import static org.lwjgl.system.MemoryUtil.memSet;

import org.gstqpu.kernels.block.KernelBuffer;
import org.gstqpu.kernels.internal.vulkan.device.MemoryKind;
import org.gstqpu.kernels.internal.vulkan.memory.BufferPool;
import org.gstqpu.kernels.internal.vulkan.memory.BufferRange;
import org.gstqpu.kernels.internal.vulkan.memory.DeviceBuffer;

/**
 * Holds a mapped buffer that belongs to the context's pool; the memory is host-cached if the device has such memory.
 * Belongs to the context's thread.
 */
public final class VulkanKernelBuffer implements KernelBuffer {
    private static final long LARGEST_BYTES = Integer.MAX_VALUE - 3L;

    private final BufferPool pool;
    private final long sizeBytes;
    private DeviceBuffer buffer;

    public VulkanKernelBuffer(BufferPool pool, long sizeBytes) {
        if (sizeBytes < 1 || sizeBytes > LARGEST_BYTES) {
            throw new IllegalArgumentException("a buffer has 1 to 2^31-4 bytes, given " + sizeBytes);
        }
        this.pool = pool;
        this.sizeBytes = (sizeBytes + 3) & -4;
        this.buffer = pool.acquire(MemoryKind.DOWNLOAD, this.sizeBytes);
        memSet(buffer.address(), 0, this.sizeBytes);
    }

    /** True if this buffer came from that pool, and so belongs to the pool's context. */
    public boolean isOf(BufferPool other) {
        return pool == other;
    }

    /** The range that the device may use: the bytes that were asked for, though the buffer may be longer. */
    BufferRange range() {
        checkOpen();
        return new BufferRange(buffer.handle(), 0, sizeBytes);
    }

    @Override
    public long sizeBytes() {
        return sizeBytes;
    }

    @Override
    public long address() {
        checkOpen();
        return buffer.address();
    }

    private void checkOpen() {
        if (buffer == null) {
            throw new IllegalStateException("the buffer is closed");
        }
    }

    @Override
    public void close() {
        if (buffer != null) {
            pool.release(buffer);
            buffer = null;
        }
    }
}
