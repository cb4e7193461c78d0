/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.filter;

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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Temporal fusion of random sequences, some pictures in flight at a time, against its definition. */
@Tag("thorough")
class TimeSequencesTest {
    private static final List<PixelFormat> FORMATS = List.of(PixelFormat.values());
    private static final int SIDE = 67;
    private static final int PICTURES = 6;
    private static final int IN_FLIGHT = 3;
    private static final int MOST_KNOWN = 2;

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
                    changed += sequence(filter, random, format, width, height, where);
                }
            }
        }
        assertTrue(changed > 0, "no picture was fused with another one, -Dgstqpu.seed=" + seed);
    }

    /** Returns how many pictures fusion changed. */
    private static int sequence(
            PictureFilter filter, Random random, PixelFormat format, int width, int height, String where) {
        SamplePicture scene = SamplePicture.random(
                random, format.bitDepth(), format.chroma(), width + 2 * AROUND, height + 2 * AROUND);
        int noise = (1 + random.nextInt(12)) << (format.bitDepth() - 8);
        int speed = random.nextInt(3) * random.nextInt(5);
        int threshold = 20 + random.nextInt(random.nextBoolean() ? 200 : 740);
        int column = random.nextInt(3) == 0 ? random.nextInt(8) : 0;
        int row = random.nextInt(3) == 0 ? random.nextInt(8) : 0;
        List<PictureRun> runs = new ArrayList<>();
        for (int i = 0; i < IN_FLIGHT; i++) {
            runs.add(filter.newRun());
        }
        Deque<Begun> begun = new ArrayDeque<>();
        List<Deque<ReferenceTime.Reference>> pasts = List.of(new ArrayDeque<>(), new ArrayDeque<>());
        boolean interlaced = random.nextInt(3) == 0;
        boolean lastFields = false;
        int changed = 0;
        for (int i = 0; i < PICTURES; i++) {
            if (random.nextInt(6) == 0) {
                filter.forgetPast();
                pasts.forEach(Deque::clear);
            }
            SamplePicture decoded = look(scene, random, width, height, speed * i, noise);
            if (random.nextInt(4) == 0) {
                cover(decoded, random);
            }
            int strength = random.nextInt(6) == 0 ? 0 : threshold;
            TimeParameters time = new TimeParameters(strength, random.nextInt(3) > 0, random.nextBoolean());
            FilterParameters shrinkage =
                    FilterParameters.shrinkage(new ShrinkageParameters(4, strength, strength / 2, 35));
            MappedPicture source = new MappedPicture(MappedPicture.randomLayout(random, format, width, height), random);
            MappedPicture destination =
                    new MappedPicture(MappedPicture.randomLayout(random, format, width, height), random);
            boolean byFields = interlaced && random.nextInt(5) > 0;
            // Where a picture has no fields, it is filtered as a frame. No frame knows a field, and none knows a frame.
            boolean fields = byFields
                    && source.layout().hasFields()
                    && destination.layout().hasFields();
            if (fields != lastFields) {
                pasts.forEach(Deque::clear);
            }
            lastFields = fields;
            SamplePicture expected = decoded.copy();
            for (int sequence = 0; sequence < (fields ? 2 : 1); sequence++) {
                SamplePicture own = fields ? decoded.field(sequence) : decoded;
                Deque<ReferenceTime.Reference> past = pasts.get(sequence);
                SamplePicture shrunk = ReferenceFilters.apply(own, shrinkage, column, row);
                SamplePicture fused = ReferenceTime.apply(
                        shrunk, own, List.copyOf(past), strength, time.comb(), time.combs(), column, row);
                past.addFirst(new ReferenceTime.Reference(shrunk, fused, time.comb()));
                if (past.size() > MOST_KNOWN) {
                    past.removeLast();
                }
                changed += differs(shrunk, fused) ? 1 : 0;
                if (fields) {
                    expected.setField(sequence, fused);
                } else {
                    expected = fused;
                }
            }
            source.write(decoded);
            if (begun.size() == IN_FLIGHT) {
                check(begun.removeFirst());
            }
            PicturePlan plan = PicturePlan.fixed(shrinkage.withTime(time))
                    .deblockingFrom(column, row)
                    .byFields(byFields);
            PictureRun run = runs.get(i % IN_FLIGHT);
            run.begin(source, destination, plan);
            begun.addLast(new Begun(run, source, destination, expected, where + ", picture " + i + ", " + time));
        }
        begun.forEach(TimeSequencesTest::check);
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

    /** A part of the scene, some columns further on, with noise. */
    private static SamplePicture look(
            SamplePicture scene, Random random, int width, int height, int further, int noise) {
        SamplePicture picture = new SamplePicture(scene.bitDepth, scene.chroma, width, height);
        int most = (1 << scene.bitDepth) - 1;
        int left = further % (2 * AROUND) & -2;
        for (int component = 0; component < picture.components(); component++) {
            int shift = component == 0 || scene.width(component) == scene.width ? left : left / 2;
            for (int y = 0; y < picture.height(component); y++) {
                for (int x = 0; x < picture.width(component); x++) {
                    int value = scene.get(component, x + shift, y) + random.nextInt(2 * noise + 1) - noise;
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
