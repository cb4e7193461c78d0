/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.bench.dispatch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads how much memory of this process is resident; holds nothing. */
final class ResidentMemory {
    private static final Path STATUS = Path.of("/proc/self/status");

    private ResidentMemory() {}

    /** VmRSS in bytes, after a garbage collection. */
    static long bytes() {
        System.gc();
        try {
            return parse(Files.readString(STATUS));
        } catch (IOException e) {
            throw new UncheckedIOException(STATUS + " cannot be read", e);
        }
    }

    /** The bytes of the line {@code VmRSS:  N kB}. */
    static long parse(String status) {
        String line = status.lines()
                .filter(candidate -> candidate.startsWith("VmRSS:"))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(STATUS + " has no VmRSS"));
        return Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024;
    }
}
