/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.filter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.gstqpu.kernels.MappedPicture;
import org.gstqpu.kernels.RandomParameters;
import org.gstqpu.kernels.RandomSeed;
import org.gstqpu.kernels.ReferenceFilters;
import org.gstqpu.kernels.TestSubstrates;
import org.gstqpu.kernels.internal.cpu.CpuTestContexts;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PixelFormat;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.lwjgl.system.MemoryUtil;

/**
 * Words of 16 bit whose bits beyond the depth are set: no filter reads them, and what a plan with a filter makes has none. A picture
 * without a filter, and the part that a plan keeps, are as they were.
 */
@EnabledIfEnvironmentVariable(named = "GST_QPU_TESTS", matches = "all", disabledReason = "it/check --all runs it")
@Tag("thorough")
class SamplesBeyondDepthTest {
    private static final List<PixelFormat> FORMATS = Arrays.stream(PixelFormat.values())
            .filter(format -> format.sampleBytes() == 2)
            .toList();

    private static final int SMALLEST_SIDE = 17;
    private static final int LARGEST_SIDE = 150;
    private static final int RANDOM_PLANS = 6;

    private static final FilterParameters NOTHING =
            new FilterParameters(Optional.empty(), Optional.empty(), Optional.empty());

    /** Names a filter that changes nothing. */
    private static final FilterParameters NO_STRENGTH =
            FilterParameters.cdef(CdefParameters.uniform(4, new CdefStrength(0, 0, 0, 0)));

    @ParameterizedTest
    @MethodSource("org.gstqpu.kernels.TestSubstrates#forRandomPictures")
    void noFilterReadsTheBitsBeyondTheDepth(TestSubstrates.Choice choice) throws Exception {
        long seed = RandomSeed.get();
        try (FilterContext context = choice.open();
                FilterContext plain = CpuTestContexts.plain(1)) {
            for (int i = 0; i < FORMATS.size(); i++) {
                PixelFormat format = FORMATS.get(i);
                Random random = new Random(seed + i);
                int width = SMALLEST_SIDE + random.nextInt(LARGEST_SIDE);
                int height = SMALLEST_SIDE + random.nextInt(LARGEST_SIDE);
                String where = choice + ": " + format + " " + width + "x" + height + ", -Dgstqpu.seed=" + seed;
                try (PictureFilter filter = context.newPictureFilter(format, width, height);
                        PictureFilter reference = plain.newPictureFilter(format, width, height)) {
                    for (PicturePlan plan : plans(random, width, height)) {
                        check(filter, reference, plan, random, format, width, height, where);
                        assertEquals(reference.estimate(), filter.estimate(), where);
                    }
                }
            }
        }
    }

    private static List<PicturePlan> plans(Random random, int width, int height) {
        FilterParameters all = FilterParameters.deblocking(RandomParameters.deblock(random))
                .withCdef(CdefParameters.uniform(4, new CdefStrength(4, 2, 4, 2)))
                .withShrinkage(RandomParameters.shrinkage(random));
        List<PicturePlan> plans = new ArrayList<>();
        plans.add(PicturePlan.fixed(NOTHING));
        plans.add(PicturePlan.fixed(NO_STRENGTH));
        plans.add(PicturePlan.fixed(FilterParameters.deblocking(RandomParameters.deblock(random))));
        plans.add(PicturePlan.fixed(FilterParameters.cdef(RandomParameters.cdef(random, width, height))));
        plans.add(PicturePlan.fixed(FilterParameters.shrinkage(RandomParameters.shrinkage(random))));
        plans.add(PicturePlan.fixed(FilterParameters.deblocking(RandomParameters.deblock(random)))
                .deblockingFrom(random.nextInt(8), random.nextInt(8)));
        for (int i = 0; i < RANDOM_PLANS; i++) {
            plans.add(PicturePlan.fixed(ReferenceFilters.random(random, width, height)));
        }
        plans.add(PicturePlan.fixed(all).keepingLeft(0.5));
        // The first tiers do nothing to a picture, the others something.
        List<FilterParameters> tiers = new ArrayList<>();
        for (int i = 0; i < StrengthTier.ALL.size(); i++) {
            tiers.add(i < 2 ? NO_STRENGTH : FilterParameters.cdef(all.cdef().orElseThrow()));
        }
        plans.add(PicturePlan.automatic(new StrengthLadder(tiers)));
        plans.add(PicturePlan.automatic(new StrengthLadder(tiers)));
        tiers.replaceAll(tier -> all);
        plans.add(PicturePlan.automatic(new StrengthLadder(tiers)));
        return plans;
    }

    private static void check(
            PictureFilter filter,
            PictureFilter reference,
            PicturePlan plan,
            Random random,
            PixelFormat format,
            int width,
            int height,
            String where) {
        PictureLayout sourceLayout = MappedPicture.randomLayout(random, format, width, height);
        PictureLayout destinationLayout = MappedPicture.randomLayout(random, format, width, height);
        long content = random.nextLong();
        // Random words, or flat ones with little noise, which strong filters change.
        int noise = random.nextBoolean() ? 0xffff : 0xfc07 << format.sampleShift() | (1 << format.sampleShift()) - 1;
        try (MappedPicture source = new MappedPicture(sourceLayout, new Random(content));
                MappedPicture masked = new MappedPicture(sourceLayout, new Random(content));
                MappedPicture found = new MappedPicture(destinationLayout, new Random(content + 1));
                MappedPicture wanted = new MappedPicture(destinationLayout, new Random(content + 1))) {
            forWords(format, sourceLayout, width, (plane, row, at) -> {
                int word = word(source, sourceLayout, plane, row, at) & noise;
                put(source, sourceLayout, plane, row, at, word);
                put(masked, sourceLayout, plane, row, at, word & format.peak() << format.sampleShift());
            });
            filter.filter(source, found, plan);
            reference.filter(masked, wanted, plan.keepingLeft(0));
            boolean filters = plan.strength().deblocks()
                    || plan.strength().runsCdef()
                    || plan.strength().shifts() > 0;
            int kept = filters ? format.cut(plan.keptLeft(), width) : width;
            forWords(
                    format,
                    sourceLayout,
                    kept,
                    (plane, row, at) ->
                            put(wanted, destinationLayout, plane, row, at, word(source, sourceLayout, plane, row, at)));
            int difference = Arrays.mismatch(wanted.bytes(), found.bytes());
            if (difference >= 0) {
                fail(where + ", " + plan + ": byte " + difference + " is " + found.bytes()[difference] + " and not "
                        + wanted.bytes()[difference]);
            }
        }
    }

    private interface Word {
        void visit(int plane, int row, int at);
    }

    private static void forWords(PixelFormat format, PictureLayout layout, int columns, Word word) {
        for (int plane = 0; plane < format.planes(); plane++) {
            for (int row = 0; row < layout.rows(plane); row++) {
                for (int at = 0; at < format.planeRowSamples(plane, columns); at++) {
                    word.visit(plane, row, at);
                }
            }
        }
    }

    private static int word(MappedPicture picture, PictureLayout layout, int plane, int row, int at) {
        return MemoryUtil.memGetShort(address(picture, layout, plane, row, at)) & 0xffff;
    }

    private static void put(MappedPicture picture, PictureLayout layout, int plane, int row, int at, int word) {
        MemoryUtil.memPutShort(address(picture, layout, plane, row, at), (short) word);
    }

    private static long address(MappedPicture picture, PictureLayout layout, int plane, int row, int at) {
        return picture.memory().address()
                + layout.offsetBytes(plane)
                + (long) row * layout.strideBytes(plane)
                + 2L * at;
    }
}
