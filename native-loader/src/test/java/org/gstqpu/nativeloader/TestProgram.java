package org.gstqpu.nativeloader;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The C programs of {@code src/test/c}, compiled when they are first needed. */
final class TestProgram {
    private TestProgram() {}

    /** The path of the compiled program. */
    static String build(String name) {
        Path source = Path.of(System.getProperty("basedir"), "src", "test", "c", name + ".c");
        Path program = GstProcess.buildDirectory().resolve("test-programs").resolve(name);
        try {
            Files.createDirectories(program.getParent());
            if (!Files.exists(program)
                    || Files.getLastModifiedTime(program).compareTo(Files.getLastModifiedTime(source)) < 0) {
                compile(source, program);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return program.toString();
    }

    private static void compile(Path source, Path program) {
        Path jdk = Path.of(System.getProperty("java.home"));
        GstProcess.Result result = new GstProcess(
                        "sh",
                        "-c",
                        "exec \"${CC:-gcc}\" -std=c11 -D_GNU_SOURCE -O1 -g -Wall -Wextra -Werror \"$0\""
                                + " $(\"${PKG_CONFIG:-pkg-config}\" --cflags --libs gstreamer-video-1.0) -o \"$1\"",
                        source.toString(),
                        program.toString())
                .with("CPATH", jdk.resolve("include") + File.pathSeparator + jdk.resolve("include/linux"))
                .run();
        assertEquals(0, result.exitCode(), result::output);
    }
}
