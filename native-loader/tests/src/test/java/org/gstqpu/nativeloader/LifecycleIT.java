/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.nativeloader;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Many elements, one after the other and at once, in one process. */
class LifecycleIT {
    private static final Pattern HELD =
            Pattern.compile("^cycle (\\d+) rss (\\d+) fds (\\d+) threads (\\d+)$", Pattern.MULTILINE);

    /** What the Java heap and the JIT may still grow by after a tenth of the cycles: 18 KiB a cycle. */
    private static final long GROWTH_BYTES = 16 << 20;

    /** So many would be left if one in 60 of the 1800 cycles left one. */
    private static final int LEAKED_THREADS = 30;

    /** Left to itself the JVM starts and ends threads that compile and collect, by how busy the machine is. */
    private static final String STEADY_JVM_THREADS = "-XX:+UseSerialGC -XX:-UseDynamicNumberOfCompilerThreads";

    @EnabledIfEnvironmentVariable(named = "GST_QPU_TESTS", matches = "all", disabledReason = "it/check --all runs it")
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ready | qpuloopfilter substrate=cpu",
                "paused | videotestsrc ! video/x-raw,width=64,height=48 ! qpuloopfilter substrate=cpu ! fakesink"
            })
    void twoThousandElementsLeaveNothingBehind(String state, String description) {
        GstProcess.Result result = new GstProcess(TestProgram.build("cycles"), "2000", state, description)
                .with("GST_QPU_JVM_OPTIONS", "-Xmx32m " + STEADY_JVM_THREADS)
                .run();
        assertEquals(0, result.exitCode(), result::output);
        List<MatchResult> held = HELD.matcher(result.output()).results().toList();
        assertEquals(2, held.size(), result::output);
        MatchResult early = held.get(0);
        MatchResult late = held.get(1);
        assertEquals("2000", late.group(1), result::output);
        long growth = Long.parseLong(late.group(2)) - Long.parseLong(early.group(2));
        assertTrue(growth < GROWTH_BYTES, result::output);
        assertEquals(early.group(3), late.group(3), result::output);
        /* Workers of closed elements take a busy machine a moment to end, and the JVM has threads that come and go. */
        assertTrue(Integer.parseInt(late.group(4)) < Integer.parseInt(early.group(4)) + LEAKED_THREADS, result::output);
    }

    @Test
    void elementsOfSeveralThreadsBootOneJvmTogether() {
        GstProcess.Result result = new GstProcess(
                        TestProgram.build("cycles"),
                        "32",
                        "paused",
                        "videotestsrc ! qpuloopfilter substrate=cpu ! fakesink",
                        "8")
                .with("GST_DEBUG", "qpuloopfilter:4")
                .run();
        assertEquals(0, result.exitCode(), result::output);
        assertEquals(
                1,
                result.output().lines().filter(line -> line.contains("JVM in ")).count(),
                result::output);
    }

    @Test
    void propertiesAreSetAndReadWhileTheElementOpensAndCloses() {
        GstProcess.Result result = new GstProcess(TestProgram.build("races"), "100")
                .with("G_DEBUG", "fatal-criticals")
                .run();
        assertEquals(0, result.exitCode(), result::output);
        assertEquals("", result.output());
    }

    @Test
    void severalElementsShareAPipeline() {
        GstProcess.Result result = GstProcess.launch("-q videotestsrc num-buffers=3 ! video/x-raw,width=64,height=48"
                        + " ! qpuloopfilter substrate=cpu ! tee name=t ! queue ! qpuloopfilter substrate=cpu cdef=false"
                        + " ! qpuloopfilter substrate=cpu deblock=false ! fakesink t. ! queue"
                        + " ! qpuloopfilter substrate=cpu ! fakesink")
                .run();
        assertEquals(0, result.exitCode(), result::output);
        assertEquals("", result.output());
    }

    @Test
    void leaksTracerReportsNothing() {
        GstProcess.Result result = GstProcess.launch("-q videotestsrc num-buffers=5 ! qpuloopfilter substrate=cpu"
                        + " ! qpuloopfilter substrate=cpu cdef=false deblock=false shrinkage=false ! fakesink")
                .with("GST_TRACERS", "leaks")
                .with("GST_DEBUG", "GST_TRACER:7")
                .run();
        assertEquals(0, result.exitCode(), result::output);
        assertTrue(result.output().contains("GST_TRACER"), "the tracer did not run");
        assertFalse(
                Pattern.compile("object-alive, type-name=\\(string\\)[A-Z]")
                        .matcher(result.output())
                        .find(),
                result::output);
    }
}
