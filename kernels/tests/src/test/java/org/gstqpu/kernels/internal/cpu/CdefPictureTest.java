/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.cpu;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.gstqpu.kernels.MappedPicture;
import org.gstqpu.kernels.RandomSeed;
import org.gstqpu.kernels.ReferenceFilters;
import org.gstqpu.kernels.SamplePicture;
import org.gstqpu.kernels.filter.CdefBlockMap;
import org.gstqpu.kernels.filter.CdefParameters;
import org.gstqpu.kernels.filter.CdefStrength;
import org.gstqpu.kernels.filter.FilterParameters;
import org.gstqpu.kernels.filter.PictureFilter;
import org.gstqpu.kernels.filter.PicturePlan;
import org.gstqpu.kernels.internal.stage.VectorUse;
import org.gstqpu.kernels.picture.PixelFormat;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Parts of a picture that CDEF leaves as they are: tiles without a filtered block, and luma or chroma without a strength. */
class CdefPictureTest {
    private static final int WIDTH = 150;
    private static final int HEIGHT = 140;
    private static final int TILES = 3 * 3;
    private static final int BLOCKS = 19 * 18;

    private static final List<CdefStrength> STRENGTHS = List.of(
            new CdefStrength(1, 0, 0, 0),
            new CdefStrength(0, 1, 0, 0),
            new CdefStrength(0, 0, 3, 0),
            new CdefStrength(0, 0, 0, 2),
            new CdefStrength(0, 0, 0, 0),
            new CdefStrength(4, 2, 2, 1));

    @ParameterizedTest
    @EnumSource
    void whatNoBlockChangesIsCopied(PixelFormat format) throws Exception {
        long seed = RandomSeed.get();
        Random random = new Random(seed);
        for (VectorUse vectors : List.of(VectorUse.never(), VectorUse.always())) {
            try (CpuFilterContext context = new CpuFilterContext(2, "test", vectors);
                    PictureFilter filter = context.newPictureFilter(format, WIDTH, HEIGHT)) {
                for (CdefStrength strength : STRENGTHS) {
                    check(filter, format, random, CdefParameters.uniform(4, strength));
                }
                for (int i = 0; i < 8; i++) {
                    check(filter, format, random, new CdefParameters(4, STRENGTHS, Optional.of(fewBlocks(random))));
                }
            }
        }
    }

    /** A map with a filtered block in some tiles, at any place. */
    private static CdefBlockMap fewBlocks(Random random) {
        byte[] strengths = new byte[TILES];
        for (int i = 0; i < TILES; i++) {
            strengths[i] = (byte) (random.nextInt(STRENGTHS.size() + 1) - 1);
        }
        byte[] filtered = new byte[BLOCKS];
        for (int i = 0; i < TILES; i++) {
            filtered[random.nextInt(BLOCKS)] = 1;
        }
        return new CdefBlockMap(WIDTH, HEIGHT, strengths, filtered);
    }

    private static void check(PictureFilter filter, PixelFormat format, Random random, CdefParameters cdef) {
        SamplePicture samples = SamplePicture.random(random, format.bitDepth(), format.chroma(), WIDTH, HEIGHT);
        FilterParameters parameters = FilterParameters.cdef(cdef);
        try (MappedPicture source =
                        new MappedPicture(MappedPicture.randomLayout(random, format, WIDTH, HEIGHT), random);
                MappedPicture destination =
                        new MappedPicture(MappedPicture.randomLayout(random, format, WIDTH, HEIGHT), random)) {
            source.write(samples);
            byte[] wanted = destination.bytes();
            destination.put(ReferenceFilters.apply(samples, parameters, 0, 0), wanted);
            filter.filter(source, destination, PicturePlan.fixed(parameters));
            assertArrayEquals(wanted, destination.bytes(), () -> format + " " + cdef.strengths());
        }
    }
}
