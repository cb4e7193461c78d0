/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.picture;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.gstqpu.kernels.MappedPicture;
import org.gstqpu.kernels.RandomParameters;
import org.gstqpu.kernels.SamplePicture;
import org.gstqpu.kernels.TestSubstrates;
import org.gstqpu.kernels.filter.CdefBlockMap;
import org.gstqpu.kernels.filter.CdefParameters;
import org.gstqpu.kernels.filter.CdefStrength;
import org.gstqpu.kernels.filter.FilterContext;
import org.gstqpu.kernels.filter.FilterParameters;
import org.gstqpu.kernels.filter.H264DeblockParameters;
import org.gstqpu.kernels.filter.PictureFilter;
import org.gstqpu.kernels.filter.PictureParameters;
import org.gstqpu.kernels.filter.PicturePlan;
import org.gstqpu.kernels.filter.PictureRun;
import org.gstqpu.kernels.filter.ShrinkageParameters;
import org.gstqpu.kernels.filter.StrengthEstimate;
import org.gstqpu.kernels.filter.StrengthLadder;
import org.gstqpu.kernels.filter.StrengthTier;
import org.gstqpu.kernels.internal.cpu.CpuTestContexts;
import org.gstqpu.kernels.internal.vulkan.VulkanFilterContext;
import org.gstqpu.kernels.internal.vulkan.VulkanTestContexts;
import org.gstqpu.kernels.internal.vulkan.device.ValidationMessages;
import org.gstqpu.kernels.internal.vulkan.device.VulkanCounters.Counted;
import org.gstqpu.kernels.picture.DeviceMemory;
import org.gstqpu.kernels.picture.Picture;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PixelFormat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Pictures in flight at once, each with another plan than the one before: what comes out of each, and what the change costs. */
@EnabledIfEnvironmentVariable(named = "GST_QPU_TESTS", matches = "all", disabledReason = "it/check --all runs it")
@Tag("thorough")
class PlanPerPictureTest {
    private static final int WIDTH = 176;
    private static final int HEIGHT = 144;
    private static final PictureLayout LAYOUT = PictureLayout.packed(PixelFormat.NV12, WIDTH, HEIGHT, 4);
    private static final int IN_FLIGHT = 4;

    /** Pictures after which all that is ever recorded has been. */
    private static final int WARM_UP = 40;

    private static final int PICTURES = 2 * WARM_UP;
    private static final CdefStrength STRENGTH = new CdefStrength(9, 4, 5, 2);
    private static final FilterParameters BOTH =
            new FilterParameters(deblock(36), Optional.of(CdefParameters.uniform(4, STRENGTH)));

    private final long messagesBefore = ValidationMessages.count();

    @AfterEach
    void validationIsSilent() {
        assertEquals(messagesBefore, ValidationMessages.count());
    }

    private static Optional<H264DeblockParameters> deblock(int qp) {
        return Optional.of(H264DeblockParameters.intra(qp, 0, 0, 0, 0, false));
    }

    /** What is another in each picture. */
    private enum Change {
        NOTHING,
        QP,
        CDEF,
        KEPT_LEFT,
        BLOCK_MAP,
        LADDER,
        SHRINKAGE,
        SHRINKING_LADDER,
        /** Every kind of plan; two of them run the same passes, so that they share recordings. */
        KIND;

