/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.plugin;

import java.util.Objects;
import java.util.stream.Stream;

/**
 * Memory that another program shares with this process, and whose file that program has made shorter: what was mapped of it is no
 * longer there. Touching it raises SIGBUS, which the JVM turns into an InternalError. Holds no state; any thread.
 */
final class ShortenedMemory {
    static final String PROBLEM =
            "the memory of its buffer, or of the buffer for the result, ended while it was in use: a program that shares it made its file"
                    + " shorter; look at the elements beside qpuloopfilter";

    private ShortenedMemory() {}

    /** Whether such memory was touched. The failure may be that of another thread that worked on the picture. */
    static boolean causes(Throwable failure) {
        return says(failure, "unsafe memory access");
    }

    /** Whether it was touched some time ago, as Java 17 says of compiled code. Much may have begun in between. */
    static boolean causesLate(Throwable failure) {
        return says(failure, "recent unsafe memory access");
    }

    private static boolean says(Throwable failure, String what) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
                .anyMatch(cause -> cause instanceof InternalError
                        && String.valueOf(cause.getMessage()).contains(what));
    }
}
