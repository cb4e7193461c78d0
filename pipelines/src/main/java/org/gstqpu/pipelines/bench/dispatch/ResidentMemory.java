/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.bench.dispatch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads the size of this process's resident memory. Stateless. */
final class ResidentMemory {
    private static final Path STATUS = Path.of("/proc/self/status");

    private ResidentMemory() {}

    /** Collects garbage, then returns VmRSS in bytes. */
    static long bytes() {
        System.gc();
        try {
            return parse(Files.readString(STATUS));
        } catch (IOException e) {
            throw new UncheckedIOException(STATUS + " cannot be read", e);
        }
    }

    /** Returns the value of the line {@code VmRSS:  N kB} in bytes. */
    static long parse(String status) {
        String line = status.lines()
                .filter(candidate -> candidate.startsWith("VmRSS:"))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(STATUS + " has no VmRSS"));
        return Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024;
    }
}
