/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs a main class of the tests in a process of its own and keeps what it said. */
public record ChildJvm(int exitValue, String output) {
    private static final int LIMIT_SECONDS = 600;

    public static ChildJvm run(Class<?> mainClass, String... jvmOptions) throws IOException, InterruptedException {
        return run(Map.of(), mainClass, jvmOptions);
    }

    /** The same with more environment. */
    public static ChildJvm run(Map<String, String> environment, Class<?> mainClass, String... jvmOptions)
            throws IOException, InterruptedException {
        return run(List.of(), environment, mainClass, jvmOptions);
    }

    /** The same, run by another program. */
    public static ChildJvm run(
            List<String> runner, Map<String, String> environment, Class<?> mainClass, String... jvmOptions)
            throws IOException, InterruptedException {
        return run(runner, environment, List.of(jvmOptions), mainClass, List.of());
    }

    /** The same with arguments for the main class. */
    public static ChildJvm run(
            List<String> runner,
            Map<String, String> environment,
            List<String> jvmOptions,
            Class<?> mainClass,
            List<String> arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(runner);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(jvmOptions);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), mainClass.getName()));
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(environment);
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new IOException(command + " did not end");
        }
        return new ChildJvm(process.exitValue(), output);
    }
}