        /** The plan of the picture with this number. */
        PicturePlan plan(int picture) {
            // Neighbours differ in each of these, and so do a picture and the next one in the same flight.
            int step = picture % WARM_UP;
            return switch (this) {
                case NOTHING -> PicturePlan.fixed(BOTH);
                case QP -> PicturePlan.fixed(new FilterParameters(deblock(32 + step % 20), BOTH.cdef()));
                case CDEF -> {
                    CdefStrength strength = new CdefStrength(step % 16, step % 3, 15 - step % 16, 1);
                    yield PicturePlan.fixed(new FilterParameters(
                            BOTH.deblock(), Optional.of(CdefParameters.uniform(3 + step / 16, strength))));
                }
                case KEPT_LEFT -> PicturePlan.fixed(BOTH).keepingLeft((1.0 + step) / (WARM_UP + 1));
                case BLOCK_MAP ->
                    PicturePlan.fixed(
                            new FilterParameters(Optional.empty(), Optional.of(mapped(new Random(1 + step)))));
                case LADDER -> PicturePlan.automatic(ladder(step));
                case SHRINKAGE -> PicturePlan.fixed(BOTH.withShrinkage(shrinkage(step)));
                case SHRINKING_LADDER -> PicturePlan.automatic(shrinkingLadder(step));
                case KIND ->
                    switch (step % 7) {
                        case 0 -> NOTHING.plan(picture);
                        case 1 -> BLOCK_MAP.plan(picture);
                        case 2 -> LADDER.plan(picture);
                        case 3 -> PicturePlan.decoded(decoded(step));
                        case 4 -> SHRINKAGE.plan(picture);
                        case 5 -> SHRINKING_LADDER.plan(picture);
                        default -> KEPT_LEFT.plan(picture);
                    };
            };
        }
    }

    private static CdefParameters mapped(Random random) {
        byte[] strengthIndex64 = new byte[((WIDTH + 63) / 64) * ((HEIGHT + 63) / 64)];
        byte[] filtered8 = new byte[WIDTH / 8 * HEIGHT / 8];
        for (int i = 0; i < filtered8.length; i++) {
            filtered8[i] = (byte) random.nextInt(2);
        }
        CdefBlockMap map = new CdefBlockMap(WIDTH, HEIGHT, strengthIndex64, filtered8);
        return new CdefParameters(4, List.of(STRENGTH), Optional.of(map));
    }

    /** Another FilterOffsetA in each step. */
    private static StrengthLadder ladder(int step) {
        List<FilterParameters> tiers = new ArrayList<>();
        for (int tier = 0; tier < StrengthTier.ALL.size(); tier++) {
            int qp = 36 + tier % 12;
            tiers.add(new FilterParameters(
                    Optional.of(H264DeblockParameters.intra(qp, step % 25 - 12, 12, 0, 0, false)), BOTH.cdef()));
        }
        return new StrengthLadder(tiers);
    }

    /** Other thresholds and another bound in each step, but as many shifts. */
    private static ShrinkageParameters shrinkage(int step) {
        return new ShrinkageParameters(8, 60 + 4 * step, 300 - 4 * step, 20 + step);
    }

    /** Another threshold in each step. */
    private static StrengthLadder shrinkingLadder(int step) {
        List<FilterParameters> tiers = new ArrayList<>();
        for (int tier = 0; tier < StrengthTier.ALL.size(); tier++) {
            tiers.add(BOTH.withShrinkage(new ShrinkageParameters(4, 40 + tier + 3 * step, 20 + tier, 35)));
        }
        return new StrengthLadder(tiers);
    }

    private static PictureParameters decoded(int step) {
        PictureParameters parameters = new PictureParameters(PixelFormat.NV12, WIDTH, HEIGHT);
        parameters.deblock(RandomParameters.deblock(new Random(step)));
        parameters.runCdef().set(CdefParameters.uniform(3 + step % 4, STRENGTH));
        return parameters;
    }

    /** The same picture every time, so that results differ by their plans alone. */
    private static MappedPicture source() {
        MappedPicture source = new MappedPicture(LAYOUT, new Random(5));
        source.write(SamplePicture.random(new Random(6), 8, PixelFormat.Chroma.HALF_BOTH, WIDTH, HEIGHT));
        return source;
    }

