/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.filter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import org.gstqpu.kernels.MappedPicture;
import org.gstqpu.kernels.RandomSeed;
import org.gstqpu.kernels.ReferenceFilters;
import org.gstqpu.kernels.ReferenceTime;
import org.gstqpu.kernels.SamplePicture;
import org.gstqpu.kernels.TestSubstrates;
import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.kernels.substrate.Substrate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Temporal fusion of random sequences, some pictures in flight at a time, against its definition. */
@Tag("thorough")
class TimeSequencesTest {
    private static final List<PixelFormat> FORMATS = List.of(PixelFormat.values());
    private static final int SIDE = 67;
    private static final int PICTURES = 7;

    /** Columns and rows of the scene around the pictures. */
    private static final int AROUND = 24;

    private record Begun(
            PictureRun run, MappedPicture source, MappedPicture destination, SamplePicture expected, String where) {}

    @ParameterizedTest
    @MethodSource("org.gstqpu.kernels.TestSubstrates#forRandomPictures")
    void sequencesEqualTheDefinition(TestSubstrates.Choice choice) throws Exception {
        long seed = RandomSeed.get();
        int changed = 0;
        try (FilterContext context = choice.open()) {
            for (int i = 0; i < choice.randomPictures() / 2; i++) {
                Random random = new Random(seed + i);
                PixelFormat format = FORMATS.get(i % FORMATS.size());
                int width = 1 + random.nextInt(i % 5 == 4 ? 2 * SIDE : SIDE);
                int height = 1 + random.nextInt(SIDE);
                String where = choice + ": " + format + " " + width + "x" + height + ", -Dgstqpu.seed=" + (seed + i);
                try (PictureFilter filter = context.newPictureFilter(format, width, height)) {
                    boolean onDevice = context.substrate() == Substrate.QPU;
                    changed += sequence(filter, random, format, width, height, onDevice, where);
                }
            }
        }
        assertTrue(changed > 0, "no picture was fused with another one, -Dgstqpu.seed=" + seed);
    }

    /** A picture of a sequence, and what happens to it. */
    private static final class Step {
        SamplePicture decoded;
        FilterParameters shrinkage;
        TimeParameters time;
        MappedPicture source;
        MappedPicture destination;
        boolean byFields;

        /** Whether it is filtered by fields: where a picture has none, it is filtered as a frame. */
        boolean fields;

        /** Whether no picture from this one on is fused with one before it. */
        boolean cut;

        /** Whether the filter is told so. */
        boolean forgets;

        /** Whether the pictures up to this one end before the next one begins. */
        boolean drained;

        SamplePicture expected;

        /** By sequence, with how many others it may be fused, and how many of these a guard leaves out. */
        final int[] references = new int[2];

        final int[] dropped = new int[2];
    }

    /** What fusion counts, if a device does not decide what it leaves out. */
    private static FusionCounts expectedCounts(List<Step> steps) {
        FusionCounts counts = FusionCounts.NONE;
        int known = 0;
        for (Step step : steps) {
            int sequences = step.fields ? 2 : 1;
            for (int sequence = 0; sequence < sequences; sequence++) {
                counts = counts.plus(new FusionCounts(0, step.references[sequence], step.dropped[sequence]));
            }
            int before = step.time.ahead() == 0 ? 2 : step.time.ahead();
            known = Math.min((step.cut ? 0 : known) + 1, before);
        }
        return counts.plus(new FusionCounts(known * (steps.get(PICTURES - 1).fields ? 2 : 1), 0, 0));
    }

