/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.it;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@link ProcessOutcome#requireNoComplaint} notices warnings, validation messages, leaks and crashes. */
final class ComplaintsIT {
    @Test
    void aMessageOfTheValidationLayerIsCaught() throws IOException {
        assumeTrue(
                GstEnvironment.VALIDATION,
                "the Khronos validation layer is missing: apt install vulkan-validationlayers");
        // No program follows all best practices, so a message is certain. The switch has another name in older layers.
        GstEnvironment environment = GstEnvironment.standard()
                .with("VK_LAYER_ENABLES", "VK_VALIDATION_FEATURE_ENABLE_BEST_PRACTICES_EXT")
                .with("VK_KHRONOS_VALIDATION_VALIDATE_BEST_PRACTICES", "true");
        assertCaught(
                GstLaunch.run(
                        environment,
                        List.of("videotestsrc num-buffers=1 ! video/x-raw,format=I420,width=32,height=32"
                                + " ! qpuloopfilter substrate=qpu ! fakesink")),
                GstEnvironment.VALIDATION_MESSAGE_PREFIX);
    }

    @Test
    void aBufferThatIsLeftIsCaught(@TempDir Path folder) throws IOException {
        assertCaught(
                new ElementHost(folder)
                        .then("leak")
                        .outcome(GstEnvironment.standard().withLeaksTracer(), folder.resolve("pictures.raw")),
                "type-name=(string)GstBuffer");
    }

    @Test
    void aCriticalMessageIsCaught(@TempDir Path folder) throws IOException {
        assertCaught(
                new ElementHost(folder)
                        .then("criticise")
                        .outcome(GstEnvironment.standard(), folder.resolve("pictures.raw")),
                "a test of the tests");
    }

    @Test
    void aProcessThatHangsIsKilledWithItsChildren(@TempDir Path folder) throws Exception {
        Path childId = folder.resolve("child");
        ProcessOutcome outcome = Processes.run(
                List.of("sh", "-c", "sleep 1000 & echo $! >" + childId + "; wait"),
                Processes.plainEnvironment(),
                Path.of("/dev/null"),
                Duration.ofSeconds(5));
        assertTrue(outcome.timedOut(), () -> outcome.describe("the process should hang"));
        Path child = Path.of("/proc", Files.readString(childId).strip(), "stat");
        long deadlineNanos = System.nanoTime() + Duration.ofMinutes(10).toNanos();
        while (lives(child) && System.nanoTime() < deadlineNanos) {
            Thread.sleep(20);
        }
        assertFalse(lives(child), "the child lives on");
    }

    /**
     * True if a process runs and is no zombie: a container may have no process that collects zombies. The file exists for as long as
     * the process does.
     */
    private static boolean lives(Path statFile) {
        try {
            return !Files.readString(statFile).contains(") Z ");
        } catch (IOException gone) {
            return false;
        }
    }

    private static void assertCaught(ProcessOutcome outcome, String what) {
        List<String> complaints = outcome.requireSuccess().complaints();
        assertTrue(
                complaints.stream().anyMatch(line -> line.contains(what)),
                () -> outcome.describe("no complaint with '" + what + "'"));
    }
}
