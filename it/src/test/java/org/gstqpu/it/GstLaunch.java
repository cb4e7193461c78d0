/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.it;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Runs {@code gst-launch-1.0}, on the caller's thread. */
final class GstLaunch {
    private static final Duration TIME_LIMIT = Duration.ofMinutes(20);

    private GstLaunch() {}

    /**
     * Runs a pipeline to its end of stream. Fails the test unless it succeeds without a complaint.
     *
     * @param branches parts of one pipeline description, without spaces inside an argument
     */
    static ProcessOutcome succeed(GstEnvironment environment, List<String> branches) throws IOException {
        return run(environment, branches).requireSuccess().requireNoComplaint();
    }

    /** Runs a single pipeline in the standard environment. Fails the test unless it succeeds without a complaint. */
    static ProcessOutcome succeed(String pipeline) throws IOException {
        return succeed(GstEnvironment.standard(), List.of(pipeline));
    }

    /** Runs a pipeline to its end; a failure is a result. */
    static ProcessOutcome run(GstEnvironment environment, List<String> branches) throws IOException {
        List<String> command = new ArrayList<>(List.of("gst-launch-1.0", "--no-position"));
        for (String branch : branches) {
            command.addAll(List.of(branch.strip().split("\\s+", -1)));
        }
        return Processes.run(command, environment.variables(), Path.of("/dev/null"), TIME_LIMIT);
    }
}