    /** Returns how many pictures fusion changed. */
    private static int sequence(
            PictureFilter filter,
            Random random,
            PixelFormat format,
            int width,
            int height,
            boolean onDevice,
            String where) {
        SamplePicture scene = SamplePicture.random(
                random, format.bitDepth(), format.chroma(), width + 2 * AROUND, height + 2 * AROUND);
        int noise = (1 + random.nextInt(12)) << (format.bitDepth() - 8);
        int speed = random.nextInt(3) * random.nextInt(5);
        int light = random.nextInt(3) == 0 ? 1 + random.nextInt(4) : 0;
        int threshold = 20 + random.nextInt(random.nextBoolean() ? 200 : 740);
        int column = random.nextInt(3) == 0 ? random.nextInt(8) : 0;
        int row = random.nextInt(3) == 0 ? random.nextInt(8) : 0;
        boolean interlaced = random.nextInt(3) == 0;
        int ahead = random.nextInt(TimeParameters.MOST_AHEAD + 1);
        List<Step> steps = new ArrayList<>();
        for (int i = 0; i < PICTURES; i++) {
            Step step = new Step();
            step.forgets = random.nextInt(8) == 0;
            step.drained = random.nextInt(8) == 0;
            step.decoded = look(scene, random, width, height, speed * i, noise, light * i);
            if (random.nextInt(5) == 0) {
                cover(step.decoded, random);
            }
            if (random.nextInt(12) == 0) {
                ahead = random.nextInt(TimeParameters.MOST_AHEAD + 1);
            }
            int strength = random.nextInt(7) == 0 ? 0 : threshold;
            // None, that of shrinkage, or more than shrinkage changes enough for.
            int chroma = new int[] {0, strength / 2, strength / 2, Math.min(768, 10 * strength)}[random.nextInt(4)];
            step.time = new TimeParameters(
                    strength, chroma, random.nextInt(4) > 0 ? 40 + random.nextInt(60) : 0, random.nextBoolean(), ahead);
            step.shrinkage = FilterParameters.shrinkage(new ShrinkageParameters(4, strength, strength / 2, 35));
            step.source = new MappedPicture(MappedPicture.randomLayout(random, format, width, height), random);
            step.destination = new MappedPicture(MappedPicture.randomLayout(random, format, width, height), random);
            step.byFields = interlaced && random.nextInt(6) > 0;
            step.fields = step.byFields
                    && step.source.layout().hasFields()
                    && step.destination.layout().hasFields();
            // No frame knows a field, and none knows a frame.
            step.cut = i == 0
                    || step.forgets
                    || step.fields != steps.get(i - 1).fields
                    || ahead != steps.get(i - 1).time.ahead();
            step.expected = step.decoded.copy();
            steps.add(step);
        }
        int changed = expect(steps, column, row);
        List<PictureRun> runs = new ArrayList<>();
        int inFlight = 3 + random.nextInt(2);
        for (int i = 0; i < inFlight; i++) {
            runs.add(filter.newRun());
        }
        Deque<Begun> begun = new ArrayDeque<>();
        for (int i = 0; i < PICTURES; i++) {
            Step step = steps.get(i);
            if (step.forgets) {
                filter.forgetPast();
            }
            step.source.write(step.decoded);
            if (begun.size() == inFlight) {
                check(begun.removeFirst());
            }
            PicturePlan plan = PicturePlan.fixed(step.shrinkage.withTime(step.time))
                    .deblockingFrom(column, row)
                    .byFields(step.byFields);
            PictureRun run = runs.get(i % inFlight);
            run.begin(step.source, step.destination, plan);
            begun.addLast(new Begun(
                    run, step.source, step.destination, step.expected, where + ", picture " + i + ", " + step.time));
            if (step.drained) {
                begun.forEach(TimeSequencesTest::check);
                begun.clear();
            }
        }
        begun.forEach(TimeSequencesTest::check);
        FusionCounts expected = expectedCounts(steps);
        FusionCounts found = filter.fusion();
        boolean tells = found.dropped() != FusionCounts.UNKNOWN;
        assertEquals(onDevice && expected.references() > 0, !tells, where);
        assertEquals(
                tells ? expected : new FusionCounts(expected.held(), expected.references(), FusionCounts.UNKNOWN),
                found,
                where);
        return changed;
    }

