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
import org.gstqpu.kernels.MappedPicture;
import org.gstqpu.kernels.SamplePicture;
import org.gstqpu.kernels.TestSubstrates;
import org.gstqpu.kernels.filter.CdefParameters;
import org.gstqpu.kernels.filter.CdefStrength;
import org.gstqpu.kernels.filter.FilterContext;
import org.gstqpu.kernels.filter.FilterParameters;
import org.gstqpu.kernels.filter.H264DeblockParameters;
import org.gstqpu.kernels.filter.PictureFilter;
import org.gstqpu.kernels.filter.PicturePlan;
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

/** Frames and pairs of fields: what becomes of both on every substrate, and of their tickets whatever the filter of fields does. */
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
                long[] tickets = new long[IN_FLIGHT];
                for (int i = 0; i < PICTURES + IN_FLIGHT; i++) {
                    filter.finish(tickets[i % IN_FLIGHT]);
                    if (i >= IN_FLIGHT) {
                        int picture = i - IN_FLIGHT;
                        assertArrayEquals(
                                wanted.get(picture).bytes(),
                                found.get(picture).bytes(),
                                choice + ", " + format + ", picture " + picture);
                    }
                    if (i < PICTURES) {
                        tickets[i % IN_FLIGHT] = filter.begin(sources.get(i), found.get(i), plan(i));
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
    private static final class Fake implements PictureFilter {
        private final List<PictureLayout> sources = new ArrayList<>();
        private final List<PictureLayout> destinations = new ArrayList<>();
        private final List<PicturePlan> plans = new ArrayList<>();
        private final TreeSet<Long> running = new TreeSet<>();
        private final TreeSet<Long> unfinished = new TreeSet<>();
        private final TreeSet<Long> handedOver = new TreeSet<>();
        private boolean handsOver;
        private boolean closed;
        private int waits;

        /** The ticket whose picture fails to begin. */
        private long failing = -1;

        private RuntimeException failsToFinish;

        /** True if no picture that runs ends. */
        private boolean hangs;

        @Override
        public long begin(Picture source, Picture destination, PicturePlan plan) {
            sources.add(source.layout());
            destinations.add(destination.layout());
            plans.add(plan);
            long ticket = plans.size();
            if (ticket == failing) {
                throw new DeviceException(DeviceFailure.OUT_OF_MEMORY, "no memory");
            }
            running.add(ticket);
            unfinished.add(ticket);
            if (handsOver && plan.handOver()) {
                handedOver.add(ticket);
            }
            return ticket;
        }

        @Override
        public boolean isHandedOver(long ticket) {
            return handedOver.contains(ticket);
        }

        @Override
        public boolean isDone(long ticket) {
            return !running.contains(ticket);
        }

        @Override
        public void finish(long ticket) {
            if (hangs && running.contains(ticket)) {
                throw new DeviceException(DeviceFailure.TIMED_OUT, "hung");
            }
            if (running.remove(ticket)) {
                waits++;
            }
            unfinished.remove(ticket);
            if (failsToFinish != null) {
                throw failsToFinish;
            }
        }

        @Override
        public Optional<StrengthEstimate> estimate() {
            return Optional.empty();
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

    private long begin(PicturePlan plan) {
        Picture picture = Picture.of(new HostMemory().set(64, GRAY.sizeBytes()), GRAY);
        return filter.begin(picture, picture, plan);
    }

    @Test
    void theUpperFieldComesFirstAndTheFilterOfFieldsIsMadeForTheFirstPair() {
        begin(PLAN);
        assertEquals(List.of(16), heights);
        long ticket = begin(BY_FIELDS.handingOver(true));
        begin(BY_FIELDS);
        assertEquals(List.of(16, 8), heights);
        List<PictureLayout> both = List.of(GRAY.field(0), GRAY.field(1), GRAY.field(0), GRAY.field(1));
        assertEquals(both, fields.sources);
        assertEquals(both, fields.destinations);
        assertEquals(
                List.of(false, true, false, false),
                fields.plans.stream().map(PicturePlan::handOver).toList());
        assertEquals(List.of(GRAY), frames.sources);
        assertFalse(filter.isHandedOver(ticket), "the filter of fields did not");
    }

    @Test
    void aPairIsDoneWhenBothFieldsAre() {
        long ticket = begin(BY_FIELDS);
        assertFalse(filter.isDone(ticket));
        fields.running.remove(1L);
        assertFalse(filter.isDone(ticket), "the second field runs");
        fields.running.add(1L);
        fields.running.remove(2L);
        assertFalse(filter.isDone(ticket), "the first field runs");
        fields.running.clear();
        assertTrue(filter.isDone(ticket));
        assertEquals(2, fields.unfinished.size());
        filter.finish(ticket);
        assertEquals(0, fields.unfinished.size());
    }

    @Test
    void ticketsOfFramesAndPairsAreFinishedInAnyOrderAndAgain() {
        long frame = begin(PLAN);
        long pair = begin(BY_FIELDS);
        long otherFrame = begin(PLAN);
        long otherPair = begin(BY_FIELDS);
        assertEquals(4, new TreeSet<>(List.of(frame, pair, otherFrame, otherPair)).size());
        filter.finish(otherPair);
        assertEquals(List.of(1L, 2L), List.copyOf(fields.unfinished));
        filter.finish(frame);
        assertEquals(List.of(2L), List.copyOf(frames.unfinished));
        assertTrue(filter.isDone(otherPair));
        assertFalse(filter.isDone(pair));
        filter.finish(pair);
        // Other pictures take the places of these.
        begin(BY_FIELDS);
        begin(BY_FIELDS);
        TreeSet<Long> later = new TreeSet<>(fields.unfinished);
        for (long old : new long[] {pair, otherPair, PictureFilter.DONE, 1, -1, Long.MAX_VALUE, Long.MIN_VALUE + 1}) {
            filter.finish(old);
            assertTrue(filter.isDone(old));
            assertFalse(filter.isHandedOver(old));
        }
        assertEquals(later, fields.unfinished);
        assertEquals(List.of(2L), List.copyOf(frames.unfinished));
    }

    @Test
    void aTicketOfAPairIsUnknownBeforeTheFirstPair() {
        filter.finish(1);
        assertTrue(filter.isDone(1));
        assertFalse(filter.isHandedOver(1));
    }

    @Test
    void aSecondFieldThatDoesNotBeginLeavesTheFirstFinished() {
        fields.failing = 2;
        DeviceException failure = assertThrows(DeviceException.class, () -> begin(BY_FIELDS));
        assertEquals("no memory", failure.getMessage());
        assertEquals(1, fields.sources.indexOf(GRAY.field(1)));
        assertTrue(fields.unfinished.isEmpty());
        long next = begin(BY_FIELDS);
        assertEquals(List.of(3L, 4L), List.copyOf(fields.unfinished));
        filter.finish(next);
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
        long ticket = begin(BY_FIELDS);
        assertFalse(filter.isDone(ticket), "its first field runs");
        assertFalse(filter.isHandedOver(ticket));
        assertEquals(
                "hung",
                assertThrows(DeviceException.class, () -> filter.finish(ticket)).getMessage());
        assertFalse(filter.isDone(ticket), "it still runs");
        fields.hangs = false;
        assertEquals(
                "no memory",
                assertThrows(DeviceException.class, () -> filter.finish(ticket)).getMessage());
        assertTrue(filter.isDone(ticket));
        filter.finish(ticket);
    }

    @Test
    void aPairThatDoesNotEndStaysKnown() {
        long ticket = begin(BY_FIELDS);
        fields.hangs = true;
        assertThrows(DeviceException.class, () -> filter.finish(ticket));
        assertFalse(filter.isDone(ticket));
        fields.hangs = false;
        filter.finish(ticket);
        assertTrue(filter.isDone(ticket));
    }

    @Test
    void aFirstFieldThatCannotBeFinishedLeavesTheSecondFinished() {
        long ticket = begin(BY_FIELDS);
        fields.failsToFinish = new DeviceException(DeviceFailure.LOST, "lost");
        assertSame(fields.failsToFinish, assertThrows(DeviceException.class, () -> filter.finish(ticket)));
        assertTrue(fields.unfinished.isEmpty());
    }

    /** Nobody finishes a picture that was handed over; its first field, which was not, must not fill the filter. */
    @Test
    void pairsThatAreHandedOverNeedNotBeFinished() {
        fields.handsOver = true;
        PicturePlan plan = BY_FIELDS.handingOver(true);
        for (int i = 0; i < 3 * FieldwiseFilter.MAX_PAIRS; i++) {
            long ticket = begin(plan);
            assertTrue(filter.isHandedOver(ticket));
            assertFalse(filter.isDone(ticket));
            assertTrue(fields.unfinished.size() <= PictureFilter.MAX_IN_FLIGHT, "too many in flight");
            if (i % 2 == 0) {
                fields.running.clear();
            }
        }
        assertEquals(0, fields.waits, "others were done");
        // None is ever done by itself.
        for (int i = 0; i < 2 * FieldwiseFilter.MAX_PAIRS; i++) {
            begin(plan);
            assertTrue(fields.unfinished.size() <= PictureFilter.MAX_IN_FLIGHT, "too many in flight");
        }
    }

    @Test
    void morePairsThanCanFlyAreRefused() {
        List<Long> tickets = new ArrayList<>();
        for (int i = 0; i < FieldwiseFilter.MAX_PAIRS; i++) {
            tickets.add(begin(BY_FIELDS));
        }
        assertEquals(PictureFilter.MAX_IN_FLIGHT, fields.unfinished.size());
        IllegalStateException failure = assertThrows(IllegalStateException.class, () -> begin(BY_FIELDS));
        assertEquals("8 pictures by fields have begun and none was finished", failure.getMessage());
        assertEquals(PictureFilter.MAX_IN_FLIGHT, fields.unfinished.size());
        filter.finish(tickets.get(3));
        begin(BY_FIELDS);
        tickets.forEach(filter::finish);
        assertEquals(2, fields.unfinished.size());
    }

    @Test
    void closingClosesBoth() {
        begin(BY_FIELDS);
        filter.close();
        assertTrue(frames.closed);
        assertTrue(fields.closed);
        assertThrows(IllegalStateException.class, () -> begin(PLAN));
    }
}
