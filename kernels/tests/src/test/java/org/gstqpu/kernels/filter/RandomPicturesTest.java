/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.filter;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.fail;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.gstqpu.kernels.MappedPicture;
import org.gstqpu.kernels.RandomParameters;
import org.gstqpu.kernels.RandomSeed;
import org.gstqpu.kernels.ReferenceFilters;
import org.gstqpu.kernels.SamplePicture;
import org.gstqpu.kernels.TestSubstrates;
import org.gstqpu.kernels.picture.DeviceMemory;
import org.gstqpu.kernels.picture.HostMemory;
import org.gstqpu.kernels.picture.Picture;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PictureMemory;
import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.kernels.substrate.Substrate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whole pictures of random sizes, layouts and parameters against the specifications' own words. */
@Tag("thorough")
class RandomPicturesTest {
    private static final List<PixelFormat> FORMATS = List.of(PixelFormat.values());
    private static final int PARAMETERS_PER_PICTURE = 3;

    /** Up to eight blocks and a little, so that every place of a border in a block comes up. */
    private static final int SIDE_OF_SMALL = 67;

    /** Side of random pictures of substrates that are fast enough for some large ones. */
    private static final int LARGEST_SIDE = 200;

    private static final int PICTURES_BETWEEN_LARGE = 33;
    private static final int LARGE_WIDTH = 1100;
    private static final int LARGE_HEIGHT = 300;

    /** Parts of the pictures that are left as they are. */
    private static final double[] KEPT = {0, 0, 0, 0.25, 0.37, 0.5, 1};