    /**
     * What the CPU makes of the pictures one by one: by a filter of its own for each, but for automatic strength, which needs
     * those before.
     */
    private static List<byte[]> expected(Change change) {
        List<byte[]> results = new ArrayList<>();
        try (FilterContext cpu = CpuTestContexts.plain(1);
                PictureFilter automatic = cpu.newPictureFilter(PixelFormat.NV12, WIDTH, HEIGHT);
                MappedPicture source = source()) {
            for (int i = 0; i < PICTURES; i++) {
                PicturePlan plan = change.plan(i);
                try (MappedPicture destination = new MappedPicture(LAYOUT, new Random(i % IN_FLIGHT));
                        PictureFilter fixed = cpu.newPictureFilter(PixelFormat.NV12, WIDTH, HEIGHT)) {
                    (plan.isAutomatic() ? automatic : fixed).filter(source, destination, plan);
                    results.add(destination.bytes());
                }
            }
        }
        return results;
    }

    private static Stream<Arguments> changesOnSubstrates() {
        return TestSubstrates.all()
                .flatMap(choice -> Arrays.stream(Change.values()).map(change -> Arguments.of(choice, change)));
    }

    @ParameterizedTest
    @MethodSource("changesOnSubstrates")
    void eachPictureIsFilteredByItsOwnPlan(TestSubstrates.Choice choice, Change change) throws Exception {
        List<byte[]> expected = expected(change);
        try (FilterContext context = choice.open();
                PictureFilter filter = context.newPictureFilter(PixelFormat.NV12, WIDTH, HEIGHT);
                MappedPicture source = source()) {
            List<MappedPicture> destinations = destinations();
            List<PictureRun> runs = runs(filter);
            for (int i = 0; i < PICTURES + IN_FLIGHT; i++) {
                int place = i % IN_FLIGHT;
                runs.get(place).finish();
                if (i >= IN_FLIGHT) {
                    assertArrayEquals(
                            expected.get(i - IN_FLIGHT), destinations.get(place).bytes(), "picture " + (i - IN_FLIGHT));
                }
                if (i < PICTURES) {
                    runs.get(place).begin(source, destinations.get(place), change.plan(i));
                }
            }
            destinations.forEach(MappedPicture::close);
        }
        for (int i = IN_FLIGHT; change != Change.NOTHING && i < PICTURES; i++) {
            assertFalse(
                    Arrays.equals(expected.get(i - IN_FLIGHT), expected.get(i)),
                    "picture " + i + " would not show that it was filtered by the plan of one before");
        }
    }

    private static List<PictureRun> runs(PictureFilter filter) {
        return Stream.generate(filter::newRun).limit(IN_FLIGHT).toList();
    }

    private static List<MappedPicture> destinations() {
        return IntStream.range(0, IN_FLIGHT)
                .mapToObj(i -> new MappedPicture(LAYOUT, new Random(i)))
                .toList();
    }

    /** Where pictures are staged and where they are filtered in place. */
    private static Stream<Arguments> changesInPlaceOrNot() {
        return Arrays.stream(Change.values())
                .flatMap(change -> Stream.of(Arguments.of(change, false), Arguments.of(change, true)));
    }

    @ParameterizedTest
    @MethodSource("changesInPlaceOrNot")
    void aChangeRecordsAndWaitsForNothing(Change change, boolean inPlace) throws Exception {
        try (VulkanFilterContext context = VulkanTestContexts.usual();
                PictureFilter filter = context.newPictureFilter(PixelFormat.NV12, WIDTH, HEIGHT);
                MappedPicture source = source()) {
            List<MappedPicture> destinations = destinations();
            List<DeviceMemory> imports = new ArrayList<>();
            Picture from = inPlace ? imported(context, source, imports) : source;
            List<Picture> to = new ArrayList<>();
            for (MappedPicture destination : destinations) {
                to.add(inPlace ? imported(context, destination, imports) : destination);
            }
            List<PictureRun> runs = runs(filter);
            VulkanCalls before = null;
            long waitsToBegin = 0;
            for (int i = 0; i < PICTURES; i++) {
                if (i == WARM_UP) {
                    before = VulkanCalls.of(context);
                    waitsToBegin = 0;
                }
                int place = i % IN_FLIGHT;
                runs.get(place).finish();
                PicturePlan plan = change.plan(i);
                long waits = context.runtime().device().counters().get(Counted.WAITS);
                runs.get(place).begin(from, to.get(place), plan);
                waitsToBegin += context.runtime().device().counters().get(Counted.WAITS) - waits;
            }
            VulkanCalls since = VulkanCalls.of(context).since(before);
            // At most a wait for each picture, when it is finished.
            assertEquals(new VulkanCalls(0, 0, 0, PICTURES - WARM_UP, since.waits(), 0), since);
            assertEquals(0, waitsToBegin, "begin() waited for pictures in flight");
            runs.forEach(PictureRun::finish);
            imports.forEach(DeviceMemory::close);
            destinations.forEach(MappedPicture::close);
        }
    }

