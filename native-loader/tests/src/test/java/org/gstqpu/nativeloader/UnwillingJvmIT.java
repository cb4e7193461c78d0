/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.nativeloader;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** JVMs that would exit the application's process instead of failing to start. */
class UnwillingJvmIT {
    private static final String PIPELINE = "videotestsrc num-buffers=2 ! qpuloopfilter substrate=cpu ! fakesink";

    /** Two collectors are one too many for a JVM, so that the user's choice replaces ours. */
    @ParameterizedTest
    @ValueSource(strings = {"JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "GST_QPU_JVM_OPTIONS"})
    void aCollectorThatTheUserChoosesIsUsed(String variable) {
        GstProcess.Result result =
                GstProcess.launch(PIPELINE).with(variable, "-XX:+UseG1GC").run();
        assertEquals(0, result.exitCode(), result::output);
    }

    @ParameterizedTest
    @CsvSource({
        "-XX:+UseG1GC -XX:+UseSerialGC, Multiple garbage collectors selected",
        "garbage, Unrecognized option: garbage",
        "-Xmx1x, Invalid maximum heap size: -Xmx1x",
    })
    void optionsThatEndAJvmAreAnElementError(String options, String reason) {
        assertIsElementError(
                GstProcess.launch(PIPELINE).with("JAVA_TOOL_OPTIONS", options).run(), "(" + reason + ")");
    }

    @ParameterizedTest
    @ValueSource(ints = {1 << 21, 2_800_000})
    void tooLittleAddressSpaceIsAnElementError(int kilobytes) {
        assertIsElementError(
                new GstProcess("sh", "-c", "ulimit -v " + kilobytes + "; exec gst-launch-1.0 " + PIPELINE).run(),
                "ulimit -v");
    }

    /** From a limit at which GStreamer just runs. With more, the pipeline runs; none ends in an error that names another cause. */
    @ParameterizedTest
    @ValueSource(ints = {9, 12, 15, 18, 22, 26, 30})
    void tooFewDescriptorsAreAnElementErrorThatSaysSo(int files) {
        for (String properties : List.of("substrate=cpu", "substrate=qpu")) {
            GstProcess.Result result = new GstProcess(
                            "sh",
                            "-c",
                            "ulimit -n " + files + "; exec gst-launch-1.0 "
                                    + PIPELINE.replace("qpuloopfilter", "qpuloopfilter " + properties))
                    .run();
            if (result.exitCode() == 0) {
                assertTrue(files >= 24, result::output);
                continue;
            }
            assertEquals(1, result.errors().size(), result::output);
            assertTrue(result.errors().get(0).contains("raise the limit of open files (ulimit -n)"), result::output);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "-javaagent:/nonexistent.jar, instrument",
        "-agentlib:nonexistent, nonexistent",
        "-XX:StartFlightRecording=filename=/nonexistent/x.jfr, nonexistent",
        "'-agentlib:jdwp=transport=nonexistent,server=y', JDWP",
    })
    void agentsAndRecordingsThatEndAJvmAreAnElementError(String option, String reason) {
        assertIsElementError(
                GstProcess.launch(PIPELINE).with("JAVA_TOOL_OPTIONS", option).run(), reason);
    }

    /** One that would wait for its debugger, so that the trial must not. */
    @Test
    void aDebuggersPortThatIsTakenIsAnElementError() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertIsElementError(
                    GstProcess.launch(PIPELINE)
                            .with(
                                    "_JAVA_OPTIONS",
                                    "-agentlib:jdwp=transport=dt_socket,server=y,suspend=y,address=127.0.0.1:"
                                            + taken.getLocalPort())
                            .run(),
                    "Address already in use");
        }
    }

    @Test
    void anAgentThatWaitsForADebuggerToComeIsUsed() {
        GstProcess.Result result = GstProcess.launch(PIPELINE)
                .with("JAVA_TOOL_OPTIONS", "-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=127.0.0.1:0")
                .run();
        assertEquals(0, result.exitCode(), result::output);
        assertTrue(result.output().contains("Listening for transport dt_socket"), result::output);
    }

    @ParameterizedTest
    @ValueSource(strings = {"JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "GST_QPU_JVM_OPTIONS"})
    void anAgentThatConnectsToADebuggerIsAnElementError(String variable) {
        GstProcess.Result result = GstProcess.launch(PIPELINE)
                .with(variable, "-Da=b -agentlib:jdwp=transport=dt_socket,address=127.0.0.1:1")
                .run();
        assertNotEquals(0, result.exitCode(), result::output);
        assertEquals(1, result.errors().size(), result::output);
        assertTrue(result.errors().get(0).startsWith(variable + " has Java connect to a debugger"), result::output);
    }

    /** The folder is where the JVM leaves the file for whose deletion it waits. */
    @Test
    void aJvmThatWaitsForEverIsAnElementError(@TempDir Path folder) {
        GstProcess.Result result = GstProcess.launch(PIPELINE)
                .in(folder)
                .with("JAVA_TOOL_OPTIONS", "-XX:+UnlockDiagnosticVMOptions -XX:+PauseAtStartup")
                .run();
        assertNotEquals(0, result.exitCode(), result::output);
        assertEquals(1, result.errors().size(), result::output);
        assertTrue(result.errors().get(0).contains("does not start within"), result::output);
    }

    /** GLib would say that each process ended well. */
    @Test
    void aProgramThatDoesNotCareForItsProcessesIsToldToo() {
        assertIsElementError(
                new GstProcess("sh", "-c", "trap '' CHLD; exec gst-launch-1.0 " + PIPELINE)
                        .with("JAVA_TOOL_OPTIONS", "-agentlib:nonexistent")
                        .run(),
                "nonexistent");
    }

    /** With these limits the threads that a JVM begins with are one or more too many. */
    @ParameterizedTest
    @ValueSource(ints = {2, 5, 11, 13, 14, 20})
    void tooFewThreadsAreAnElementError(int threads) {
        GstProcess.Result result = GstProcess.launch(PIPELINE)
                .with("LD_PRELOAD", TestProgram.buildLibrary("fewthreads"))
                .with("THREADS", threads)
                .run();
        assertNotEquals(0, result.exitCode(), result::output);
        assertEquals(1, result.errors().size(), result::output);
        assertTrue(result.errors().get(0).contains("raise the limit of processes (ulimit -u"), result::output);
    }

    @Test
    void tooLittleDataIsAnElementError() {
        assertIsElementError(
                new GstProcess("sh", "-c", "ulimit -d 100000; exec gst-launch-1.0 " + PIPELINE).run(), "-d");
    }

    @Test
    void enoughAddressSpaceIsEnough() {
        GstProcess.Result result =
                new GstProcess("sh", "-c", "ulimit -v 6000000; exec gst-launch-1.0 " + PIPELINE).run();
        assertEquals(0, result.exitCode(), result::output);
    }

    private static void assertIsElementError(GstProcess.Result result, String part) {
        assertNotEquals(0, result.exitCode(), result::output);
        assertEquals(1, result.errors().size(), result::output);
        assertTrue(result.errors().get(0).contains("could not be created ("), result::output);
        assertTrue(result.errors().get(0).contains(part), result::output);
    }
}
