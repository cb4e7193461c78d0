/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.substrate;

import java.util.Optional;

/**
 * The substrate that a user asks for. Immutable: {@link #auto} and {@link #of} begin a request, and the other methods return
 * copies that differ in one point.
 *
 * @param substrate what to run on
 * @param device a Vulkan device by index, UUID or part of its name; empty for the best one
 * @param threads CPU threads, the caller's included; 0 for one a processor
 * @param timing true if the device is to measure how long each picture takes on it. A device without timestamps does not. On a
 *     V3D, each of the two timestamps of a picture is a job of its own
 */
public record SubstrateRequest(Substrate substrate, Optional<String> device, int threads, boolean timing) {
    /**
     * A request without timing.
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

    /** Whatever is faster on this machine: the best device, or a CPU thread for each processor. */
    public static SubstrateRequest auto() {
        return of(Substrate.AUTO);
    }

    /** This substrate, with the best device or a CPU thread for each processor. */
    public static SubstrateRequest of(Substrate substrate) {
        return new SubstrateRequest(substrate, Optional.empty(), 0);
    }

    /** This Vulkan device. With {@link Substrate#AUTO} the CPU may still run the work, if the CPU is faster. */
    public SubstrateRequest withDevice(String indexUuidOrName) {
        return new SubstrateRequest(substrate, Optional.of(indexUuidOrName), threads, timing);
    }

    /**
     * So many CPU threads, the caller's included; 0 for one a processor.
     *
     * @throws IllegalArgumentException when {@code threads} is negative
     */
    public SubstrateRequest withThreads(int count) {
        return new SubstrateRequest(substrate, device, count, timing);
    }
}
