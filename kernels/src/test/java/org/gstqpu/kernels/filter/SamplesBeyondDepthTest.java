/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.filter;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Collections;
import java.util.Optional;
import java.util.Random;
import org.gstqpu.kernels.MappedPicture;
import org.gstqpu.kernels.TestSubstrates;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PixelFormat;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.lwjgl.system.MemoryUtil;

/** Samples of 16 bits in a format whose depth is 10. */
class SamplesBeyondDepthTest {
    private static final int WIDTH = 128;
    private static final int HEIGHT = 96;
    private static final PictureLayout LAYOUT = PictureLayout.packed(PixelFormat.I420_10LE, WIDTH, HEIGHT, 4);

    private static final PicturePlan AUTOMATIC = PicturePlan.automatic(new StrengthLadder(Collections.nCopies(
            StrengthTier.ALL.size(),
            new FilterParameters(
                    Optional.empty(), Optional.of(CdefParameters.uniform(4, new CdefStrength(4, 2, 4, 2)))))));

    @ParameterizedTest
    @MethodSource("org.gstqpu.kernels.TestSubstrates#all")
    void automaticStrengthIgnoresTheBitsAboveTheDepth(TestSubstrates.Choice choice) throws Exception {
        long seed = new Random().nextLong();
        System.out.println("SamplesBeyondDepthTest, seed " + seed);
        try (FilterContext context = choice.open();
                PictureFilter wild = context.newPictureFilter(PixelFormat.I420_10LE, WIDTH, HEIGHT);
                PictureFilter tame = context.newPictureFilter(PixelFormat.I420_10LE, WIDTH, HEIGHT);
                MappedPicture source = new MappedPicture(LAYOUT, new Random(seed));
                MappedPicture masked = new MappedPicture(LAYOUT, new Random(seed));
                MappedPicture found = new MappedPicture(LAYOUT, new Random(1));
                MappedPicture wanted = new MappedPicture(LAYOUT, new Random(1))) {
            for (long at = 0; at < LAYOUT.sizeBytes(); at += 2) {
                long sample = masked.memory().address() + at;
                MemoryUtil.memPutShort(sample, (short) (MemoryUtil.memGetShort(sample) & 0x3ff));
            }
            for (int picture = 0; picture < 4; picture++) {
                wild.filter(source, found, AUTOMATIC);
                tame.filter(masked, wanted, AUTOMATIC);
                assertEquals(tame.estimate(), wild.estimate());
            }
            // What such a picture left behind does not reach the next one.
            wild.filter(masked, found, AUTOMATIC);
            tame.filter(masked, wanted, AUTOMATIC);
            assertEquals(tame.estimate(), wild.estimate());
            assertArrayEquals(wanted.bytes(), found.bytes());
        }
    }
}
