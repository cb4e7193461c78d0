/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.picture;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.gstqpu.kernels.MappedPicture;
import org.gstqpu.kernels.SamplePicture;
import org.gstqpu.kernels.TestSubstrates;
import org.gstqpu.kernels.filter.CdefParameters;
import org.gstqpu.kernels.filter.CdefStrength;
import org.gstqpu.kernels.filter.FilterContext;
import org.gstqpu.kernels.filter.FilterParameters;
import org.gstqpu.kernels.filter.FusionCounts;
import org.gstqpu.kernels.filter.H264DeblockParameters;
import org.gstqpu.kernels.filter.PictureFilter;
import org.gstqpu.kernels.filter.PicturePlan;
import org.gstqpu.kernels.filter.PictureRun;
import org.gstqpu.kernels.filter.ShrinkageParameters;
import org.gstqpu.kernels.filter.StrengthEstimate;
import org.gstqpu.kernels.filter.StrengthLadder;
import org.gstqpu.kernels.filter.StrengthTier;
import org.gstqpu.kernels.picture.HostMemory;
import org.gstqpu.kernels.picture.Picture;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.kernels.substrate.DeviceException;
import org.gstqpu.kernels.substrate.DeviceFailure;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Frames and pairs of fields: what becomes of both on every substrate, and of their runs whatever the filter of fields does. */
class FieldwiseFilterTest {
    private static final int WIDTH = 100;
    private static final int HEIGHT = 88;
    private static final int PICTURES = 24;
    private static final int IN_FLIGHT = 3;
    private static final PictureLayout GRAY = PictureLayout.packed(PixelFormat.GRAY8, 16, 16, 4);
    private static final PicturePlan PLAN = PicturePlan.fixed(new FilterParameters(
            Optional.of(H264DeblockParameters.intra(40, 0, 0, 0, 0, false)),
            Optional.of(CdefParameters.uniform(4, new CdefStrength(9, 4, 5, 2))),
            Optional.of(new ShrinkageParameters(8, 120, 90, ShrinkageParameters.DEFAULT_BOUND))));
    private static final PicturePlan BY_FIELDS = PLAN.byFields(true);

    private static StrengthLadder ladder() {
        List<FilterParameters> tiers = new ArrayList<>();
        for (int tier = 0; tier < StrengthTier.ALL.size(); tier++) {
            tiers.add(new FilterParameters(
                    Optional.of(H264DeblockParameters.intra(24 + tier, 0, 0, 0, 0, false)), Optional.empty()));
        }
        return new StrengthLadder(tiers);
    }

    /** Frames and fields by turns, fixed strength and automatic by turns. */
    private static PicturePlan plan(int picture) {
        PicturePlan plan = picture % 5 < 2 ? PicturePlan.automatic(ladder()) : PLAN.keepingLeft(picture % 4 / 4.0);
        return plan.byFields(picture % 3 > 0);
    }

