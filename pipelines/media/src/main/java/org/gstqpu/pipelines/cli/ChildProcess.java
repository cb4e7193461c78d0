/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.cli;

import static org.gstqpu.pipelines.cli.CommandFailedException.problem;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/**
 * A program with its arguments and environment. The calling thread runs it and waits for its end. Immutable; each
 * {@link #run} starts a new process.
 *
 * @param command program and arguments
 * @param environment variables for the program, in addition to those of this process
 */
public record ChildProcess(List<String> command, Map<String, String> environment) {
    private static final long LOOK_MILLIS = 250;

    public ChildProcess {
        command = List.copyOf(command);
        environment = Map.copyOf(environment);
    }

    /**
     * The result of a program.
     *
     * @param status exit status
     * @param output what it wrote to standard output and standard error
     */
    public record Result(int status, String output) {
        /** The last lines of the output, at most {@code lines}, as one without a full stop. */
        public String lastLines(int lines) {
            List<String> all = output.lines().filter(line -> !line.isBlank()).toList();
            return Wording.unstopped(Wording.oneLine(String.join(
                    "\n", all.subList(Math.max(0, all.size() - lines), all.size()))));
        }
    }

    /**
     * The words of a command line.
     *
     * @param line words with a space between them, in which each {@code %s} stands for the next argument, with spaces and all
     */
    public static List<String> words(String line, Object... arguments) {
        List<String> words = new ArrayList<>();
        int used = 0;
        for (String word : line.split(" ", -1)) {
            int next = used + word.split("%s", -1).length - 1;
            words.add(word.formatted(Arrays.copyOfRange(arguments, used, next)));
            used = next;
        }
        return words;
    }

    /**
     * Runs the program without input.
     *
     * @return empty if there is no such program
     * @throws CommandFailedException if the program takes longer than the limit; it is killed then
     */
    public Optional<Result> run(long limitSeconds) {
        return run(limitSeconds, () -> true);
    }

    /**
     * As {@link #run(long)}, and kills the program when it is no longer wanted.
     *
     * @param goesOn is asked four times a second whether it is
     */
    public Optional<Result> run(long limitSeconds, BooleanSupplier goesOn) {
        // A file, not a pipe: reading from a pipe of a silent program would block for longer than the limit.
        try (TemporaryFile output = TemporaryFile.create(".log")) {
            ProcessBuilder builder = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectInput(
                            ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                    .redirectOutput(output.path().toFile());
            // Of this process alone: in another one, that descriptor is any file.
            builder.environment().remove("QPU_STDERR");
            builder.environment().putAll(environment);
            Optional<Process> process = start(builder);
            if (process.isEmpty()) {
                return Optional.empty();
            }
            int status = await(process.get(), limitSeconds, goesOn);
            return Optional.of(new Result(status, Files.readString(output.path(), StandardCharsets.ISO_8859_1)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Runs a program that must be here.
     *
     * @param missing what is said if there is no such program, with the package that has it
     * @throws CommandFailedException if there is no such program, or it takes longer than the limit
     */
    public Result require(long limitSeconds, String missing) {
        return run(limitSeconds).orElseThrow(() -> CommandFailedException.unavailable(missing));
    }

    private static Optional<Process> start(ProcessBuilder builder) {
        try {
            return Optional.of(EndingChildren.start(builder));
        } catch (IOException e) {
            // The program does not exist. The caller names the package that has it.
            return Optional.empty();
        }
    }

    private int await(Process process, long limitSeconds, BooleanSupplier goesOn) {
        try {
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(limitSeconds);
            while (System.nanoTime() < end) {
                if (process.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
                    return process.exitValue();
                }
                if (!goesOn.getAsBoolean()) {
                    return process.destroyForcibly().waitFor();
                }
            }
            throw problem("not done within " + limitSeconds + " s, try again where less else runs: " + commandLine());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw problem("interrupted during: " + commandLine(), e);
        } finally {
            process.destroyForcibly();
        }
    }

    /** The environment and the command as a line for a shell. */
    public String commandLine() {
        String variables = new TreeMap<>(environment)
                .entrySet().stream()
                        .map(entry -> entry.getKey() + "=" + quoted(entry.getValue()) + " ")
                        .collect(Collectors.joining());
        return variables + command.stream().map(ChildProcess::quoted).collect(Collectors.joining(" "));
    }

    private static String quoted(String word) {
        return word.matches("[A-Za-z0-9_@%+=:,./!-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}
