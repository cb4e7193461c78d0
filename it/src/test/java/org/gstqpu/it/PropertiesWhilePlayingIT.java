/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.it;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A property that is changed between two pictures, directly or by a controller, takes effect with the next picture. */
@EnabledIfEnvironmentVariable(named = "GST_QPU_TESTS", matches = "all", disabledReason = "it/check --all runs it")
final class PropertiesWhilePlayingIT {
    private static final int WIDTH = 80;
    private static final int HEIGHT = 48;

    /** The changes before each picture. Among them, both filters are switched off and on again. */
    private static final List<List<String>> CHANGES = List.of(
            List.of(),
            List.of("qp 44", "cdef-y-primary 3", "cdef-uv-primary 2"),
            List.of("alpha-offset -3", "beta-offset 4", "chroma-qp-offset -5"),
            List.of("grid 8x8"),
            List.of("cdef false"),
            List.of("deblock false"),
            List.of("cdef true", "cdef-y-primary 11", "cdef-y-secondary 4"),
            List.of("cdef-damping 6", "cdef-uv-primary 4", "cdef-uv-secondary 2"),
            List.of("deblock true", "qp 51"),
            List.of("split-view 0.25"),
            List.of("split-view 0.8", "grid 8x8"),
            List.of("split-view 1"),
            List.of("split-view 0", "shrinkage-threshold 300"),
            List.of("quality best"),
            List.of("quality fast", "shrinkage-bound 0"),
            List.of("shrinkage-shifts 16"),
            List.of("shrinkage-bound 10", "cdef false"),
            List.of("deblock false"),
            List.of("shrinkage false", "cdef true", "qp -1", "grid auto", "deblock true"));

    /** Changes of what automatic strength does with the same blocky picture. */
    private static final List<List<String>> AUTOMATIC_CHANGES = List.of(
            List.of(),
            List.of("quality fast"),
            List.of("quality best"),
            List.of("strength 2"),
            List.of("quality balanced"),
            List.of("strength 0.5"),
            // CDEF has nothing to do in footage: another change tells that the element goes on without it.
            List.of("cdef false", "strength 0.8"),
            List.of("shrinkage-bound 5"),
            List.of("deblock false", "strength 1"),
            List.of("shrinkage false"),
            List.of("shrinkage true", "deblock true", "cdef true", "shrinkage-shifts 16"),
            List.of("strength 0"),
            List.of("strength 1", "shrinkage-shifts -1", "quality auto"));

    /** The picture after each change, filtered by a CPU element that started with all values set so far. */
    private static RawVideo expected;

    private static RawVideo onePicture() {
        return RawVideo.synthetic(VideoFormat.NV12, WIDTH, HEIGHT, 1, 6);
    }

    @BeforeAll
    static void filterWithValuesSetBeforeTheStart(@TempDir Path folder) throws IOException {
        RawVideo picture = onePicture();
        ElementHost host =
                new ElementHost(folder).then("set substrate cpu", "start").caps(picture);
        for (List<String> changes : CHANGES) {
            host.then("state null");
            changes.forEach(change -> host.then("set " + change));
            host.then("state playing", "flush").caps(picture).push(picture, 0);
        }
        expected = host.run().video(picture.format(), WIDTH, HEIGHT);
    }

    @Test
    void everyChangeChangesThePicture() {
        for (int i = 1; i < CHANGES.size(); i++) {
            assertFalse(
                    Arrays.equals(
                            expected.frames().get(i - 1), expected.frames().get(i)),
                    "change " + i + " changed nothing");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"cpu", "qpu"})
    void changesActLikeValuesSetBeforeTheStart(String substrate, @TempDir Path folder) throws IOException {
        RawVideo picture = onePicture();
        ElementHost playing = new ElementHost(folder)
                .then("set substrate " + substrate, "start")
                .caps(picture);
        for (int i = 0; i < CHANGES.size(); i++) {
            CHANGES.get(i).forEach(change -> playing.then("set " + change));
            playing.push(picture, i * 40_000_000L);
        }
        expected.requireSame(playing.run().video(picture.format(), WIDTH, HEIGHT), "changed while playing");
    }

    @Test
    void changesOfQualityAndStrengthActAlikeOnBothSubstrates(@TempDir Path folder) throws IOException {
        RawVideo picture = RawVideo.blocky(VideoFormat.NV12, WIDTH, HEIGHT);
        List<RawVideo> results = new ArrayList<>();
        for (String substrate : List.of("cpu", "qpu")) {
            ElementHost playing = new ElementHost(Files.createDirectory(folder.resolve(substrate)))
                    .then("set substrate " + substrate, "start")
                    .caps(picture);
            for (int i = 0; i < AUTOMATIC_CHANGES.size(); i++) {
                AUTOMATIC_CHANGES.get(i).forEach(change -> playing.then("set " + change));
                playing.push(picture, i * 40_000_000L);
            }
            results.add(playing.run().video(picture.format(), WIDTH, HEIGHT));
        }
        List<byte[]> frames = results.get(0).frames();
        for (int i = 1; i < frames.size(); i++) {
            assertFalse(
                    Arrays.equals(frames.get(i - 1), frames.get(i)),
                    "change " + AUTOMATIC_CHANGES.get(i) + " of nothing");
        }
        assertFalse(Arrays.equals(picture.frames().get(0), frames.get(0)), "nothing to filter");
        results.get(0).requireSame(results.get(1), "cpu and qpu");
    }