    @ParameterizedTest
    @MethodSource("org.gstqpu.kernels.TestSubstrates#forRandomPictures")
    void everyFormatSizeAndLayoutEqualsTheSpecification(TestSubstrates.Choice choice) throws Exception {
        long seed = RandomSeed.get();
        try (FilterContext context = choice.open()) {
            for (int i = 0; i < choice.randomPictures(); i++) {
                Random random = new Random(seed + i);
                PixelFormat format = FORMATS.get(random.nextInt(FORMATS.size()));
                boolean small = random.nextInt(3) == 0;
                int width = 1 + random.nextInt(small ? 20 : choice.longestSide());
                int height = 1 + random.nextInt(small ? 20 : choice.longestSide());
                String where = choice + ": " + format + " " + width + "x" + height + ", -Dgstqpu.seed=" + (seed + i);
                try (PictureFilter filter = context.newPictureFilter(format, width, height)) {
                    for (int j = 0; j < PARAMETERS_PER_PICTURE; j++) {
                        FilterParameters parameters = ReferenceFilters.random(random, width, height);
                        check(context, filter, random, parameters, format, width, height, where);
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("org.gstqpu.kernels.TestSubstrates#forRandomPictures")
    void shrinkageOfEveryFormatAndSizeEqualsItsDefinition(TestSubstrates.Choice choice) throws Exception {
        long seed = RandomSeed.get();
        try (FilterContext context = choice.open()) {
            for (int i = 0; i < choice.randomPictures(); i++) {
                Random random = new Random(seed + i);
                PixelFormat format = FORMATS.get(i % FORMATS.size());
                boolean large = choice.longestSide() >= LARGEST_SIDE && i % PICTURES_BETWEEN_LARGE == 0;
                int width = 1 + random.nextInt(large ? LARGE_WIDTH : SIDE_OF_SMALL);
                int height = 1 + random.nextInt(large ? LARGE_HEIGHT : SIDE_OF_SMALL);
                String where = choice + ": " + format + " " + width + "x" + height + ", -Dgstqpu.seed=" + (seed + i);
                try (PictureFilter filter = context.newPictureFilter(format, width, height)) {
                    for (int j = 0; j < PARAMETERS_PER_PICTURE; j++) {
                        FilterParameters parameters = FilterParameters.shrinkage(RandomParameters.shrinkage(random));
                        check(context, filter, random, parameters, format, width, height, where);
                    }
                }
            }
        }
    }

    private static void check(
            FilterContext context,
            PictureFilter filter,
            Random random,
            FilterParameters parameters,
            PixelFormat format,
            int width,
            int height,
            String where) {
        SamplePicture samples = SamplePicture.random(random, format.bitDepth(), format.chroma(), width, height);
        PictureLayout sourceLayout = layout(context, random, format, width, height);
        PictureLayout destinationLayout = layout(context, random, format, width, height);
        int column = random.nextInt(3) == 0 ? random.nextInt(8) : 0;
        int row = random.nextInt(3) == 0 ? random.nextInt(8) : 0;
        boolean byFields = sourceLayout.hasFields()
                && destinationLayout.hasFields()
                && parameters.cdef().flatMap(CdefParameters::blocks).isEmpty()
                && random.nextInt(4) == 0;
        SamplePicture expected = byFields
                ? ReferenceFilters.applyByFields(samples, parameters, column, row)
                : ReferenceFilters.apply(samples, parameters, column, row);
        double kept = KEPT[random.nextInt(KEPT.length)];
        int keptColumns = format.cut(kept, width);
        expected = keepLeft(samples, expected, keptColumns, format.chromaWidth(keptColumns));
        SamplePicture result = expected;
        try (MappedPicture source = new MappedPicture(sourceLayout, random);
                MappedPicture destination = new MappedPicture(destinationLayout, random)) {
            source.write(samples);
            byte[] sourceBefore = source.bytes();
            byte[] wanted = destination.bytes();
            destination.put(result, wanted);
            PicturePlan plan = PicturePlan.fixed(parameters)
                    .deblockingFrom(column, row)
                    .keepingLeft(kept)
                    .byFields(byFields);
            Optional<DeviceMemory> importedSource = imported(context, random, source);
            Optional<DeviceMemory> importedDestination = imported(context, random, destination);
            PictureMemory from = importedSource.isPresent() ? importedSource.get() : source.memory();
            PictureMemory to = importedDestination.isPresent() ? importedDestination.get() : destination.memory();
            filter.filter(Picture.of(from, source.layout()), Picture.of(to, destination.layout()), plan);
            importedSource.ifPresent(DeviceMemory::close);
            importedDestination.ifPresent(DeviceMemory::close);
            assertArrayEquals(sourceBefore, source.bytes(), () -> "the source was written to, " + where);
            byte[] found = destination.bytes();
            int difference = Arrays.mismatch(wanted, found);
            if (difference >= 0) {
                fail(where + ", " + parameters + ", " + kept + " kept, from " + column + "," + row
                        + (byFields ? ", by fields" : "") + ": expected "
                        + (wanted[difference] & 255) + ", got " + (found[difference] & 255) + " in "
                        + destination.describe(difference, result));
            }
        }
    }

    /** The left columns of one picture, so many of luma and of chroma, and the rest of another. */
    private static SamplePicture keepLeft(SamplePicture kept, SamplePicture filtered, int columns, int chromaColumns) {
        SamplePicture both = filtered.copy();
        for (int component = 0; component < both.components(); component++) {
            int end = component == 0 ? columns : chromaColumns;
            for (int y = 0; y < both.height(component); y++) {
                for (int x = 0; x < end; x++) {
                    both.set(component, x, y, kept.get(component, x, y));
                }
            }
        }
        return both;
    }

    private static PictureLayout layout(
            FilterContext context, Random random, PixelFormat format, int width, int height) {
        boolean inColumns = format == PixelFormat.NV12 && context.substrate() == Substrate.QPU;
        boolean packed = format == PixelFormat.P010_10LE && importsHostMemory(context);
        boolean columns = (inColumns || packed) && random.nextInt(3) > 0;
        return columns
                ? MappedPicture.randomColumns(random, format, width, height)
                : MappedPicture.randomLayout(random, format, width, height);
    }

    private static boolean importsHostMemory(FilterContext context) {
        try (MappedPicture picture =
                new MappedPicture(PictureLayout.packed(PixelFormat.GRAY8, 64, 64, 4), new Random(1))) {
            HostMemory memory = picture.memory();
            Optional<DeviceMemory> imported = context.importHost(memory.address(), memory.sizeBytes());
            imported.ifPresent(DeviceMemory::close);
            return imported.isPresent();
        }
    }

    private static Optional<DeviceMemory> imported(FilterContext context, Random random, MappedPicture picture) {
        HostMemory memory = picture.memory();
        // Only a device unpacks, and only where the picture lies.
        boolean imports = picture.layout().isPacked() || random.nextBoolean();
        return imports ? context.importHost(memory.address(), memory.sizeBytes()) : Optional.empty();
    }
}