    private static Picture imported(VulkanFilterContext context, MappedPicture picture, List<DeviceMemory> imports) {
        DeviceMemory memory = context.importHost(
                        picture.memory().address(), picture.memory().sizeBytes())
                .orElseThrow();
        imports.add(memory);
        return Picture.of(memory, picture.layout());
    }

    /** The same map for all, but first for one picture at a time, then for more: their maps move to larger memory. */
    @ParameterizedTest
    @CsvSource({"1, 3", "3, 16", "2, 1"})
    void aMapIsThereForEachPictureHoweverManyAreInFlight(int first, int then) throws Exception {
        PicturePlan plan =
                PicturePlan.fixed(new FilterParameters(Optional.empty(), Optional.of(mapped(new Random(3)))));
        try (FilterContext cpu = CpuTestContexts.plain(1);
                PictureFilter reference = cpu.newPictureFilter(PixelFormat.NV12, WIDTH, HEIGHT);
                FilterContext context = VulkanTestContexts.usual();
                PictureFilter filter = context.newPictureFilter(PixelFormat.NV12, WIDTH, HEIGHT);
                MappedPicture source = source();
                MappedPicture wanted = new MappedPicture(LAYOUT, new Random(0))) {
            reference.filter(source, wanted, plan);
            List<PictureRun> runs = new ArrayList<>();
            for (int inFlight : new int[] {first, then}) {
                List<MappedPicture> destinations = new ArrayList<>();
                for (int i = 0; i < inFlight; i++) {
                    destinations.add(new MappedPicture(LAYOUT, new Random(0)));
                    if (i == runs.size()) {
                        runs.add(filter.newRun());
                    }
                    runs.get(i).begin(source, destinations.get(i), plan);
                }
                for (int i = inFlight - 1; i >= 0; i--) {
                    runs.get(i).finish();
                }
                for (int i = 0; i < inFlight; i++) {
                    assertArrayEquals(
                            wanted.bytes(), destinations.get(i).bytes(), inFlight + " in flight, picture " + i);
                }
                destinations.forEach(MappedPicture::close);
            }
        }
    }

    @Test
    void whatAutomaticStrengthFoundIsKeptThroughOtherPlans() throws Exception {
        try (FilterContext context = VulkanTestContexts.usual();
                PictureFilter filter = context.newPictureFilter(PixelFormat.NV12, WIDTH, HEIGHT);
                MappedPicture source = source();
                MappedPicture destination = new MappedPicture(LAYOUT, new Random(1))) {
            filter.filter(source, destination, PicturePlan.fixed(BOTH));
            assertEquals(Optional.empty(), filter.estimate());
            filter.filter(source, destination, PicturePlan.automatic(ladder(0)));
            byte[] weak = destination.bytes();
            Optional<StrengthEstimate> found = filter.estimate();
            assertFalse(found.isEmpty());
            filter.filter(source, destination, PicturePlan.fixed(BOTH));
            assertEquals(found, filter.estimate());
            filter.filter(source, destination, PicturePlan.automatic(ladder(24)));
            assertFalse(Arrays.equals(weak, destination.bytes()), "the other ladder holds");
        }
    }
}
