/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.it;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Rounds of {@code it/fuzz} whose seeds are kept: buffers, events, states and properties at random, from one thread and from two. In
 * round 3440 a buffer passes through whose GstVideoMeta has rows beyond its end. What a round is depends on each choice that
 * fuzz-host makes: where those change, the numbers have to be found anew. Without {@code --all}, it/check repeats these rounds and
 * more by {@code it/fuzz --kept}, with AddressSanitizer.
 */
@EnabledIfEnvironmentVariable(named = "GST_QPU_TESTS", matches = "all", disabledReason = "it/check --all runs it")
final class ElementFuzzIT {
    private static final Duration TIME_LIMIT = Duration.ofMinutes(20);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "5 0 substrate=qpu",
                "3440 0 substrate=cpu",
                "--two-threads 1 0 substrate=qpu",
                "--two-threads 2 0 substrate=cpu"
            })
    void nothingBreaks(String arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(CProgram.named("fuzz-host").toString());
        command.addAll(List.of(arguments.split(" ", -1)));
        ProcessOutcome outcome = Processes.run(
                        command, GstEnvironment.standard().variables(), Path.of("/dev/null"), TIME_LIMIT)
                .requireSuccess();
        assertTrue(outcome.output().contains(" 0 things wrong"), () -> outcome.describe("something is wrong"));
    }
}
