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

/** Runs the C program that plays a pipeline as a script says and prints what passes the pipeline's probes. */
final class PipelineHost {
    private static final Duration TIME_LIMIT = Duration.ofMinutes(2);

    private PipelineHost() {}

    /** One buffer at a probe, an {@code identity} whose name starts with "probe". */
    record Probed(String probe, String pts, String picture, String md5) {}

    /**
     * What a run printed.
     *
     * @param lines one a happening, in order
     */
    record Result(List<String> lines) {
        /** What passed a probe, in order, after the line {@code mark MARK}, or from the start when {@code mark} is empty. */
        List<Probed> at(String probe, String mark) {
            int first = mark.isEmpty() ? 0 : lines.indexOf("mark " + mark) + 1;
            return lines.subList(first, lines.size()).stream()
                    .filter(line -> line.startsWith("buffer " + probe + " "))
                    .map(line -> line.split("[ =]", -1))
                    .map(word -> new Probed(word[1], word[3], word[5], word[7]))
                    .toList();
        }
    }

    /** Plays a pipeline; fails unless it goes well without a complaint. */
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
