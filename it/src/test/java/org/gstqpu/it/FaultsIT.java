/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.it;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/** A sample of what {@code it/faults} does: calls to Vulkan, to the system and to GStreamer fail, one in each run of a pipeline. */
@EnabledIfEnvironmentVariable(named = "GST_QPU_TESTS", matches = "all", disabledReason = "it/check --all runs it")
final class FaultsIT {
    private static final Duration TIME_LIMIT = Duration.ofHours(1);
    private static final int CALLS_OF_EACH_PIPELINE = 1;

    @Test
    void aCallThatFailsOnceDoesNoHarm() throws IOException {
        String seed = String.valueOf(Sample.seed());
        List<String> command = List.of(
                BuildTree.root().resolve("it/faults").toString(),
                "--sample",
                String.valueOf(CALLS_OF_EACH_PIPELINE),
                seed);
        System.out.println("FaultsIT: " + String.join(" ", command));
        Map<String, String> environment = Processes.plainEnvironment();
        environment.put("JAVA_HOME", System.getProperty("java.home"));
        ProcessOutcome outcome = Processes.run(command, environment, Path.of("/dev/null"), TIME_LIMIT)
                .requireSuccess();
        assertTrue(outcome.output().contains("faults: PASSED"), () -> outcome.describe("seed " + seed));
    }
}
