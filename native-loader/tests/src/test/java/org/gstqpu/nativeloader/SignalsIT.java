/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.nativeloader;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The JVM leaves the application its signals. */
class SignalsIT {
    @TempDir
    private Path folder;

    static Stream<Path> usableRuntimes() {
        return JavaRuntimes.usable().stream();
    }

    @ParameterizedTest
    @MethodSource("usableRuntimes")
    void interruptedLaunchWithEosOnShutdownEndsItsFile(Path home) throws IOException, InterruptedException {
        Path file = folder.resolve("video.mov");
        GstProcess launch = GstProcess.launch("-e videotestsrc is-live=true ! qpuloopfilter substrate=cpu"
                        + " ! video/x-raw,width=64,height=48 ! jpegenc ! qtmux ! filesink buffer-mode=unbuffered location="
                        + file)
                .with("JAVA_HOME", home);
        Process process = launch.start();
        long deadline = System.nanoTime() + 600_000_000_000L;
        while (process.isAlive() && System.nanoTime() < deadline && (!Files.exists(file) || Files.size(file) < 5000)) {
            Thread.sleep(20);
        }
        int killed = new ProcessBuilder("kill", "-INT", Long.toString(process.pid()))
                .inheritIO()
                .start()
                .waitFor();
        GstProcess.Result result = launch.end(process);
        assertEquals(0, killed, result::output);
        assertEquals(0, result.exitCode(), result::output);
        assertTrue(result.output().contains("handling interrupt."), result::output);
        assertTrue(result.output().contains("EOS received"), result::output);
        assertTrue(
                Files.readString(file, StandardCharsets.ISO_8859_1).contains("moov"), "the muxer did not end its file");
    }

    private static void requireOk(GstProcess.Result result, int checks) {
        assertEquals(0, result.exitCode(), result::output);
        assertEquals(
                checks,
                result.output().lines().filter(line -> line.startsWith("ok ")).count(),
                result::output);
    }

    @ParameterizedTest
    @MethodSource("usableRuntimes")
    void dispositionsAndMaskStayAndHandlersAreStillCalled(Path home) {
        requireOk(
                new GstProcess(TestProgram.build("signals"))
                        .with("JAVA_HOME", home)
                        .run(),
                11);
    }

    @ParameterizedTest
    @MethodSource("usableRuntimes")
    void aProgramWithAJvmOfItsOwnKeepsItsDispositions(Path home) {
        String library = home.resolve("lib/server/libjvm.so").toString();
        requireOk(new GstProcess(TestProgram.build("signals"), "jvm", library).run(), 3);
    }

    /** The JVM stops its threads each millisecond, for which it sends them faults. */
    @ParameterizedTest
    @MethodSource("usableRuntimes")
    void aCrashReporterThatIsInstalledLaterGetsOnlyTheFaultsOfTheProgram(Path home) {
        GstProcess.Result result = new GstProcess(TestProgram.build("signals"), "late")
                .with("JAVA_HOME", home)
                .with("GST_QPU_JVM_OPTIONS", "-XX:+UnlockDiagnosticVMOptions -XX:GuaranteedSafepointInterval=1")
                .run();
        requireOk(result, 2);
        assertEquals(1, result.output().lines().filter("crash reporter"::equals).count(), result::output);
    }

    @ParameterizedTest
    @CsvSource({"SEGV, 11", "BUS, 7", "FPE, 8", "ILL, 4", "TERM, 15"})
    void aCrashOfTheProgramLooksLikeOne(String name, int signal) throws IOException {
        for (Path home : JavaRuntimes.usable()) {
            GstProcess.Result result = new GstProcess(TestProgram.build("signals"), "crash", name)
                    .in(folder)
                    .with("JAVA_HOME", home)
                    .run();
            assertEquals(128 + signal, result.exitCode(), result::output);
            assertEquals("", result.output());
            try (Stream<Path> files = Files.list(folder)) {
                assertEquals(
                        List.of(),
                        files.map(file -> file.getFileName().toString())
                                .filter(file -> !file.startsWith("core"))
                                .toList());
            }
        }
    }
}