    @Test
    void anElementThatPassedEverythingThroughFiltersAfterItWasClosed(@TempDir Path folder) throws IOException {
        RawVideo picture = onePicture();
        RawVideo result = new ElementHost(folder)
                .then("set substrate cpu", "set deblock false", "set cdef false", "set shrinkage false", "start")
                .caps(picture)
                .push(picture, 0)
                .then("state null", "set cdef true", "set cdef-y-primary 9", "state playing", "flush")
                .caps(picture)
                .push(picture, 0)
                .run()
                .video(picture.format(), WIDTH, HEIGHT);
        assertArrayEquals(picture.frames().get(0), result.frames().get(0), "passed through");
        assertFalse(
                Arrays.equals(picture.frames().get(0), result.frames().get(1)),
                "still passed through after it was closed");
    }

    @ParameterizedTest
    @ValueSource(strings = {"cpu", "qpu"})
    void aControllerSetsThePropertyForEachStreamTime(String substrate, @TempDir Path folder) throws IOException {
        RawVideo picture = onePicture();
        RawVideo pictures = new RawVideo(
                picture.format(),
                WIDTH,
                HEIGHT,
                Collections.nCopies(4, picture.frames().get(0)));
        RawVideo controlled = new ElementHost(Files.createDirectory(folder.resolve("controlled")))
                .then("set substrate " + substrate, "control qp 0=30 80000000=48", "start")
                .caps(pictures)
                .push(pictures, 0)
                .run()
                .video(picture.format(), WIDTH, HEIGHT);
        RawVideo byHand = new ElementHost(Files.createDirectory(folder.resolve("by-hand")))
                .then("set substrate " + substrate, "set qp 30", "start")
                .caps(picture)
                .push(picture, 0)
                .push(picture, 40_000_000)
                .then("set qp 48")
                .push(picture, 80_000_000)
                .push(picture, 120_000_000)
                .run()
                .video(picture.format(), WIDTH, HEIGHT);
        byHand.requireSame(controlled, "under a controller");
        assertFalse(
                Arrays.equals(controlled.frames().get(1), controlled.frames().get(2)),
                "the controller changed nothing");
    }

    @ParameterizedTest
    @ValueSource(strings = {"cpu", "qpu"})
    void aControllerScalesTheStrengthThatThePicturesShow(String substrate, @TempDir Path folder) throws IOException {
        RawVideo picture = RawVideo.blocky(VideoFormat.NV12, WIDTH, HEIGHT);
        RawVideo pictures = new RawVideo(
                picture.format(),
                WIDTH,
                HEIGHT,
                Collections.nCopies(6, picture.frames().get(0)));
        List<byte[]> controlled = new ElementHost(Files.createDirectory(folder.resolve("controlled")))
                .then("set substrate " + substrate, "control strength 0=1 80000000=0 160000000=2 200000000=1", "start")
                .caps(pictures)
                .push(pictures, 0)
                .run()
                .video(picture.format(), WIDTH, HEIGHT)
                .frames();
        assertArrayEquals(picture.frames().get(0), controlled.get(2), "strength 0");
        assertArrayEquals(picture.frames().get(0), controlled.get(3), "strength 0");
        assertFalse(Arrays.equals(controlled.get(0), controlled.get(2)), "strength 1 changed nothing");
        assertFalse(Arrays.equals(controlled.get(0), controlled.get(4)), "strength 2 is as strength 1");
        assertArrayEquals(controlled.get(1), controlled.get(5), "strength 1 again");
    }

    @ParameterizedTest
    @ValueSource(strings = {"cdef-damping 1", "cdef-y-secondary 3", "cdef-uv-secondary 3", "shrinkage-shifts 5"})
    void aValueThatTheFilterDoesNotKnowIsAWarningAndTheOldOneStays(String change, @TempDir Path folder)
            throws IOException {
        RawVideo picture = onePicture();
        Path pictures = folder.resolve("pictures.raw");
        ProcessOutcome outcome = new ElementHost(folder)
                .then("set substrate cpu", "set cdef-y-primary 9", "start")
                .caps(picture)
                .push(picture, 0)
                .then("set " + change)
                .push(picture, 40_000_000)
                .outcome(GstEnvironment.standard(), pictures)
                .requireSuccess();
        List<String> warnings = outcome.output()
                .lines()
                .filter(line -> line.startsWith("warning "))
                .toList();
        assertEquals(1, warnings.size(), () -> outcome.describe("one warning was expected"));
        assertTrue(warnings.get(0).contains(change.split(" ", -1)[0]), warnings.get(0));
        RawVideo result = RawVideo.read(pictures, picture.format(), WIDTH, HEIGHT);
        assertEquals(2, result.frames().size());
        assertTrue(Arrays.equals(result.frames().get(0), result.frames().get(1)), "the old value did not stay");
    }

    @ParameterizedTest
    @ValueSource(strings = {"cdef-damping 0", "cdef-y-secondary 3", "cdef-uv-secondary 3", "shrinkage-shifts 0"})
    void aValueThatTheFilterDoesNotKnowIsAnErrorAtTheStart(String setting, @TempDir Path folder) throws IOException {
        ProcessOutcome outcome = new ElementHost(folder)
                .then("set substrate cpu", "set " + setting, "state ready")
                .outcome(GstEnvironment.standard(), folder.resolve("pictures.raw"))
                .requireSuccess();
        List<String> lines = outcome.output().lines().toList();
        assertEquals("state ready FAILURE", lines.get(0), () -> outcome.describe("the state change should fail"));
        assertEquals(2, lines.size(), () -> outcome.describe("one error was expected"));
        assertTrue(lines.get(1).startsWith("error ") && lines.get(1).contains(setting.split(" ", -1)[0]), lines.get(1));
    }
}
