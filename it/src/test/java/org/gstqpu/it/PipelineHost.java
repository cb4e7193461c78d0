/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Runs the C program {@code pipeline-host}, which plays a pipeline by a script and prints the buffers that pass its probes. */
final class PipelineHost {
    private static final Duration TIME_LIMIT = Duration.ofMinutes(20);

    private PipelineHost() {}

    /** One buffer at a probe, an {@code identity} whose name starts with "probe". */
    record Probed(String probe, String pts, String picture, String md5) {}

    /**
     * The output of a run.
     *
     * @param lines one line for each event, in order
     */
    record Result(List<String> lines) {
        /** The buffers that passed a probe after the line {@code mark MARK}, in order; from the start if {@code mark} is empty. */
        List<Probed> at(String probe, String mark) {
            int first = mark.isEmpty() ? 0 : lines.indexOf("mark " + mark) + 1;
            return lines.subList(first, lines.size()).stream()
                    .filter(line -> line.startsWith("buffer " + probe + " "))
                    .map(line -> line.split("[ =]", -1))
                    .map(word -> new Probed(word[1], word[3], word[5], word[7]))
                    .toList();
        }
    }

    /** Plays a pipeline. Fails unless it succeeds without a complaint. */
    static Result run(GstEnvironment environment, Path folder, List<String> branches, String... script)
            throws IOException {
        Path scriptFile = folder.resolve("pipeline-script.txt");
        Files.write(scriptFile, List.of(script));
        List<String> command = new ArrayList<>();
        command.add(CProgram.named("pipeline-host").toString());
        for (String branch : branches) {
            command.addAll(List.of(branch.strip().split("\\s+", -1)));
        }
        ProcessOutcome outcome = Processes.run(command, environment.variables(), scriptFile, TIME_LIMIT)
                .requireSuccess()
                .requireNoComplaint();
        List<String> lines = outcome.output().lines().toList();
        if (lines.stream().anyMatch(line -> line.startsWith("error ") || line.endsWith(" FAILURE"))) {
            throw new AssertionError(outcome.describe("the pipeline failed"));
        }
        return new Result(lines);
    }
}
