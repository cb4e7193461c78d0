/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.filter;

import static org.lwjgl.system.MemoryUtil.memGetByte;

import java.util.List;

/**
 * What AV1 CDEF (AV1 specification, 7.15) does to one picture: the damping and the strengths of its frame header (5.9.19), and a
 * map that says which strength each block has. It says the same as {@link CdefParameters}, but one object serves picture after
 * picture without allocation: {@link #begin}, {@link #add} for each strength, then {@link #map} if there is a map. Belongs to one
 * thread at a time.
 */
public final class CdefDecisions {
    /** Most strengths of a frame. */
    public static final int MOST_STRENGTHS = 8;

    /** Bytes of a strength in {@link #strengths}. */
    public static final int STRENGTH_BYTES = 4;

    private final int width;
    private final int height;
    private final int columns;
    private final int rows;
    private final byte[] table = new byte[MOST_STRENGTHS * STRENGTH_BYTES];
    private int damping = 3;
    private int count;
    private boolean mapped;
    private int[] map = new int[0];

    /**
     * Decisions for pictures of one size, without strengths so far.
     *
     * @param width luma samples a row of the pictures
     * @param height luma rows of the pictures
     */
    public CdefDecisions(int width, int height) {
        this.width = width;
        this.height = height;
        this.columns = (width + 7) / 8;
        this.rows = (height + 7) / 8;
    }

    /**
     * Begins another picture. All its blocks have strength entry 0 unless {@link #map} follows.
     *
     * @param damping CdefDamping, 3..6, unscaled
     * @throws PictureParametersException when the damping is out of range
     */
    public void begin(int damping) {
        PictureParametersException.checkRange("damping", damping, 3, 6);
        this.damping = damping;
        count = 0;
        mapped = false;
    }

    /**
     * Adds a strength entry. Values are unscaled, as in {@link CdefStrength}.
     *
     * @throws PictureParametersException when a value is out of range, or there are {@value #MOST_STRENGTHS} already
     */
    public void add(int yPrimary, int ySecondary, int uvPrimary, int uvSecondary) {
        if (count == MOST_STRENGTHS) {
            throw new PictureParametersException("the strengths", "a frame has 1 to 8 strengths, given more");
        }
        if (!isPrimary(yPrimary) || !isPrimary(uvPrimary) || !isSecondary(ySecondary) || !isSecondary(uvSecondary)) {
            throw new PictureParametersException(
                    "the strengths",
                    "strength " + count + " is " + yPrimary + ", " + ySecondary + ", " + uvPrimary + ", " + uvSecondary
                            + "; primary ones, the first and third, are 0..15, the others 0, 1, 2 or 4");
        }
        int at = count * STRENGTH_BYTES;
        table[at] = (byte) yPrimary;
        table[at + 1] = (byte) ySecondary;
        table[at + 2] = (byte) uvPrimary;
        table[at + 3] = (byte) uvSecondary;
        count++;
    }

    private static boolean isPrimary(int strength) {
        return strength >= 0 && strength <= 15;
    }

    private static boolean isSecondary(int strength) {
        return strength == 0 || strength == 1 || strength == 2 || strength == 4;
    }

    /**
     * Adds up to {@value #MOST_STRENGTHS} strengths.
     *
     * @param address four bytes each: luma primary, luma secondary, chroma primary, chroma secondary
     * @param sizeBytes size of all strengths
     * @throws PictureParametersException as {@link #add} does, and when the size is not that of 1 to {@value #MOST_STRENGTHS}
     *     strengths
     */
    public void addAll(long address, long sizeBytes) {
        if (sizeBytes < STRENGTH_BYTES
                || sizeBytes > MOST_STRENGTHS * STRENGTH_BYTES
                || sizeBytes % STRENGTH_BYTES != 0) {
            throw new PictureParametersException(
                    "the strengths", "the strengths have " + sizeBytes + " bytes, 1 to 8 of them have 4 each");
        }
        for (long at = address; at < address + sizeBytes; at += STRENGTH_BYTES) {
            add(memGetByte(at), memGetByte(at + 1), memGetByte(at + 2), memGetByte(at + 3));
        }
    }

