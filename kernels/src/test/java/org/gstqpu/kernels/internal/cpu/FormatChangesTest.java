/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.cpu;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * No vector stays on the Java heap, whichever formats a process filters in whichever order. One process here; more with
 * {@code -Dgstqpu.processes=50}, and of another Java with {@code -Dgstqpu.java=PATH}.
 */
@Tag("thorough")
class FormatChangesTest {
    /** A kernel that the JVM's compiler has not yet come to allocates, so a busy machine needs time. */
    private static final int LIMIT_SECONDS = 300;

    @Test
    void noVectorStaysOnTheHeap() throws Exception {
        String java = System.getProperty(
                "gstqpu.java",
                Path.of(System.getProperty("java.home"), "bin", "java").toString());
        int processes = Integer.getInteger("gstqpu.processes", 1);
        for (int i = 0; i < processes; i++) {
            long seed = new Random().nextLong();
            Process process = new ProcessBuilder(List.of(
                            java,
                            "--add-modules=" + VectorUse.MODULE,
                            "-XX:PerMethodTrapLimit=1000",
                            "-cp",
                            System.getProperty("java.class.path"),
                            FormatChanges.class.getName(),
                            Long.toString(seed),
                            Integer.toString(LIMIT_SECONDS)))
                    .redirectErrorStream(true)
                    .start();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertEquals(0, process.waitFor(), () -> "seed " + seed + ": " + said);
        }
    }
}
