/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.block;

import org.gstqpu.kernels.substrate.DeviceException;
import org.gstqpu.kernels.substrate.SubstrateChoice;

/**
 * Owns everything that runs of one {@link BlockCall} need. Runs allocate nothing. Made by {@link BlockContext#prepare}. The caller
 * owns the prepared call and closes it before the call's buffers and before the context. Belongs to its context's thread.
 */
public interface PreparedCall extends AutoCloseable {
    /** The call that this runs. */
    BlockCall call();

    /**
     * The substrate of a run of {@code count} records, and why. Allocates nothing.
     *
     * @param count 0 to the call's capacity
     */
    SubstrateChoice choice(int count);

    /**
     * Starts the kernel over the first {@code count} records. Several prepared calls may be in flight at a time, but each of them
     * only once.
     *
     * @param count 0 to the call's capacity
     * @throws IllegalArgumentException when {@code count} is out of range
     * @throws IllegalStateException when this call is in flight or closed
     * @throws DeviceException when the device failed; the context can only be closed then
     */
    void submit(int count);

    /**
     * Returns when the last {@link #submit} is complete, so that its results can be read. Returns at once if nothing was submitted.
     *
     * @throws DeviceException when the device failed or took too long; the context can only be closed then
     */
    void await();

    /** Runs the first {@code count} records and waits for them: {@link #submit}, then {@link #await}. */
    default void run(int count) {
        submit(count);
        await();
    }

    /** Waits until the call is not in flight, then releases it. A second call does nothing. */
    @Override
    void close();
}
