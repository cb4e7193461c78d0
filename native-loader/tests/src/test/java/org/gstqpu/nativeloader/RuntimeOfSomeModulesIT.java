/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.nativeloader;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Java runtimes that jlink makes of some modules, as applications bring them. */
class RuntimeOfSomeModulesIT {
    @TempDir
    private Path folder;

    private Path link(String modules) {
        Path home = folder.resolve("runtime");
        StringWriter said = new StringWriter();
        PrintWriter to = new PrintWriter(said, true);
        Optional<ToolProvider> jlink = ToolProvider.findFirst("jlink");
        assumeTrue(jlink.isPresent(), "this Java has no jlink");
        int status = jlink.orElseThrow().run(to, to, "--add-modules", modules, "--output", home.toString());
        assertEquals(0, status, said::toString);
        return home;
    }

    /** Filters, trials of vectors and stats do without {@code jdk.management}, and say nothing. */
    @EnabledIfEnvironmentVariable(named = "GST_QPU_TESTS", matches = "all", disabledReason = "it/check --all runs it")
    @ParameterizedTest
    @ValueSource(
            strings = {
                "java.base,java.logging,jdk.unsupported",
                "java.base,java.logging,jdk.unsupported,jdk.incubator.vector",
                "java.base,java.logging,jdk.unsupported,jdk.incubator.vector,jdk.management"
            })
    void theseAreEnough(String modules) {
        Path home = link(modules);
        for (String format : List.of("I420", "I420_10LE")) {
            GstProcess.Result stream = GstProcess.launch(
                            "-q videotestsrc is-live=true num-buffers=25 ! video/x-raw,format="
                                    + format + ",width=320,height=240,framerate=25/1"
                                    + " ! qpuloopfilter substrate=cpu deblock=true qp=40 ! fakesink sync=false")
                    .with("JAVA_HOME", home)
                    .run();
            assertEquals(0, stream.exitCode(), stream::output);
            assertEquals("", stream.output());
        }
        GstProcess.Result stats = new GstProcess(TestProgram.build("races"), "20")
                .with("JAVA_HOME", home)
                .run();
        assertEquals(0, stats.exitCode(), stats::output);
        assertEquals("", stats.output());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "java.base; java.logging",
                "java.base,java.logging; jdk.unsupported",
                "java.base,jdk.unsupported; java.logging"
            })
    void oneThatIsMissingIsNamed(String modules, String missing) {
        GstProcess.Result result = GstProcess.launch("-q videotestsrc num-buffers=2 ! qpuloopfilter ! fakesink")
                .with("JAVA_HOME", link(modules))
                .run();
        assertNotEquals(0, result.exitCode(), result::output);
        List<String> errors = result.errors();
        assertEquals(1, errors.size(), result::output);
        assertEquals(
                "This process's JVM lacks the module " + missing
                        + ": use a whole Java runtime, or add java.logging and jdk.unsupported to yours; start a program that is"
                        + " a module itself with --add-modules=java.logging,jdk.unsupported",
                errors.get(0).replaceFirst(".*: This", "This"),
                result::output);
    }
}
