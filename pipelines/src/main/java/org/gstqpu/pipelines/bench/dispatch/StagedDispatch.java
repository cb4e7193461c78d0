/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.bench.dispatch;

import java.util.Optional;
import org.gstqpu.kernels.substrate.DeviceException;

/**
 * Owns what one {@link DispatchStage} keeps between dispatches of one {@link DispatchWork}. Made by {@link
 * DispatchLadder#open}; belongs to its thread; closed before it.
 */
public sealed interface StagedDispatch extends AutoCloseable permits UnkeptDispatch, ReplayedDispatch, PremadeDispatch {
    /**
     * Brings the inputs to the device, runs the kernel on the destination and returns when the result is in the caller's
     * memory.
     *
     * @param inputAddresses where each input lies, as long as the work says
     * @throws DeviceException when the device failed
     */
    void dispatch(long[] inputAddresses);

    /** The objects that a dispatch uses; empty where some are made anew for each. */
    default Optional<DispatchHandles> handles() {
        return Optional.empty();
    }

    /** Releases everything; a second call does nothing. */
    @Override
    void close();
}
