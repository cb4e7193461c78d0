/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.substrate;

import java.util.Optional;

/**
 * Which substrate a user asks for.
 *
 * @param substrate what to run on
 * @param device a Vulkan device by index, UUID or part of its name; empty for the best one
 * @param threads CPU threads, 0 for one a processor
 * @param timing whether a device is to time the pictures that it filters, where it can; on a V3D each of the two timestamps
 *     a picture is a job of its own
 */
public record SubstrateRequest(Substrate substrate, Optional<String> device, int threads, boolean timing) {
    /**
     * Without timing.
     *
     * @throws IllegalArgumentException when {@code threads} is negative
     */
    public SubstrateRequest(Substrate substrate, Optional<String> device, int threads) {
        this(substrate, device, threads, false);
    }

    /**
     * @throws IllegalArgumentException when {@code threads} is negative
     */
    public SubstrateRequest {
        if (threads < 0) {
            throw new IllegalArgumentException("threads is 0 (one a processor) or more, given " + threads);
        }
    }
}
