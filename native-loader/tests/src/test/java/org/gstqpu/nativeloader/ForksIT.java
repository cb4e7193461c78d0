/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.nativeloader;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A process that was forked after Java had started gets an error of one line in place of a hang, and may exit. */
class ForksIT {
    private static final String REFUSED =
            "This process was forked after Java had started, and Java's threads are not in it:"
                    + " fork before the first element starts, or start a new program"
                    + " (in Python multiprocessing's start method spawn)";

    static Stream<Arguments> combinations() {
        List<Arguments> all = new ArrayList<>();
        for (Path home : JavaRuntimes.usable()) {
            for (String substrate : List.of("cpu", "qpu")) {
                for (String element : List.of("qpuloopfilter", "qpumeter")) {
                    all.add(Arguments.of(home, substrate, element));
                }
            }
        }
        return all.stream();
    }

    static Stream<Path> usableRuntimes() {
        return JavaRuntimes.usable().stream();
    }

    private static List<String> lines(Path home, String... arguments) {
        List<String> command = new ArrayList<>(List.of(TestProgram.build("forks")));
        command.addAll(Arrays.asList(arguments));
        GstProcess.Result result = new GstProcess(command.toArray(String[]::new))
                .with("JAVA_HOME", home)
                .run();
        assertEquals(0, result.exitCode(), result::output);
        return result.output().lines().toList();
    }

    @ParameterizedTest
    @MethodSource("combinations")
    void childThatUsesAnElementGetsAnErrorOfOneLine(Path home, String substrate, String element) {
        assertEquals(List.of("parent: end of stream", "child: " + REFUSED), lines(home, substrate, element, "use"));
    }

    @ParameterizedTest
    @MethodSource("usableRuntimes")
    void childOfAProgramThatHadAJvmOfItsOwnGetsIt(Path home) {
        String library = home.resolve("lib/server/libjvm.so").toString();
        assertEquals(List.of("child: " + REFUSED), lines(home, "cpu", "qpuloopfilter", "jvm", library));
    }

    @ParameterizedTest
    @ValueSource(strings = {"cpu", "qpu"})
    void childOfAPlayingParentTouchesItsElementAndExits(String substrate) {
        Path home = JavaRuntimes.usable().get(0);
        assertEquals(List.of("child: exits"), lines(home, substrate, "qpuloopfilter", "play"));
    }

    @ParameterizedTest
    @EnabledIfEnvironmentVariable(named = "GST_QPU_TESTS", matches = "all", disabledReason = "it/check --all runs it")
    @MethodSource("usableRuntimes")
    void startsWithChildrenAndATimerDoNotHang(Path home) {
        assertTrue(lines(home, "cpu", "qpuloopfilter", "many", "20").isEmpty());
    }

    /** Of a device, which takes longer to open, a tenth. */
    @ParameterizedTest
    @CsvSource({"cpu, 300", "qpu, 30"})
    @EnabledIfEnvironmentVariable(named = "GST_QPU_TESTS", matches = "all", disabledReason = "it/check --all runs it")
    void manyStartsWithChildrenAndATimerDoNotHang(String substrate, String starts) {
        Path home = JavaRuntimes.usable().get(0);
        assertTrue(lines(home, substrate, "qpuloopfilter", "many", starts).isEmpty());
    }
}
