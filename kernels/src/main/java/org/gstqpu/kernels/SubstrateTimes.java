/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels;

import java.util.Locale;
import java.util.Optional;
import org.gstqpu.kernels.substrate.Substrate;

/**
 * What one race of the CPU and a device over the same work showed. Immutable.
 *
 * @param work what was run: a kernel's name as {@link org.gstqpu.kernels.block.BlockCall#kernelName} has it, or the picture
 * @param blocks blocks or edges of a call; 1 for pictures
 * @param cpuNanos nanoseconds that a call took on the CPU
 * @param qpuNanos nanoseconds that a call took on the device, submission and waiting included
 * @param fault what the device did wrong, for which it loses; the times mean nothing then
 */
public record SubstrateTimes(String work, int blocks, long cpuNanos, long qpuNanos, Optional<String> fault) {
    /** A race that both ended. */
    static SubstrateTimes of(String work, int blocks, long cpuNanos, long qpuNanos) {
        return new SubstrateTimes(work, blocks, cpuNanos, qpuNanos, Optional.empty());
    }

    /** A race that the device lost by doing something wrong. */
    static SubstrateTimes lost(String work, int blocks, String fault) {
        return new SubstrateTimes(work, blocks, 0, 0, Optional.of(fault));
    }

    /** The faster of the two: {@link Substrate#QPU} where the device did it right and in less time. */
    public Substrate faster() {
        return fault.isEmpty() && qpuNanos < cpuNanos ? Substrate.QPU : Substrate.CPU;
    }

    /** One line: the times of a block or of a picture, or what went wrong. */
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
