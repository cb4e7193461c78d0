/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.nativeloader;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A process that has used elements exits by itself, whatever it does in its handlers of atexit. */
class ExitIT {
    private static final Path BASE = Path.of(System.getProperty("basedir"));

    private static final String FILTER =
            "videotestsrc ! video/x-raw,width=64,height=48 ! queue ! qpuloopfilter ! fakesink";

    private static final String METER = "videotestsrc ! tee name=t ! queue ! m.ref_sink t. ! queue ! m.dist_sink"
            + " qpumeter name=m model-filename=vmaf psnr=true ! fakesink";

    static Stream<Path> usableRuntimes() {
        return JavaRuntimes.usable().stream();
    }

    private static GstProcess host(Path home, String pipeline, String state) {
        return new GstProcess(
                        TestProgram.build("exits"),
                        home.resolve("lib/server/libjvm.so").toString(),
                        pipeline,
                        state)
                .with("JAVA_HOME", home);
    }

    private static List<String> lines(GstProcess host) {
        GstProcess.Result result = host.run();
        assertEquals(0, result.exitCode(), result::output);
        return result.output().lines().toList();
    }

    private static List<String> lines(Path home, String pipeline, String state) {
        return lines(host(home, pipeline, state));
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
    @EnabledIfEnvironmentVariable(named = "GST_QPU_TESTS", matches = "all", disabledReason = "it/check --all runs it")
    @MethodSource("usableRuntimes")
    void anElementThatStillPlaysCanBeStoppedAtTheVeryEnd(Path home) {
        assertEquals(List.of("stopped"), lines(home, FILTER, "playing"));
        assertEquals(List.of("stopped"), lines(home, METER, "playing"));
    }

    /** What a driver has registered to be done at the end of the process is done after its devices are closed, though they have work. */
    @ParameterizedTest
    @EnabledIfEnvironmentVariable(named = "GST_QPU_TESTS", matches = "all", disabledReason = "it/check --all runs it")
    @MethodSource("usableRuntimes")
    void devicesThatStillWorkAreClosedBeforeDriversGo(Path home, @TempDir Path folder) {
        GstProcess.Result built = new GstProcess(
                        BASE.resolve("../../it/src/faultlayer").normalize().toString(), folder.toString())
                .run();
        assertEquals(0, built.exitCode(), built::output);
        String filter = "qpuloopfilter substrate=qpu queue-depth=3";
        for (String pipeline : List.of(
                FILTER.replace("qpuloopfilter", filter),
                FILTER.replace("qpuloopfilter", filter + " ! " + filter),
                METER.replace("qpumeter", "qpumeter substrate=qpu"))) {
            List<String> lines = lines(host(home, pipeline, "playing")
                    .with("FAULT_LAYER", folder.resolve("libfaultlayer.so"))
                    .with("VK_ADD_LAYER_PATH", folder)
                    .with("VK_INSTANCE_LAYERS", "VK_LAYER_GSTQPU_faults"));
            assertNotEquals("0 before", lines.get(0), pipeline);
            assertEquals(List.of("0 at the end", "stopped"), lines.subList(1, lines.size()), pipeline);
        }
    }
}
