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

/** Has {@code it/arm64} install and use the arm64 package on an arm64 Debian. Emulation takes minutes, so it runs on request only. */
@Execution(ExecutionMode.CONCURRENT)
final class Arm64PackageIT {
    private static final String WANTED = "GST_QPU_ARM64";
    private static final Duration TIME_LIMIT = Duration.ofHours(2);

    /** Exit status of {@code it/arm64} if this machine cannot run programs for arm64. */
    private static final int CANNOT_RUN = 123;

    @Test
    void itIsInstalledUsedAndGone() throws IOException {
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
        ProcessOutcome outcome = Processes.run(
                List.of(BuildTree.root().resolve("it/arm64").toString()),
                environment,
                Path.of("/dev/null"),
                TIME_LIMIT);
        if (outcome.exitCode() == CANNOT_RUN && !wanted.equals("required")) {
            abort(outcome.describe("the arm64 package was not tried"));
        }
        outcome.requireSuccess();
    }
}
