/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.gstqpu.kernels.picture.HostMemory;
import org.gstqpu.kernels.picture.Picture;
import org.gstqpu.kernels.picture.PictureLayout;
import org.lwjgl.system.MemoryUtil;

/**
 * Finds by how many pictures one video begins later than another: the shift whose pictures differ least. Looks at every fourth sample
 * of luma of some pictures. Stateless.
 */
final class PictureShift {
    /** Pictures that are compared for each shift. */
    private static final int COMPARED = 24;

    private static final int STEP = 4;

    private PictureShift() {}

    /**
     * The shift between two videos of one size and format.
     *
     * @param most the largest shift that is tried, both ways, in pictures
     * @return how many pictures of {@code reference} (positive) or {@code distorted} (negative) are left out at the beginning
     */
    static int find(String distorted, String reference, Optional<Conversion> conversion, int most) {
        List<short[]> ofDistorted = begin(distorted, conversion, most);
        List<short[]> ofReference = begin(reference, Optional.empty(), most);
        int best = 0;
        double least = Double.POSITIVE_INFINITY;
        for (int distance = 0; distance <= most; distance++) {
            for (int shift : distance == 0 ? new int[] {0} : new int[] {distance, -distance}) {
                double difference = difference(ofDistorted, ofReference, shift);
                if (difference < least) {
                    least = difference;
                    best = shift;
                }
            }
        }
        return best;
    }

    private static List<short[]> begin(String video, Optional<Conversion> conversion, int most) {
        List<short[]> pictures = new ArrayList<>();
        try (Video reader = Videos.open(video, conversion)) {
            for (Optional<Picture> next = reader.next();
                    next.isPresent() && pictures.size() < COMPARED + most;
                    next = reader.next()) {
                pictures.add(sample(next.get()));
            }
        }
        return pictures;
    }

    private static short[] sample(Picture picture) {
        PictureLayout layout = picture.layout();
        int bytes = layout.format().sampleBytes();
        int across = (layout.width() + STEP - 1) / STEP;
        int down = (layout.height() + STEP - 1) / STEP;
        short[] samples = new short[across * down];
        for (int y = 0; y < down; y++) {
            long row = ((HostMemory) picture.memory()).address()
                    + layout.offset0Bytes()
                    + (long) y * STEP * layout.stride0Bytes();
            for (int x = 0; x < across; x++) {
                long at = row + (long) x * STEP * bytes;
                // Eight of ten bits as well: the two videos may have different depths.
                samples[y * across + x] = (short)
                        (bytes == 1
                                ? MemoryUtil.memGetByte(at) & 0xff
                                : MemoryUtil.memGetShort(at) >> (layout.format().bitDepth() - Byte.SIZE));
            }
        }
        return samples;
    }

    /** Mean squared difference of the pictures that both have; infinite if there are too few to tell. */
    private static double difference(List<short[]> distorted, List<short[]> reference, int shift) {
        int firstDistorted = Math.max(0, -shift);
        int firstReference = Math.max(0, shift);
        int count = Math.min(COMPARED, Math.min(distorted.size() - firstDistorted, reference.size() - firstReference));
        if (count < 1) {
            return Double.POSITIVE_INFINITY;
        }
        long sum = 0;
        for (int i = 0; i < count; i++) {
            short[] a = distorted.get(firstDistorted + i);
            short[] b = reference.get(firstReference + i);
            for (int j = 0; j < a.length; j++) {
                int difference = a[j] - b[j];
                sum += (long) difference * difference;
            }
        }
        return (double) sum / count;
    }
}
