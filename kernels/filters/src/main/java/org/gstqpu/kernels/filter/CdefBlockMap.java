/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.filter;

/** Decisions of an AV1 encoder: the strength entry of each 64x64 block, and which 8x8 blocks are filtered. Immutable. */
public final class CdefBlockMap {
    private final int width;
    private final int height;
    private final byte[] strengthIndex64;
    private final byte[] filtered8;

    /**
     * Copies both maps.
     *
     * @param width luma samples a row of the picture
     * @param height luma rows of the picture
     * @param strengthIndex64 cdef_idx of each 64x64 luma block in raster order; -1 leaves the block unfiltered
     * @param filtered8 an entry for each 8x8 luma block in raster order; 0 leaves its luma and chroma unfiltered
     * @throws IllegalArgumentException when a map does not have one entry for each block
     */
    public CdefBlockMap(int width, int height, byte[] strengthIndex64, byte[] filtered8) {
        this.width = width;
        this.height = height;
        this.strengthIndex64 = strengthIndex64.clone();
        this.filtered8 = filtered8.clone();
        checkLength("64x64", strengthIndex64.length, blocks(width, 64) * blocks(height, 64));
        checkLength("8x8", filtered8.length, blocks(width, 8) * blocks(height, 8));
    }

    private static int blocks(int samples, int blockSamples) {
        return (samples + blockSamples - 1) / blockSamples;
    }

    private static void checkLength(String blockSize, int given, int needed) {
        if (given != needed) {
            throw new IllegalArgumentException(
                    "the picture has " + needed + " blocks of " + blockSize + ", given " + given + " entries");
        }
    }

    void checkIndexes(int strengths) {
        for (byte index : strengthIndex64) {
            if (index < -1 || index >= strengths) {
                throw new IllegalArgumentException(
                        "a 64x64 block has strength index " + index + ", the frame has " + strengths + " strengths");
            }
        }
    }

    /** Luma samples a row of the picture that this map belongs to. */
    public int width() {
        return width;
    }

    /** Luma rows of the picture that this map belongs to. */
    public int height() {
        return height;
    }

    /**
     * Strength entry of the 8x8 luma block in column {@code x8} and row {@code y8} of such blocks; -1 if it stays unfiltered.
     */
    public int strengthIndex(int x8, int y8) {
        if (filtered8[y8 * blocks(width, 8) + x8] == 0) {
            return -1;
        }
        return strengthIndex64[(y8 >> 3) * blocks(width, 64) + (x8 >> 3)];
    }
}
