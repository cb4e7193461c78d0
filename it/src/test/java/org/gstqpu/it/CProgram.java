package org.gstqpu.it;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The programs in {@code src/test/c}, compiled at their first use in a test run. Any thread may ask for one. */
final class CProgram {
    private static final Duration TIME_LIMIT = Duration.ofMinutes(1);
    private static final Path NO_INPUT = Path.of("/dev/null");
    private static final List<String> SHARED_SOURCES = List.of("packed-picture.c", "bus-printer.c");
    private static final Map<String, Path> COMPILED = new ConcurrentHashMap<>();

    private CProgram() {}

    /** The program made from {@code name}.c and the sources that all programs share. */
    static Path named(String name) throws IOException {
        Path known = COMPILED.get(name);
        if (known == null) {
            known = compile(name);
            COMPILED.put(name, known);
        }
        return known;
    }

    private static Path compile(String name) throws IOException {
        Path program = BuildTree.workFolder().resolve(name);
        List<String> command = new ArrayList<>(
                List.of("gcc", "-std=c11", "-D_GNU_SOURCE", "-O1", "-g", "-Wall", "-Wextra", "-Werror"));
        command.addAll(List.of("-o", program.toString(), source(name + ".c")));
        SHARED_SOURCES.forEach(file -> command.add(source(file)));
        String flags = run(List.of(
                "pkg-config",
                "--cflags",
                "--libs",
                "gstreamer-check-1.0",
                "gstreamer-controller-1.0",
                "gstreamer-video-1.0"));
        command.addAll(List.of(flags.strip().split("\\s+", -1)));
        run(command);
        return program;
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
