/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.substrate;

import java.util.Locale;
import java.util.Optional;

/**
 * The times that the CPU and a device took for the same work, in one race. Immutable.
 *
 * @param work what was run: a kernel's name, or a description of the
 *     picture
 * @param blocks blocks or edges of a call; 1 for pictures
 * @param cpuNanos nanoseconds of a call on the CPU
 * @param qpuNanos nanoseconds of a call on the device, submission and waiting included
 * @param fault what the device did wrong. The device then loses, and the times have no meaning; empty if it did nothing wrong
 */
public record SubstrateTimes(String work, int blocks, long cpuNanos, long qpuNanos, Optional<String> fault) {
    /** A race in which both gave the right result. */
    public static SubstrateTimes of(String work, int blocks, long cpuNanos, long qpuNanos) {
        return new SubstrateTimes(work, blocks, cpuNanos, qpuNanos, Optional.empty());
    }

    /** A race that the device lost by a fault. */
    public static SubstrateTimes lost(String work, int blocks, String fault) {
        return new SubstrateTimes(work, blocks, 0, 0, Optional.of(fault));
    }

    /** The winner: {@link Substrate#QPU} if the device gave the right result in less time, else {@link Substrate#CPU}. */
    public Substrate faster() {
        return fault.isEmpty() && qpuNanos < cpuNanos ? Substrate.QPU : Substrate.CPU;
    }

    /** One line: the times of a block or of a picture, or what the device did wrong. */
    public String explanation() {
        return fault.orElseGet(() -> work + (blocks > 1 ? ", " + blocks + " a call" : "") + ": CPU "
                + time((double) cpuNanos / blocks) + ", QPU " + time((double) qpuNanos / blocks)
                + (blocks > 1 ? " each" : ""));
    }

    private static String time(double nanos) {
        return nanos < 10_000
                ? String.format(Locale.ROOT, "%.0f ns", nanos)
                : nanos < 1_000_000
                        ? String.format(Locale.ROOT, "%.1f µs", nanos / 1e3)
                        : String.format(Locale.ROOT, "%.2f ms", nanos / 1e6);
    }
}
