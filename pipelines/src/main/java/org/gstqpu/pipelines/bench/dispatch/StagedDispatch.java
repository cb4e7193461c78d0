/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.bench.dispatch;

import java.util.Optional;
import org.gstqpu.kernels.substrate.DeviceException;

/**
 * Owns the objects that one {@link DispatchStage} keeps between dispatches of one {@link DispatchWork}. Made by {@link
 * DispatchLadder#open}. Belongs to the thread of the ladder's context, and is closed before that context.
 */
public sealed interface StagedDispatch extends AutoCloseable permits UnkeptDispatch, ReplayedDispatch, PremadeDispatch {
    /**
     * Copies the inputs to the device, runs the kernel on the destination and waits until the result is in the caller's memory.
     *
     * @param inputAddresses the address of each input, whose sizes {@link DispatchWork#inputs} has
     * @throws DeviceException when the device failed
     */
    void dispatch(long[] inputAddresses);

    /** The raw Vulkan objects of the dispatch; empty if the stage makes some of them for each dispatch. */
    default Optional<DispatchHandles> handles() {
        return Optional.empty();
    }

    /** Releases everything; a second call does nothing. */
    @Override
    void close();
}
