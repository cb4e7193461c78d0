/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.block;

import org.gstqpu.kernels.substrate.DeviceException;
import org.gstqpu.kernels.substrate.SubstrateChoice;

/**
 * Owns what it takes to run one {@link BlockCall} again and again; allocates nothing when run. Belongs to its context's
 * thread; closed by its user before the buffers that it names and before its context.
 */
public interface PreparedCall extends AutoCloseable {
    /** What this runs. */
    BlockCall call();

    /**
     * Where a run of {@code count} records takes place and why; allocates nothing.
     *
     * @param count 0 to the call's capacity
     */
    SubstrateChoice choice(int count);

    /**
     * Starts the kernel over the first {@code count} records. Several prepared calls may be in flight, the same one
     * only once.
     *
     * @param count 0 to the call's capacity
     * @throws IllegalArgumentException when {@code count} is out of range
     * @throws IllegalStateException when this call is in flight or closed
     * @throws DeviceException when the device failed; the context can only be closed then
     */
    void submit(int count);

    /**
     * Returns when the last {@link #submit} is complete and its results can be read; at once where there was none.
     *
     * @throws DeviceException when the device failed or took too long
     */
    void await();

    /** {@link #submit} and {@link #await}. */
    default void run(int count) {
        submit(count);
        await();
    }

    /** Waits for the call where it is in flight, then releases it; a second call does nothing. */
    @Override
    void close();
}
