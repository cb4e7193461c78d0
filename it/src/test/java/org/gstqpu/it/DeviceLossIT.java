/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A real Vulkan device that fails while it filters. More failures than by default: {@code -Dorg.gstqpu.losses=200}, in a stream of
 * 10 000 pictures. A device that failed is back after some 16 pictures, and fails again after some 20 more.
 */
final class DeviceLossIT {
    private static final int LOSSES = Integer.getInteger("org.gstqpu.losses", Sample.isTaken() ? 3 : 5);
    private static final int PICTURES = 50 * LOSSES;
    private static final int DIFFERENT = 16;
    private static final RawVideo VIDEO = RawVideo.synthetic(VideoFormat.I420, 64, 48, DIFFERENT, 7);

    /** Without deblocking: the form for GPUs polls, and lavapipe ends each loop after a number of rounds, whatever it waits for. */
    private static final List<String> STRENGTH = List.of(
            "deblock=false",
            "shrinkage=false",
            "cdef-damping=4",
            "cdef-y-primary=6",
            "cdef-uv-primary=3",
            "cdef-y-secondary=2",
            "cdef-uv-secondary=1");

    private static final Duration TIME_LIMIT = Duration.ofMinutes(20).plusSeconds(LOSSES * 10L);

    @TempDir
    private Path folder;

    private VulkanFaults faults;
    private Path output;

    @BeforeEach
    void build() throws IOException {
        faults = VulkanFaults.in(folder);
        output = folder.resolve("output.raw");
    }

    private ProcessOutcome run(
            GstEnvironment environment, String mode, int pictures, int failures, String... properties)
            throws IOException {
        return run(TIME_LIMIT, environment, mode, pictures, failures, properties);
    }

    private ProcessOutcome run(
            Duration limit, GstEnvironment environment, String mode, int pictures, int failures, String... properties)
            throws IOException {
        Path input = folder.resolve("input.raw");
        VIDEO.write(input);
        List<String> command = new ArrayList<>(List.of(
                CProgram.named("device-loss").toString(),
                faults.library().toString(),
                mode,
                Integer.toString(pictures),
                Integer.toString(failures),
                input.toString(),
                output.toString()));
        command.addAll(STRENGTH);
        command.addAll(List.of(properties));
        return Processes.run(command, environment.variables(), Path.of("/dev/null"), limit)
                .requireSuccess();
    }

    private RawVideo outputVideo() throws IOException {
        return RawVideo.of(Files.readAllBytes(output), VideoFormat.I420, 64, 48);
    }

    /** Checks that every picture came out, at its place, as the CPU filters it. */
    private void requireAll(ProcessOutcome outcome, int pictures) throws IOException {
        assertTrue(
                outcome.output().contains("pictures " + pictures + " disorder 0\n"),
                () -> outcome.describe("a picture is missing, or is not at its place"));
        RawVideo found = outputVideo();
        run(GstEnvironment.standard(), "lose", DIFFERENT, 0, "substrate=cpu");
        List<byte[]> once = outputVideo().frames();
        List<byte[]> expected = new ArrayList<>();
        while (expected.size() < pictures) {
            expected.add(once.get(expected.size() % DIFFERENT));
        }
        new RawVideo(VideoFormat.I420, 64, 48, Collections.unmodifiableList(expected))
                .requireSame(found, "with a device that fails");
    }

    private static String line(ProcessOutcome outcome, String begin) {
        return outcome.output()
                .lines()
                .filter(line -> line.startsWith(begin + " "))
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @EnabledIfEnvironmentVariable(named = "GST_QPU_TESTS", matches = "all", disabledReason = "it/check --all runs it")
    @ValueSource(ints = {1, 4})
    void everyPictureComesOutRightThoughTheDeviceFailsAgainAndAgain(int depth) throws IOException {
        run(faults.environment(), "lose", 1, 0);
        faults.letTheDeviceWin();
        ProcessOutcome outcome =
                run(faults.environment(), "lose", PICTURES, LOSSES, "substrate=auto", "queue-depth=" + depth);
        Stats stats = Stats.of(List.of(line(outcome, "stats"))).get(0);
        assertEquals(LOSSES, stats.number("device-losses"), () -> outcome.describe("losses"));
        assertTrue(stats.number("device-retries") >= LOSSES, () -> outcome.describe("retries"));
        assertTrue(stats.number("frames-redone") >= LOSSES, () -> outcome.describe("pictures done again"));
        assertEquals(PICTURES, stats.frames());
        assertEquals("qpu", stats.substrate(), () -> outcome.describe("the device is back at the end"));
        assertTrue(line(outcome, "errors").startsWith("errors 0 "), outcome.output());
        assertTrue(line(outcome, "warnings").startsWith("warnings " + LOSSES + " "), outcome.output());
        assertTrue(line(outcome, "infos").startsWith("infos " + LOSSES + " "), outcome.output());
        requireAll(outcome, PICTURES);
    }

    /** A device that fails forgets the pictures that are fused with others: those that wait come out, each by itself. */
    @ParameterizedTest
    @EnabledIfEnvironmentVariable(named = "GST_QPU_TESTS", matches = "all", disabledReason = "it/check --all runs it")
    @ValueSource(ints = {1, 4})
    void picturesThatWaitForOthersComeOutThoughTheDeviceFails(int depth) throws IOException {
        String[] fused = {"cdef=false", "shrinkage=true", "temporal=two", "queue-depth=" + depth};
        run(faults.environment(), "lose", 1, 0, fused);
        faults.letTheDeviceWin();
        List<String> properties = new ArrayList<>(List.of(fused));
        properties.add("substrate=auto");
        ProcessOutcome outcome = run(faults.environment(), "lose", PICTURES, LOSSES, properties.toArray(String[]::new));
        Stats stats = Stats.of(List.of(line(outcome, "stats"))).get(0);
        assertEquals(LOSSES, stats.number("device-losses"), () -> outcome.describe("losses"));
        assertTrue(stats.number("frames-redone") >= LOSSES, () -> outcome.describe("pictures done again"));
        assertEquals(PICTURES, stats.frames());
        assertTrue(line(outcome, "errors").startsWith("errors 0 "), outcome.output());
        assertTrue(
                outcome.output().contains("pictures " + PICTURES + " disorder 0\n"),
                () -> outcome.describe("a picture is missing, or is not at its place"));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void aDeviceThatHangsIsGivenUpAndEveryPictureComesOut(int depth) throws IOException {
        GstEnvironment impatient = faults.environment().with("GST_QPU_JVM_OPTIONS", "-Dorg.gstqpu.patience=2");
        ProcessOutcome outcome =
                run(impatient, "hang", 40, 1, "substrate=qpu", "on-device-failure=cpu", "queue-depth=" + depth);
        assertTrue(line(outcome, "warnings").contains("VK_TIMEOUT"), () -> outcome.describe("the device did not hang"));
        assertTrue(line(outcome, "warnings").startsWith("warnings 1 "), outcome.output());
        requireAll(outcome, 40);
    }

    /** The device would have five minutes for the picture, and the process has less. */
    @Test
    void anApplicationThatStopsDoesNotWaitForADeviceThatHangs() throws IOException {
        GstEnvironment patient = faults.environment().with("GST_QPU_JVM_OPTIONS", "-Dorg.gstqpu.patience=300");
        ProcessOutcome outcome = run(Duration.ofMinutes(2), patient, "stop", 1, 0, "substrate=qpu");
        assertTrue(outcome.output().contains("stopped\n"), outcome.output());
    }
}
