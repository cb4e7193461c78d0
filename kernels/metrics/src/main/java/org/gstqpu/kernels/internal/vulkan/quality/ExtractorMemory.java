/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.quality;

import java.util.ArrayList;
import java.util.List;
import org.gstqpu.kernels.internal.vulkan.device.MemoryKind;
import org.gstqpu.kernels.internal.vulkan.memory.BufferPool;
import org.gstqpu.kernels.internal.vulkan.memory.DeviceBuffer;

/** Owns a meter's buffers on the device, those of its extractors, too. Belongs to the context's thread. */
final class ExtractorMemory implements AutoCloseable {
    private final BufferPool pool;
    private final List<DeviceBuffer> buffers = new ArrayList<>();

    /** No buffers yet. The pool stays the caller's, and is closed after this. */
    ExtractorMemory(BufferPool pool) {
        this.pool = pool;
    }

    /**
     * A buffer with undefined content, which lasts until {@link #close}.
     *
     * @param words its words of 4 bytes; a buffer has at least one
     * @throws org.gstqpu.kernels.substrate.DeviceException when the device has not the memory
     */
    DeviceBuffer acquire(MemoryKind kind, long words) {
        DeviceBuffer buffer = pool.acquire(kind, PairShape.WORD_BYTES * Math.max(words, 1));
        buffers.add(buffer);
        return buffer;
    }

    /** Releases all buffers. No work of the device may use them any more. */
    @Override
    public void close() {
        buffers.forEach(pool::release);
        buffers.clear();
    }
}
