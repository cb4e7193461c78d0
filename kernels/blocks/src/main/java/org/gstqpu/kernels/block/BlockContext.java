/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.block;

import org.gstqpu.kernels.substrate.DeviceException;

/**
 * Makes buffers and prepared calls. Made by {@link org.gstqpu.kernels.blocks.Blocks#open Blocks.open}. The caller owns
 * the context and all that the context makes, and closes the context last. All of them belong to one thread at a time.
 *
 * <p>Calls take effect in the order of their submission: each sees what the calls before it wrote.
 */
public interface BlockContext extends AutoCloseable {
    /**
     * Makes a buffer of zeros, which the caller closes.
     *
     * @param sizeBytes 1 to 2<sup>31</sup>-4, which is rounded up to a multiple of 4
     * @throws IllegalArgumentException when the size is out of range
     * @throws DeviceException when the device has not enough memory
     */
    KernelBuffer newBuffer(long sizeBytes);

    /**
     * Makes everything that a run of {@code call} needs, so that runs allocate nothing. The caller closes the prepared call.
     *
     * @throws IllegalArgumentException when another context made one of the buffers
     * @throws DeviceException when the device failed
     */
    PreparedCall prepare(BlockCall call);

    /** Number of submissions to the device so far; 0 on the CPU. */
    long submits();

    /** Releases the substrate, after all that this context made was closed. A second call does nothing. */
    @Override
    void close();
}
