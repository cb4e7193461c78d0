/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.it;

import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Has {@code it/a64} compare the CPU's kernels with {@code kernels/a64-cost.txt}. Emulation takes minutes, so it runs on
 * request only.
 */
@Execution(ExecutionMode.CONCURRENT)
final class InstructionsIT {
    private static final String WANTED = "GST_QPU_ARM64";
    private static final Duration TIME_LIMIT = Duration.ofHours(1);

    /** Exit status of {@code it/a64} if this machine cannot count. */
    private static final int CANNOT_COUNT = 123;

    @Test
    void noFilterExecutesMoreThanTheTableSays() throws IOException {
        String wanted = System.getenv(WANTED);
        if (wanted == null || wanted.isEmpty()) {
            abort("takes minutes: it runs with " + WANTED + "=yes, as in continuous integration");
        }
        Map<String, String> environment = Processes.plainEnvironment();
        for (String variable : List.of("XDG_CACHE_HOME", "RIG_MIRROR")) {
            String value = System.getenv(variable);
            if (value != null) {
                environment.put(variable, value);
            }
        }
        Path root = BuildTree.root();
        ProcessOutcome outcome = Processes.run(
                List.of(
                        root.resolve("it/a64").toString(),
                        "--quick",
                        "--check",
                        root.resolve("kernels/a64-cost.txt").toString()),
                environment,
                Path.of("/dev/null"),
                TIME_LIMIT);
        if (outcome.exitCode() == CANNOT_COUNT && !wanted.equals("required")) {
            abort(outcome.describe("instructions were not counted"));
        }
        outcome.requireSuccess();
    }
}
