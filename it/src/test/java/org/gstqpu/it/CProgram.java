/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.it;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** Compiles the programs in {@code src/test/c} if they are missing or older than their sources. Holds no state; any thread. */
final class CProgram {
    /** Name of the {@linkplain #kernelPackExample example}. */
    static final String KERNEL_PACK_EXAMPLE = "qpu-kernels-example";

    private static final Duration TIME_LIMIT = Duration.ofMinutes(20);
    private static final Path NO_INPUT = Path.of("/dev/null");
    private static final List<String> SHARED_SOURCES = List.of("packed-picture.c", "bus-printer.c", "script.c");
    private static final Map<String, Path> COMPILED = new ConcurrentHashMap<>();

    private CProgram() {}

    /** The program made from {@code name}.c and the sources that all programs share. */
    static Path named(String name) throws IOException {
        Path known = COMPILED.get(name);
        if (known == null) {
            known = compile(name, BuildTree.workFolder());
            COMPILED.put(name, known);
        }
        return known;
    }

    /** Compiles {@code name}.c into {@code folder} unless an up-to-date program is there, and returns the program. */
    static Path compile(String name, Path folder) throws IOException {
        Path program = folder.resolve(name);
        if (isUpToDate(program, name)) {
            return program;
        }
        List<String> command = new ArrayList<>(
                List.of("gcc", "-std=c11", "-D_GNU_SOURCE", "-O1", "-g", "-Wall", "-Wextra", "-Werror"));
        command.addAll(List.of("-o", program.toString(), source(name + ".c")));
        SHARED_SOURCES.forEach(file -> command.add(source(file)));
        String flags = run(List.of(
                "pkg-config",
                "--cflags",
                "--libs",
                "gstreamer-allocators-1.0",
                "gstreamer-app-1.0",
                "gstreamer-check-1.0",
                "gstreamer-controller-1.0",
                "gstreamer-video-1.0"));
        command.addAll(List.of(flags.strip().split("\\s+", -1)));
        run(command);
        return program;
    }

    /**
     * Compiles the example of the kernels for C into {@code folder}, unless it is there, and returns it. Aborts the test if Vulkan's
     * headers are missing.
     */
    static Path kernelPackExample(Path folder) throws IOException {
        Path program = folder.resolve(KERNEL_PACK_EXAMPLE);
        if (Files.isExecutable(program)) {
            return program;
        }
        assumeTrue(
                Files.exists(Path.of("/usr/include/vulkan/vulkan.h")),
                "Vulkan's headers are missing: apt install libvulkan-dev");
        Path kernels = BuildTree.root().resolve("kernels");
        List<String> command = new ArrayList<>(List.of("gcc", "-std=c11", "-O1", "-Wall", "-Wextra", "-Werror"));
        command.add("-I" + kernels.resolve("filters/target/generated-sources/c"));
        command.add("-I" + kernels.resolve("blocks/target/generated-sources/c"));
        command.addAll(List.of("-o", program.toString()));
        command.addAll(List.of(kernels.resolve("pack/qpu-kernels-example.c").toString(), "-lvulkan"));
        run(command);
        return program;
    }

    private static boolean isUpToDate(Path program, String name) throws IOException {
        if (!Files.isExecutable(program)) {
            return false;
        }
        FileTime made = Files.getLastModifiedTime(program);
        try (Stream<Path> sources = Files.list(BuildTree.testSource("c"))) {
            List<Path> own = sources.filter(file -> {
                        String source = file.getFileName().toString();
                        return source.equals(name + ".c") || source.endsWith(".h") || SHARED_SOURCES.contains(source);
                    })
                    .toList();
            for (Path source : own) {
                if (Files.getLastModifiedTime(source).compareTo(made) >= 0) {
                    return false;
                }
            }
        }
        return true;
    }

    private static String source(String file) {
        return BuildTree.testSource("c").resolve(file).toString();
    }

    private static String run(List<String> command) throws IOException {
        return Processes.run(command, Processes.plainEnvironment(), NO_INPUT, TIME_LIMIT)
                .requireSuccess()
                .output();
    }
}
