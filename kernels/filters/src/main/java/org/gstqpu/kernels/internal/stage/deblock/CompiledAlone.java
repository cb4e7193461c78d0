/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.stage.deblock;

import java.lang.System.Logger;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.stream.Stream;

/**
 * Whether the JVM's compiler was told to compile each method of 10-bit deblocking in vectors on its own. Where it inlines them into
 * each other, it may leave their vectors on the heap for good once pictures of 8 and of 10 bit have come in turns, and vectors of 8
 * bit with them. No trial shows that, for it happens later. So without these options 10 bit is deblocked without vectors. Any
 * thread.
 */
public final class CompiledAlone {
    /** The options that tell it. */
    public static final List<String> OPTIONS = Stream.of("VectorEdgeFilter", "VectorWideDeblockKernel")
            .map(name -> "-XX:CompileCommand=dontinline,org/gstqpu/kernels/internal/stage/deblock/" + name + ".*")
            .toList();

    /** Found when first asked for, because few streams have 10 bit. */
    private static final class OfProcess {
        static final boolean OPTIONS_GIVEN =
                hasOptions(ManagementFactory.getRuntimeMXBean().getInputArguments());
    }

    private CompiledAlone() {}

    /** True if this JVM has the options. If not, logs once which they are. */
    public static boolean hasOptions() {
        return OfProcess.OPTIONS_GIVEN;
    }

    /** True if the options of a JVM contain all of {@link #OPTIONS}. */
    public static boolean hasOptions(List<String> options) {
        boolean given = options.containsAll(OPTIONS);
        if (!given) {
            System.getLogger(CompiledAlone.class.getName())
                    .log(
                            Logger.Level.DEBUG,
                            "10 bit is deblocked without vectors; start Java with " + String.join(" ", OPTIONS)
                                    + " for them");
        }
        return given;
    }
}