    /** Computes what is expected of each picture. Returns how many fusion changes. */
    private static int expect(List<Step> steps, int column, int row) {
        int changed = 0;
        for (int sequence = 0; sequence < 2; sequence++) {
            List<SamplePicture> shrunk = new ArrayList<>();
            List<SamplePicture> fused = new ArrayList<>();
            for (Step step : steps) {
                SamplePicture own = step.fields ? step.decoded.field(sequence) : step.decoded;
                shrunk.add(ReferenceFilters.apply(own, step.shrinkage, column, row));
            }
            for (int i = 0; i < steps.size(); i++) {
                Step step = steps.get(i);
                TimeParameters time = step.time;
                List<ReferenceTime.Reference> references = new ArrayList<>();
                int before = time.ahead() == 0 ? 2 : time.ahead();
                for (int r = i; r > 0 && i - r < before && !steps.get(r).cut; r--) {
                    references.add(new ReferenceTime.Reference(
                            shrunk.get(r - 1),
                            fused.get(r - 1),
                            steps.get(r - 1).time.comb()));
                }
                for (int r = i + 1; r < steps.size() && r - i <= time.ahead(); r++) {
                    if (steps.get(r).cut || steps.get(r - 1).drained) {
                        break;
                    }
                    references.add(new ReferenceTime.Reference(
                            shrunk.get(r), shrunk.get(r), steps.get(r).time.comb()));
                }
                step.references[sequence] = references.size();
                step.dropped[sequence] = time.threshold() == 0
                        ? 0
                        : references.size()
                                - ReferenceTime.kept(shrunk.get(i), references, time.threshold(), time.comb());
                fused.add(ReferenceTime.apply(
                        shrunk.get(i),
                        step.fields ? step.decoded.field(sequence) : step.decoded,
                        references,
                        time.threshold(),
                        time.chromaThreshold(),
                        time.comb(),
                        time.combs(),
                        column,
                        row));
                if (step.fields) {
                    step.expected.setField(sequence, fused.get(i));
                } else {
                    step.expected = fused.get(i);
                }
                changed += differs(shrunk.get(i), fused.get(i)) ? 1 : 0;
            }
        }
        return changed;
    }

    private static boolean differs(SamplePicture one, SamplePicture other) {
        for (int i = 0; i < one.width * one.height; i++) {
            if (one.get(0, i % one.width, i / one.width) != other.get(0, i % one.width, i / one.width)) {
                return true;
            }
        }
        return false;
    }

    /** A part of the scene, some columns further on, with noise, and brighter by quarters of an 8-bit sample. */
    private static SamplePicture look(
            SamplePicture scene, Random random, int width, int height, int further, int noise, int brighter) {
        SamplePicture picture = new SamplePicture(scene.bitDepth, scene.chroma, width, height);
        int most = (1 << scene.bitDepth) - 1;
        int left = further % (2 * AROUND) & -2;
        for (int component = 0; component < picture.components(); component++) {
            int shift = component == 0 || scene.width(component) == scene.width ? left : left / 2;
            for (int y = 0; y < picture.height(component); y++) {
                for (int x = 0; x < picture.width(component); x++) {
                    int value = scene.get(component, x + shift, y)
                            + random.nextInt(2 * noise + 1)
                            - noise
                            + ((brighter << (scene.bitDepth - 8)) >> 2);
                    picture.set(component, x, y, Math.max(0, Math.min(most, value)));
                }
            }
        }
        return picture;
    }

    /** Leaves the left third alone: what matches there does not make up for the rest. */
    private static void cover(SamplePicture picture, Random random) {
        for (int y = 0; y < picture.height; y++) {
            for (int x = picture.width / 3; x < picture.width; x++) {
                picture.set(0, x, y, random.nextInt(1 << picture.bitDepth));
            }
        }
    }

    private static void check(Begun picture) {
        try (MappedPicture destination = picture.destination()) {
            picture.run().finish();
            picture.source().close();
            byte[] found = destination.bytes();
            byte[] wanted = found.clone();
            destination.put(picture.expected(), wanted);
            int difference = Arrays.mismatch(wanted, found);
            if (difference >= 0) {
                fail(picture.where() + ": expected " + (wanted[difference] & 255) + ", got " + (found[difference] & 255)
                        + " in " + destination.describe(difference, picture.expected()));
            }
        }
    }
}
