/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.block;

/**
 * Owns memory that kernels of one {@link BlockContext} read and write and that the CPU sees at {@link #address}. Made by
 * {@link BlockContext#newBuffer}, zeroed; closed by its user after every {@link PreparedCall} that names it.
 *
 * <p>The CPU may touch it only while no submitted call uses it. On a device without host-cached memory (Raspberry Pi 5)
 * CPU writes are fast and CPU reads slow.
 */
public interface KernelBuffer extends AutoCloseable {
    /** Bytes that may be read and written, a multiple of 4. */
    long sizeBytes();

    /** Address of the first byte, aligned to 64; stays the same until {@link #close}. */
    long address();

    /** Releases the memory; a second call does nothing. */
    @Override
    void close();
}
