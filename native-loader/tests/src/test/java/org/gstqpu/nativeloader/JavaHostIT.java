/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.nativeloader;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Where there is a JVM, the application's own or one that it made through JNI, the element uses that, whether or not its class path has the plugin. */
class JavaHostIT {
    private static final String PIPELINE = "videotestsrc num-buffers=3 ! qpuloopfilter substrate=cpu ! fakesink";

    static Stream<Path> usableRuntimes() {
        return JavaRuntimes.usable().stream();
    }

    private static GstProcess.Result play(Path home, String classPath) {
        GstProcess.Result result = new GstProcess(
                        home.resolve("bin/java").toString(), "-cp", classPath, JavaHost.class.getName(), PIPELINE)
                .with("GST_DEBUG", "qpuloopfilter:4")
                /* Not looked at, for there is a JVM already. */
                .with("JAVA_HOME", "/nonexistent")
                .run();
        assertEquals(0, result.exitCode(), result::output);
        assertTrue(result.output().contains("end of stream"), result::output);
        assertTrue(result.output().contains("using the JVM that this process has"), result::output);
        assertTrue(result.output().contains("JVMs: 1\n"), result::output);
        return result;
    }

    @ParameterizedTest
    @MethodSource("usableRuntimes")
    void pluginOnTheClassPathIsUsed(Path home) {
        GstProcess.Result result = play(home, System.getProperty("java.class.path"));
        assertTrue(!result.output().contains("class path lacks the plugin"), result::output);
    }

    @ParameterizedTest
    @MethodSource("usableRuntimes")
    void pluginIsLoadedFromItsJarsWhereTheClassPathLacksIt(Path home) {
        String classPath = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry ->
                        entry.contains("test-classes") || entry.contains("gst1-java-core") || entry.contains("jna"))
                .collect(Collectors.joining(File.pathSeparator));
        GstProcess.Result result = play(home, classPath);
        assertTrue(result.output().contains("class path lacks the plugin"), result::output);
    }

    @ParameterizedTest
    @MethodSource("usableRuntimes")
    void aJvmThatANativeProgramMadeIsUsed(Path home) {
        GstProcess.Result result = new GstProcess(
                        (TestProgram.build("jnihost") + " " + home.resolve("lib/server/libjvm.so") + " " + PIPELINE)
                                .split(" "))
                .with("GST_DEBUG", "qpuloopfilter:4")
                .with("JAVA_HOME", "/nonexistent")
                .run();
        assertEquals(0, result.exitCode(), result::output);
        assertTrue(result.output().contains("end of stream"), result::output);
        assertTrue(result.output().contains("using the JVM that this process has"), result::output);
        assertTrue(result.output().contains("class path lacks the plugin"), result::output);
        assertTrue(result.output().contains("JVMs: 1\n"), result::output);
    }
}
