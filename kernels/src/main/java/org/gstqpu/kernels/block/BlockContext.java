/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.block;

import org.gstqpu.kernels.substrate.DeviceException;

/**
 * Makes buffers and prepared calls on one substrate. Belongs, with all that it makes, to one thread at a time. Calls
 * take effect in the order of their submission: each sees all that the ones before it wrote.
 */
public interface BlockContext extends AutoCloseable {
    /**
     * Makes a zeroed buffer.
     *
     * @param sizeBytes 1 to 2<sup>31</sup>-4; rounded up to a multiple of 4
     * @throws IllegalArgumentException when the size is out of range
     * @throws DeviceException when there is not that much memory
     */
    KernelBuffer newBuffer(long sizeBytes);

    /**
     * Makes everything that running {@code call} needs, so that running it makes nothing.
     *
     * @throws IllegalArgumentException when a buffer is of another context
     * @throws DeviceException when the device failed
     */
    PreparedCall prepare(BlockCall call);

    /** Releases the substrate; after every buffer and call made here was closed. A second call does nothing. */
    @Override
    void close();
}
