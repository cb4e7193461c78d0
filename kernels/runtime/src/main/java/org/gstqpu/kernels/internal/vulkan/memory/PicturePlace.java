/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.memory;

import org.gstqpu.kernels.picture.PictureLayout;

/**
 * Where the device finds a picture: the buffers of its planes, the byte from which the offsets of the layout count, and the
 * layout. Owns nothing. Mutable, so that a frame allocates nothing. Belongs to the context's thread.
 */
public final class PicturePlace {
    /** Words in a row of a column. */
    private static final int COLUMN_WORDS = PictureLayout.COLUMN_BYTES / 4;

    private static final int PLANES = 3;

    private long id;
    private final BufferRange[] ranges = new BufferRange[PLANES];
    private boolean apart;
    private long baseBytes;
    private PictureLayout layout;

    /**
     * Sets this place to a picture whose planes all lie in one buffer. Returns this place.
     *
     * @param id an id that no other buffer of the context ever has; a handle is none, as Vulkan may reuse that of a destroyed
     *     buffer
     * @param baseBytes the byte of the buffer from which the offsets of the layout count
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

    /** Sets this place to a picture in imported memory, whose planes may lie in several buffers. Returns this place. */
    public PicturePlace set(ImportedMemory memory, PictureLayout layout) {
        set(memory.id(), memory.range(0), memory.baseBytes(), layout);
        for (int plane = 1; plane < layout.format().planes(); plane++) {
            ranges[plane] = memory.range(plane);
            apart |= !ranges[plane].equals(ranges[0]);
        }
        return this;
    }

    /** Returns the id of the memory, by which recorded work knows it again. */
    public long id() {
        return id;
    }

    /** Returns the whole buffer in which a plane lies. */
    public BufferRange range(int plane) {
        return ranges[plane];
    }

    /** Returns true if the planes lie in more than one buffer. */
    public boolean isApart() {
        return apart;
    }

    /** Returns the byte of each buffer from which the offsets of the layout count. */
    public long baseBytes() {
        return baseBytes;
    }

    /** Returns the layout. */
    public PictureLayout layout() {
        return layout;
    }

    /** Returns the index of the word that holds the first sample of a plane, in the plane's buffer. */
    public int offsetWords(int plane) {
        return (int) ((baseBytes + layout.offsetBytes(plane)) / 4);
    }

    /** Returns the words from the start of a row to the start of the next row. */
    public int strideWords(int plane) {
        return layout.strideBytes(plane) / 4;
    }

    /** Returns true if the layout stores the picture in columns. */
    public boolean isInColumns() {
        return layout.isInColumns();
    }

    /** Returns the words from the end of a row of a column to the same row of the next column; 0 without columns. */
    public int columnSkipWords(int plane) {
        return layout.isInColumns() ? layout.columnBytes(plane) / 4 - COLUMN_WORDS : 0;
    }
}
