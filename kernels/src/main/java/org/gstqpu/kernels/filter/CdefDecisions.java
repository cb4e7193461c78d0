/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.filter;

import static org.lwjgl.system.MemoryUtil.memGetByte;

/**
 * What AV1 CDEF (AV1 specification, 7.15) does to one picture: the damping and strengths of its frame header (5.9.19) and,
 * where the decoder told, which of them holds where. The same as {@link CdefParameters}, but used for one picture after the
 * other without allocation. Belongs to one thread at a time.
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
     * Without strengths yet.
     *
     * @param width luma samples a row of the pictures
     * @param height luma rows
     */
    public CdefDecisions(int width, int height) {
        this.width = width;
        this.height = height;
        this.columns = (width + 7) / 8;
        this.rows = (height + 7) / 8;
    }

    /**
     * Begins another picture, all of whose blocks are filtered with strength 0 until {@link #map}.
     *
     * @param damping CdefDamping, 3..6, unscaled
     * @throws PictureParametersException when it is out of range
     */
    public void begin(int damping) {
        PictureParametersException.checkRange("damping", damping, 3, 6);
        this.damping = damping;
        count = 0;
        mapped = false;
    }

    /**
     * Adds a strength, unscaled, as of {@link CdefStrength}.
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
     * @param sizeBytes of all of them
     * @throws PictureParametersException as {@link #add}, or when there is none, or half of one
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
     * Says which strength holds where, after all of them were added.
     *
     * @param indexAddress cdef_idx, a signed byte a 64x64 luma block in raster order, -1 where it is left alone; 0 for strength
     *     0 everywhere
     * @param indexBytes size of that map
     * @param skipAddress a byte an 8x8 luma block in raster order, not 0 where its luma and chroma are left alone, since all of
     *     it is skip coded (7.15); 0 for none
     * @param skipBytes size of that map
     * @throws PictureParametersException when a map is for another size, or names a strength that there is not
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

    /** The same decisions as {@code parameters}, whose map, where there is one, is of this size. */
    public void set(CdefParameters parameters) {
        begin(parameters.damping());
        for (CdefStrength strength : parameters.strengths()) {
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

    /** How many strengths there are. */
    public int count() {
        return count;
    }

    /**
     * The strengths, {@value #STRENGTH_BYTES} bytes each: luma primary, luma secondary, chroma primary, chroma secondary. To
     * be read; changes with the decisions.
     */
    public byte[] strengths() {
        return table;
    }

    /** Whether there is a map; without one strength 0 holds everywhere. */
    public boolean isMapped() {
        return mapped;
    }

    /** The map: index of the strength + 1, or 0, an 8x8 luma block in raster order. To be read; changes with the decisions. */
    public int[] map() {
        return map;
    }

    /** 8x8 luma blocks of a row. */
    public int columns() {
        return columns;
    }
}
