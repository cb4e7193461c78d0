/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.nativeloader;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;

/** The C programs of {@code src/test/c}, compiled when they are first needed. */
final class TestProgram {
    private TestProgram() {}

    private static final Path MAIN_SOURCES = Path.of(System.getProperty("basedir"), "..", "src", "main", "c");

    /** The path of a library that is compiled from one file, for LD_PRELOAD. */
    static String buildLibrary(String name) {
        return build(name, List.of("-shared", "-fPIC"));
    }

    /** The path of the compiled program, into which files of the loader itself are compiled, too. */
    static String build(String name, String... ofTheLoader) {
        return build(name, List.of(), ofTheLoader);
    }

    private static String build(String name, List<String> options, String... ofTheLoader) {
        List<Path> sources = new ArrayList<>();
        sources.add(Path.of(System.getProperty("basedir"), "src", "test", "c", name + ".c"));
        for (String file : ofTheLoader) {
            sources.add(MAIN_SOURCES.resolve(file + ".c"));
        }
        Path program = GstProcess.buildDirectory().resolve("test-programs").resolve(name);
        try {
            Files.createDirectories(program.getParent());
            if (!isUpToDate(program, sources)) {
                compile(sources, options, program);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return program.toString();
    }

    private static boolean isUpToDate(Path program, List<Path> sources) throws IOException {
        if (!Files.exists(program)) {
            return false;
        }
        for (Path source : sources) {
            if (Files.getLastModifiedTime(program).compareTo(Files.getLastModifiedTime(source)) < 0) {
                return false;
            }
        }
        return true;
    }

    private static void compile(List<Path> sources, List<String> options, Path program) throws IOException {
        Path jdk = Path.of(System.getProperty("java.home"));
        // Another test class may build the same program at this time, and run it.
        Path built = program.resolveSibling(
                program.getFileName() + "." + ProcessHandle.current().pid());
        List<String> command = new ArrayList<>(List.of(
                "sh",
                "-c",
                "program=$1; shift; exec \"${CC:-gcc}\" -std=c11 -D_GNU_SOURCE -O1 -g -Wall -Wextra -Wno-unused-parameter -Werror -I\"$0\" \"$@\""
                        + " $(\"${PKG_CONFIG:-pkg-config}\" --cflags --libs gstreamer-video-1.0) -o \"$program\"",
                MAIN_SOURCES.toString(),
                built.toString()));
        command.addAll(options);
        sources.forEach(source -> command.add(source.toString()));
        GstProcess.Result result = new GstProcess(command.toArray(String[]::new))
                .with("CPATH", jdk.resolve("include") + File.pathSeparator + jdk.resolve("include/linux"))
                .run();
        assertEquals(0, result.exitCode(), result::output);
        Files.move(built, program, StandardCopyOption.REPLACE_EXISTING);
    }
}