    @ParameterizedTest
    @MethodSource("org.gstqpu.kernels.TestSubstrates#all")
    void fieldsAreFilteredAsPicturesOfTheirOwn(TestSubstrates.Choice choice) throws Exception {
        for (PixelFormat format : List.of(PixelFormat.NV12, PixelFormat.I422_10LE)) {
            PictureLayout layout = PictureLayout.packed(format, WIDTH, HEIGHT, 16);
            Random random = new Random(4);
            try (FilterContext context = choice.open();
                    PictureFilter frames = context.newPictureFilter(format, WIDTH, HEIGHT);
                    PictureFilter fields = context.newPictureFilter(format, WIDTH, HEIGHT / 2);
                    PictureFilter filter = context.newPictureFilter(format, WIDTH, HEIGHT)) {
                List<MappedPicture> sources = new ArrayList<>();
                List<MappedPicture> wanted = new ArrayList<>();
                List<MappedPicture> found = new ArrayList<>();
                List<Optional<StrengthEstimate>> estimates = new ArrayList<>();
                Optional<StrengthEstimate> estimate = Optional.empty();
                for (int i = 0; i < PICTURES; i++) {
                    sources.add(new MappedPicture(layout, random));
                    sources.get(i)
                            .write(SamplePicture.random(random, format.bitDepth(), format.chroma(), WIDTH, HEIGHT));
                    wanted.add(new MappedPicture(layout, new Random(i)));
                    found.add(new MappedPicture(layout, new Random(i)));
                    PicturePlan plan = plan(i);
                    if (plan.byFields()) {
                        for (int field = 0; field < 2; field++) {
                            fields.filter(
                                    Picture.of(sources.get(i).memory(), layout.field(field)),
                                    Picture.of(wanted.get(i).memory(), layout.field(field)),
                                    plan.byFields(false));
                        }
                    } else {
                        frames.filter(sources.get(i), wanted.get(i), plan);
                    }
                    if (plan.isAutomatic()) {
                        estimate = (plan.byFields() ? fields : frames).estimate();
                    }
                    estimates.add(estimate);
                }
                List<PictureRun> runs =
                        Stream.generate(filter::newRun).limit(IN_FLIGHT).toList();
                for (int i = 0; i < PICTURES + IN_FLIGHT; i++) {
                    runs.get(i % IN_FLIGHT).finish();
                    if (i >= IN_FLIGHT) {
                        int picture = i - IN_FLIGHT;
                        assertArrayEquals(
                                wanted.get(picture).bytes(),
                                found.get(picture).bytes(),
                                choice + ", " + format + ", picture " + picture);
                    }
                    if (i < PICTURES) {
                        runs.get(i % IN_FLIGHT).begin(sources.get(i), found.get(i), plan(i));
                    }
                }
                assertEquals(estimates.get(PICTURES - 1), filter.estimate());
                assertTrue(estimate.isPresent());
                List.of(sources, wanted, found).forEach(all -> all.forEach(MappedPicture::close));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("org.gstqpu.kernels.TestSubstrates#all")
    void aPictureWithoutFieldsIsAFrame(TestSubstrates.Choice choice) throws Exception {
        PictureLayout layout = PictureLayout.packed(PixelFormat.NV12, WIDTH, 50, 4);
        assertFalse(layout.hasFields());
        try (FilterContext context = choice.open();
                PictureFilter filter = context.newPictureFilter(PixelFormat.NV12, WIDTH, 50);
                MappedPicture source = new MappedPicture(layout, new Random(1));
                MappedPicture wanted = new MappedPicture(layout, new Random(2));
                MappedPicture found = new MappedPicture(layout, new Random(2))) {
            filter.filter(source, wanted, PLAN);
            filter.filter(source, found, BY_FIELDS);
            assertArrayEquals(wanted.bytes(), found.bytes());
        }
    }

    /** A filter that filters nothing, and whose pictures are done when a test says so. */
    private static final class Fake implements FrameFilter {
        private final List<PictureLayout> sources = new ArrayList<>();
        private final List<PictureLayout> destinations = new ArrayList<>();
        private final List<PicturePlan> plans = new ArrayList<>();
        private final TreeSet<Long> running = new TreeSet<>();
        private final TreeSet<Long> unfinished = new TreeSet<>();
        private final TreeSet<Long> handedOver = new TreeSet<>();
        private boolean handsOver;
        private boolean closed;
        private int waits;
        private int runs;

        /** The number of the picture that fails to begin. */
        private long failing = -1;

        private RuntimeException failsToFinish;

        /** True if no picture that runs ends. */
        private boolean hangs;

        @Override
        public PictureRun newRun() {
            runs++;
            return new PictureRun() {
                /** The number of the picture, from 1 on. */
                private long number;

                @Override
                public boolean begin(Picture source, Picture destination, PicturePlan plan) {
                    assertFalse(unfinished.contains(number), "the picture before is not finished");
                    sources.add(source.layout());
                    destinations.add(destination.layout());
                    plans.add(plan);
                    number = plans.size();
                    if (number == failing) {
                        throw new DeviceException(DeviceFailure.OUT_OF_MEMORY, "no memory");
                    }
                    running.add(number);
                    unfinished.add(number);
                    if (handsOver && plan.handOver()) {
                        handedOver.add(number);
                    }
                    return true;
                }

                @Override
                public boolean isHandedOver() {
                    return handedOver.contains(number);
                }

                @Override
                public boolean isDone() {
                    return !running.contains(number);
                }

                @Override
                public void finish() {
                    if (hangs && running.contains(number)) {
                        throw new DeviceException(DeviceFailure.TIMED_OUT, "hung");
                    }
                    if (running.remove(number)) {
                        waits++;
                    }
                    unfinished.remove(number);
                    if (failsToFinish != null) {
                        throw failsToFinish;
                    }
                }
            };
        }

        @Override
        public void checkUsable() {
            if (closed) {
                throw new IllegalStateException("closed");
            }
        }

        @Override
        public void setSequence(int sequence) {}

        @Override
        public void forgetPast() {}

        @Override
        public Optional<StrengthEstimate> estimate() {
            return Optional.empty();
        }

        @Override
        public FusionCounts fusion() {
            return FusionCounts.NONE;
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    private final Fake frames = new Fake();
    private final Fake fields = new Fake();
    private final List<Integer> heights = new ArrayList<>();
    private final FieldwiseFilter filter = new FieldwiseFilter(PixelFormat.GRAY8, 16, 16, height -> {
        heights.add(height);
        return height == 16 ? frames : fields;
    });

    private static boolean begin(PictureRun run, PicturePlan plan) {
        Picture picture = Picture.of(new HostMemory().set(64, GRAY.sizeBytes()), GRAY);
        return run.begin(picture, picture, plan);
    }

    private PictureRun begin(PicturePlan plan) {
        PictureRun run = filter.newRun();
        assertTrue(begin(run, plan));
        return run;
    }

    @Test
    void theUpperFieldComesFirstAndTheFilterOfFieldsIsMadeForTheFirstPair() {
        begin(PLAN);
        assertEquals(List.of(16), heights);
        PictureRun run = begin(BY_FIELDS.handingOver(true));
        begin(BY_FIELDS);
        assertEquals(List.of(16, 8), heights);
        List<PictureLayout> both = List.of(GRAY.field(0), GRAY.field(1), GRAY.field(0), GRAY.field(1));
        assertEquals(both, fields.sources);
        assertEquals(both, fields.destinations);
        assertEquals(
                List.of(false, true, false, false),
                fields.plans.stream().map(PicturePlan::handOver).toList());
        assertEquals(List.of(GRAY), frames.sources);
        assertFalse(run.isHandedOver(), "the filter of fields did not");
    }

    @Test
    void aPairIsDoneWhenBothFieldsAre() {
        PictureRun run = begin(BY_FIELDS);
        assertFalse(run.isDone());
        fields.running.remove(1L);
        assertFalse(run.isDone(), "the second field runs");
        fields.running.add(1L);
        fields.running.remove(2L);
        assertFalse(run.isDone(), "the first field runs");
        fields.running.clear();
        assertTrue(run.isDone());
        assertEquals(2, fields.unfinished.size());
        run.finish();
        assertEquals(0, fields.unfinished.size());
    }

    @Test
    void framesAndPairsAreFinishedInAnyOrderAndAgain() {
        PictureRun frame = begin(PLAN);
        PictureRun pair = begin(BY_FIELDS);
        PictureRun otherFrame = begin(PLAN);
        PictureRun otherPair = begin(BY_FIELDS);
        otherPair.finish();
        assertEquals(List.of(1L, 2L), List.copyOf(fields.unfinished));
        frame.finish();
        assertEquals(List.of(2L), List.copyOf(frames.unfinished));
        assertTrue(otherPair.isDone());
        assertFalse(pair.isDone());
        assertFalse(otherFrame.isDone());
        pair.finish();
        int waits = fields.waits;
        pair.finish();
        frame.finish();
        assertEquals(waits, fields.waits);
        assertTrue(pair.isDone());
        assertEquals(List.of(2L), List.copyOf(frames.unfinished));
    }

    @Test
    void aRunTakesFramesAndPairsByTurns() {
        PictureRun run = begin(PLAN);
        for (PicturePlan plan : List.of(BY_FIELDS, PLAN, BY_FIELDS, BY_FIELDS)) {
            assertTrue(begin(run, plan), "the picture before is finished first");
        }
        assertEquals(2, fields.runs);
        assertEquals(List.of(5L, 6L), List.copyOf(fields.unfinished));
        assertTrue(frames.unfinished.isEmpty());
    }

    @Test
    void aRunWithoutAPictureIsDone() {
        PictureRun run = filter.newRun();
        run.finish();
        assertTrue(run.isDone());
        assertFalse(run.isHandedOver());
    }

    @Test
    void aSecondFieldThatDoesNotBeginLeavesTheFirstFinished() {
        fields.failing = 2;
        PictureRun run = filter.newRun();
        DeviceException failure = assertThrows(DeviceException.class, () -> begin(run, BY_FIELDS));
        assertEquals("no memory", failure.getMessage());
        assertEquals(1, fields.sources.indexOf(GRAY.field(1)));
        assertTrue(fields.unfinished.isEmpty());
        assertTrue(run.isDone());
        assertTrue(begin(run, BY_FIELDS));
        assertEquals(List.of(3L, 4L), List.copyOf(fields.unfinished));
        run.finish();
        assertTrue(fields.unfinished.isEmpty());
    }

    @Test
    void whatFailsWhileTheFirstFieldIsFinishedIsToldWithTheCause() {
        fields.failing = 2;
        fields.failsToFinish = new DeviceException(DeviceFailure.LOST, "lost");
        DeviceException failure = assertThrows(DeviceException.class, () -> begin(BY_FIELDS));
        assertEquals("no memory", failure.getMessage());
        assertSame(fields.failsToFinish, failure.getSuppressed()[0]);
    }

    @Test
    void aFirstFieldThatDoesNotEndStaysKnownIfItsSecondFieldDoesNotBegin() {
        fields.failing = 2;
        fields.hangs = true;
        PictureRun run = begin(BY_FIELDS);
        assertFalse(run.isDone(), "its first field runs");
        assertFalse(run.isHandedOver());
        assertEquals("hung", assertThrows(DeviceException.class, run::finish).getMessage());
        assertFalse(run.isDone(), "it still runs");
        fields.hangs = false;
        assertEquals(
                "no memory", assertThrows(DeviceException.class, run::finish).getMessage());
        assertTrue(run.isDone());
        run.finish();
    }

    @Test
    void aPairThatDoesNotEndStaysKnown() {
        PictureRun run = begin(BY_FIELDS);
        fields.hangs = true;
        assertThrows(DeviceException.class, run::finish);
        assertFalse(run.isDone());
        fields.hangs = false;
        run.finish();
        assertTrue(run.isDone());
    }

    @Test
    void aFirstFieldThatCannotBeFinishedLeavesTheSecondFinished() {
        PictureRun run = begin(BY_FIELDS);
        fields.failsToFinish = new DeviceException(DeviceFailure.LOST, "lost");
        assertSame(fields.failsToFinish, assertThrows(DeviceException.class, run::finish));
        assertTrue(fields.unfinished.isEmpty());
    }

    /** Nobody finishes a picture that was handed over; the next one of its run waits for it, and for its first field. */
    @Test
    void pairsThatAreHandedOverNeedNotBeFinished() {
        fields.handsOver = true;
        PicturePlan plan = BY_FIELDS.handingOver(true);
        PictureRun run = filter.newRun();
        for (int i = 0; i < 6; i++) {
            assertTrue(begin(run, plan));
            assertTrue(run.isHandedOver());
            assertFalse(run.isDone());
            assertEquals(2, fields.unfinished.size());
            if (i % 2 == 0) {
                fields.running.clear();
            }
        }
        assertEquals(4, fields.waits, "others were done");
    }

    @Test
    void morePairsThanCanFlyAreRefused() {
        int pairs = PictureFilter.MAX_IN_FLIGHT / 2;
        List<PictureRun> runs = new ArrayList<>();
        for (int i = 0; i < pairs; i++) {
            runs.add(begin(BY_FIELDS));
        }
        PictureRun more = filter.newRun();
        IllegalStateException failure = assertThrows(IllegalStateException.class, () -> begin(more, BY_FIELDS));
        assertEquals("8 pictures by fields may be in flight, and no more", failure.getMessage());
        assertEquals(PictureFilter.MAX_IN_FLIGHT, fields.unfinished.size());
        assertTrue(more.isDone());
        assertTrue(begin(more, PLAN), "a frame may go");
        runs.get(3).finish();
        assertTrue(begin(runs.get(3), BY_FIELDS));
        runs.forEach(PictureRun::finish);
        assertTrue(fields.unfinished.isEmpty());
    }

    @Test
    void closingClosesBoth() {
        PictureRun run = begin(BY_FIELDS);
        filter.close();
        assertTrue(frames.closed);
        assertTrue(fields.closed);
        assertThrows(IllegalStateException.class, () -> begin(run, PLAN));
    }
}
