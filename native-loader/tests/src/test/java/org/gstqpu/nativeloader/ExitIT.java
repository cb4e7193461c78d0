/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.nativeloader;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A process that has used elements exits by itself, whatever it does in its handlers of atexit. */
class ExitIT {
    private static final String FILTER =
            "videotestsrc ! video/x-raw,width=64,height=48 ! queue ! qpuloopfilter ! fakesink";

    private static final String METER = "videotestsrc ! tee name=t ! queue ! m.ref_sink t. ! queue ! m.dist_sink"
            + " qpumeter name=m model-filename=vmaf psnr=true ! fakesink";

    static Stream<Path> usableRuntimes() {
        return JavaRuntimes.usable().stream();
    }

    private static List<String> lines(Path home, String pipeline, String state) {
        GstProcess.Result result = new GstProcess(
                        TestProgram.build("exits"),
                        home.resolve("lib/server/libjvm.so").toString(),
                        pipeline,
                        state)
                .with("JAVA_HOME", home)
                .run();
        assertEquals(0, result.exitCode(), result::output);
        return result.output().lines().toList();
    }

    @ParameterizedTest
    @MethodSource("usableRuntimes")
    void theJvmOfStoppedElementsHasEnded(Path home) {
        List<String> expected = List.of(
                "no JVM",
                "This process is exiting, and its JVM has ended: stop pipelines before main returns or exit is called");
        assertEquals(expected, lines(home, FILTER, "stopped"));
        assertEquals(expected, lines(home, METER, "stopped"));
    }

    @ParameterizedTest
    @MethodSource("usableRuntimes")
    void anElementThatStillPlaysCanBeStoppedAtTheVeryEnd(Path home) {
        assertEquals(List.of("stopped"), lines(home, FILTER, "playing"));
        assertEquals(List.of("stopped"), lines(home, METER, "playing"));
    }
}
