/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.nativeloader;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * A process that uses the plugin as built, with a registry of the tests' own and none of the caller's settings of Java,
 * GStreamer's debugging or this plugin. Lives on the thread of its test.
 */
final class GstProcess {
    private static final int TIMEOUT_SECONDS = 1200;

    private final ProcessBuilder builder;
    private final Path output;

    /** Prepares a command; the first word is looked up on this process's PATH. */
    GstProcess(String... command) {
        List<String> words = new ArrayList<>(Arrays.asList(command));
        words.set(0, program(command[0]));
        builder = new ProcessBuilder(words).redirectErrorStream(true);
        try {
            output = Files.createTempFile(buildDirectory(), "output", ".txt");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        output.toFile().deleteOnExit();
        builder.redirectOutput(output.toFile());
        Map<String, String> environment = builder.environment();
        environment
                .keySet()
                .removeIf(name ->
                        name.startsWith("GST_") || name.equals("JAVA_HOME") || name.equals("JAVA_TOOL_OPTIONS"));
        environment.put("LC_ALL", "C.UTF-8");
        environment.put("GST_PLUGIN_PATH", pluginDirectory().toString());
        environment.put(
                "GST_REGISTRY", buildDirectory().resolve("test-registry.bin").toString());
        environment.put("GST_DEBUG_NO_COLOR", "1");
    }

    /** A {@code gst-launch-1.0} of a pipeline description. */
    static GstProcess launch(String description) {
        return new GstProcess(("gst-launch-1.0 " + description).split(" "));
    }

    /** The folder with libgstqpu.so, as built. */
    static Path pluginDirectory() {
        return Path.of(System.getProperty("gst.plugin.directory"));
    }

    /** The module's build folder. */
    static Path buildDirectory() {
        return pluginDirectory().getParent();
    }

    /** The absolute path of a program on PATH; a name with a slash is returned as it is. */
    static String program(String name) {
        if (name.contains("/")) {
            return name;
        }
        return Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                .map(folder -> Path.of(folder, name))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(name + " is not on PATH: install it"))
                .toString();
    }

    /** Sets an environment variable. */
    GstProcess with(String name, Object value) {
        builder.environment().put(name, value.toString());
        return this;
    }

    /** Sets the working directory. */
    GstProcess in(Path folder) {
        builder.directory(folder.toFile());
        return this;
    }

    /** Runs the process to its end, which has to come in time. */
    Result run() {
        Process process = start();
        return end(process);
    }

    /** Starts the process, for {@link #end}. */
    Process start() {
        try {
            return builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits for the end of a process that {@link #start} returned. */
    Result end(Process process) {
        try {
            boolean ended = process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS);
            if (!ended) {
                process.destroyForcibly().waitFor();
            }
            String text = Files.readString(output, StandardCharsets.UTF_8);
            assertTrue(ended, () -> builder.command() + " hung: " + text);
            return new Result(process.exitValue(), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            process.destroyForcibly();
            throw new IllegalStateException("interrupted while waiting for " + builder.command(), e);
        }
    }

    /**
     * How a process ended.
     *
     * @param exitCode as of {@link Process#exitValue}
     * @param output what it wrote to its standard output and error
     */
    record Result(int exitCode, String output) {
        private static final Pattern ERROR = Pattern.compile("ERROR: from element [^ ]*: (.*)");

        /**
         * The texts of all element errors that gst-launch-1.0 printed. One may stand behind the beginning of a line of its standard
         * output.
         */
        List<String> errors() {
            return ERROR.matcher(output).results().map(found -> found.group(1)).toList();
        }
    }
}
