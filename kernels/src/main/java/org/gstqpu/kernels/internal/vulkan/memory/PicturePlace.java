/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.memory;

import org.gstqpu.kernels.picture.PictureLayout;

/**
 * Where the device finds a picture: the buffers, the byte of each that offsets of the layout count from, and the layout.
 * Mutable, so that a frame allocates nothing; belongs to the context's thread.
 */
public final class PicturePlace {
    /** Words of a column's row. */
    private static final int COLUMN_WORDS = PictureLayout.COLUMN_BYTES / 4;

    private static final int PLANES = 3;

    private long id;
    private final BufferRange[] ranges = new BufferRange[PLANES];
    private boolean apart;
    private long baseBytes;
    private PictureLayout layout;

    /**
     * A picture all of whose planes lie in one buffer.
     *
     * @param id unique among all buffers that the context ever had, since Vulkan may give a handle out again
     */
    public PicturePlace set(long id, BufferRange range, long baseBytes, PictureLayout layout) {
        this.id = id;
        for (int plane = 0; plane < PLANES; plane++) {
            ranges[plane] = range;
        }
        apart = false;
        this.baseBytes = baseBytes;
        this.layout = layout;
        return this;
    }

    /** A picture in imported memory, which may be a buffer for each plane. */
    public PicturePlace set(ImportedMemory memory, PictureLayout layout) {
        set(memory.id(), memory.range(0), memory.baseBytes(), layout);
        for (int plane = 1; plane < layout.format().planes(); plane++) {
            ranges[plane] = memory.range(plane);
            apart |= !ranges[plane].equals(ranges[0]);
        }
        return this;
    }

    public long id() {
        return id;
    }

    /** The whole buffer that a plane lies in. */
    public BufferRange range(int plane) {
        return ranges[plane];
    }

    /** Whether planes lie in buffers of their own. */
    public boolean isApart() {
        return apart;
    }

    public long baseBytes() {
        return baseBytes;
    }

    public PictureLayout layout() {
        return layout;
    }

    /** Index of the word that holds a plane's first sample. */
    public int offsetWords(int plane) {
        return (int) ((baseBytes + layout.offsetBytes(plane)) / 4);
    }

    public int strideWords(int plane) {
        return layout.strideBytes(plane) / 4;
    }

    /** Whether rows are cut into columns. */
    public boolean isInColumns() {
        return layout.isInColumns();
    }

    /** Words between the end of a row of a column and the same row of the next column; 0 where rows are whole. */
    public int columnSkipWords(int plane) {
        return layout.isInColumns() ? layout.columnBytes(plane) / 4 - COLUMN_WORDS : 0;
    }
}
