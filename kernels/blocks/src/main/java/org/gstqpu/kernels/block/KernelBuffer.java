/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.block;

/**
 * Owns memory that kernels of one {@link BlockContext} read and write, and that the CPU sees at {@link #address}. Made by {@link
 * BlockContext#newBuffer}, filled with zeros. The caller owns the buffer and closes it after every {@link PreparedCall} that uses it.
 *
 * <p>The CPU must not touch the memory while a submitted call uses it. On a device without host-cached memory (Raspberry Pi 5), CPU
 * writes are fast and CPU reads are slow.
 */
public interface KernelBuffer extends AutoCloseable {
    /** Size of the memory in bytes, a multiple of 4. */
    long sizeBytes();

    /** Address of the first byte, a multiple of 64. It stays the same until {@link #close}. */
    long address();

    /** Releases the memory. A second call does nothing. */
    @Override
    void close();
}
