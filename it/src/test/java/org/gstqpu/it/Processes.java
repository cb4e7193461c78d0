/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.it;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** Runs one external process to its end, on the caller's thread, and never leaves it or a child of it behind. */
final class Processes {
    /** The variables of the caller by which programs and their files are found. */
    private static final List<String> INHERITED =
            List.of("PATH", "HOME", "TMPDIR", "XDG_RUNTIME_DIR", "XDG_DATA_DIRS", "LD_LIBRARY_PATH", "PKG_CONFIG_PATH");

    private Processes() {}

    /** The variables of the caller that every process may have. None of them changes a result. */
    static Map<String, String> plainEnvironment() {
        Map<String, String> environment = new TreeMap<>(System.getenv());
        environment.keySet().retainAll(INHERITED);
        environment.put("LC_ALL", "C.UTF-8");
        return environment;
    }

    /**
     * @param command program and arguments
     * @param environment the whole environment; nothing is inherited
     * @param standardInput file that the process reads, or {@code /dev/null}
     * @param timeLimit after which the process and its children are killed and {@link ProcessOutcome#timedOut} is true
     */
    static ProcessOutcome run(
            List<String> command, Map<String, String> environment, Path standardInput, Duration timeLimit)
            throws IOException {
        // Files instead of pipes: a process that prints much cannot block then.
        Path standardOutput = Files.createTempFile(BuildTree.workFolder(), "stdout", ".txt");
        Path standardError = Files.createTempFile(BuildTree.workFolder(), "stderr", ".txt");
        try {
            ProcessBuilder builder = new ProcessBuilder(command)
                    .redirectInput(standardInput.toFile())
                    .redirectOutput(standardOutput.toFile())
                    .redirectError(standardError.toFile());
            builder.environment().clear();
            builder.environment().putAll(environment);
            long startNanos = System.nanoTime();
            Process process = builder.start();
            boolean ended = waitFor(process, timeLimit);
            return new ProcessOutcome(
                    List.copyOf(command),
                    Map.copyOf(environment),
                    ended ? process.exitValue() : -1,
                    !ended,
                    Duration.ofNanos(System.nanoTime() - startNanos),
                    Files.readString(standardOutput, StandardCharsets.ISO_8859_1),
                    Files.readString(standardError, StandardCharsets.ISO_8859_1));
        } finally {
            Files.delete(standardOutput);
            Files.delete(standardError);
        }
    }

    private static boolean waitFor(Process process, Duration timeLimit) throws IOException {
        try {
            return process.waitFor(timeLimit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for process " + process.pid(), e);
        } finally {
            if (process.isAlive()) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
                process.onExit().join();
            }
        }
    }
}
