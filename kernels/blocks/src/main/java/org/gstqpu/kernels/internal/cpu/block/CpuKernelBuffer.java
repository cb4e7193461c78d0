/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.cpu.block;

import static org.lwjgl.system.MemoryUtil.memSet;
import static org.lwjgl.system.MemoryUtil.nmemAlignedAlloc;
import static org.lwjgl.system.MemoryUtil.nmemAlignedFree;

import org.gstqpu.kernels.block.KernelBuffer;
import org.gstqpu.kernels.substrate.DeviceException;
import org.gstqpu.kernels.substrate.DeviceFailure;

/** Owns the native memory of one buffer. Belongs to its context's thread. */
final class CpuKernelBuffer implements KernelBuffer {
    private static final int ALIGNMENT_BYTES = 64;

    private final long sizeBytes;
    private long address;

    CpuKernelBuffer(long sizeBytes) {
        if (sizeBytes < 1 || sizeBytes > Integer.MAX_VALUE - 3) {
            throw new IllegalArgumentException("a buffer has 1 to 2^31-4 bytes, given " + sizeBytes);
        }
        this.sizeBytes = (sizeBytes + 3) & -4;
        long allocatedBytes = (sizeBytes + ALIGNMENT_BYTES - 1) & -ALIGNMENT_BYTES;
        this.address = nmemAlignedAlloc(ALIGNMENT_BYTES, allocatedBytes);
        if (address == 0) {
            throw new DeviceException(
                    DeviceFailure.OUT_OF_MEMORY,
                    "no memory for a buffer of " + allocatedBytes
                            + " bytes; use a machine with more memory or smaller batches");
        }
        memSet(address, 0, allocatedBytes);
    }

    @Override
    public long sizeBytes() {
        return sizeBytes;
    }

    @Override
    public long address() {
        if (address == 0) {
            throw new IllegalStateException("the buffer is closed");
        }
        return address;
    }

    @Override
    public void close() {
        if (address != 0) {
            nmemAlignedFree(address);
            address = 0;
        }
    }
}