    /**
     * Sets the strength entry of each block, after all strengths were added. Reads both maps before it returns.
     *
     * @param indexAddress address of a map of cdef_idx: a signed byte for each 64x64 luma block in raster order, -1 to leave the
     *     block unfiltered. Address 0 stands for entry 0 everywhere
     * @param indexBytes size of the index map
     * @param skipAddress address of a map of skips: a byte for each 8x8 luma block in raster order, not 0 to leave its luma and
     *     chroma unfiltered because all of the block is skip coded (7.15). Address 0 stands for no skips
     * @param skipBytes size of the skip map
     * @throws PictureParametersException when a map is for another size, or names a strength entry that was not added
     */
    public void map(long indexAddress, long indexBytes, long skipAddress, long skipBytes) {
        int columns64 = (width + 63) / 64;
        checkSize("the 64x64 index map", indexAddress, indexBytes, (long) columns64 * ((height + 63) / 64));
        checkSize("the 8x8 skip map", skipAddress, skipBytes, (long) columns * rows);
        if (map.length == 0) {
            map = new int[columns * rows];
        }
        int at = 0;
        for (int row = 0; row < rows; row++) {
            for (int column = 0; column < columns; column++) {
                int index = indexAddress == 0
                        ? 0
                        : memGetByte(indexAddress + (long) (row >> 3) * columns64 + (column >> 3));
                if (index < -1 || index >= count) {
                    throw new PictureParametersException(
                            "the 64x64 index map",
                            "the 64x64 index map has " + index + " for block " + (column >> 3) + " of row " + (row >> 3)
                                    + ", the frame has " + count + " strengths");
                }
                boolean skipped = skipAddress != 0 && memGetByte(skipAddress + at) != 0;
                map[at++] = skipped ? 0 : index + 1;
            }
        }
        mapped = true;
    }

    private void checkSize(String name, long address, long sizeBytes, long neededBytes) {
        if (address != 0 && sizeBytes != neededBytes) {
            throw new PictureParametersException(
                    name,
                    name + " has " + sizeBytes + " bytes, a picture of " + width + "x" + height + " needs "
                            + neededBytes);
        }
    }

    /**
     * Takes over all decisions of {@code parameters}. Allocates nothing, after the first map.
     *
     * @throws IllegalArgumentException when the parameters have a map for another size
     */
    public void set(CdefParameters parameters) {
        begin(parameters.damping());
        List<CdefStrength> strengths = parameters.strengths();
        for (int index = 0; index < strengths.size(); index++) {
            CdefStrength strength = strengths.get(index);
            add(strength.yPrimary(), strength.ySecondary(), strength.uvPrimary(), strength.uvSecondary());
        }
        if (parameters.blocks().isEmpty()) {
            return;
        }
        CdefBlockMap blocks = parameters.blocks().get();
        if (blocks.width() != width || blocks.height() != height) {
            throw new IllegalArgumentException("these are for " + width + "x" + height + ", the block map for "
                    + blocks.width() + "x" + blocks.height());
        }
        if (map.length == 0) {
            map = new int[columns * rows];
        }
        for (int at = 0; at < map.length; at++) {
            map[at] = blocks.strengthIndex(at % columns, at / columns) + 1;
        }
        mapped = true;
    }

    /** CdefDamping, unscaled. */
    public int damping() {
        return damping;
    }

    /** Number of strengths. */
    public int count() {
        return count;
    }

    /**
     * The strengths, {@value #STRENGTH_BYTES} bytes each: luma primary, luma secondary, chroma primary, chroma secondary. The array
     * is this object's own: read it only, and do not keep it past the next change.
     */
    public byte[] strengths() {
        return table;
    }

    /** True if there is a map. Without a map, every block has strength entry 0. */
    public boolean isMapped() {
        return mapped;
    }

    /**
     * The map: for each 8x8 luma block in raster order its strength entry + 1, or 0 to leave it unfiltered. The array is this
     * object's own: read it only, and do not keep it past the next change.
     */
    public int[] map() {
        return map;
    }

    /** Number of 8x8 luma blocks in a row. */
    public int columns() {
        return columns;
    }
}
