/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.filter;

import org.gstqpu.kernels.picture.PixelFormat;

/**
 * What a {@link PictureFilter} does to one picture, in place of what it is configured for: deblocking first, then CDEF on its
 * result, each of them optional. Made once for pictures of a format and size and filled for one after the other, which
 * allocates nothing once both have been used. A filter has read it when {@link PictureFilter#begin begin} returns. Belongs to
 * one thread at a time.
 */
public final class PictureParameters {
    private final PixelFormat format;
    private final int width;
    private final int height;
    private boolean deblocks;
    private boolean filters;
    private H264DeblockParameters uniform;
    private H264EdgeMap edges;
    private final CdefDecisions cdef;

    /** Parameters that do nothing. */
    public PictureParameters(PixelFormat format, int width, int height) {
        this.format = format;
        this.width = width;
        this.height = height;
        cdef = new CdefDecisions(width, height);
    }

    /** Of the pictures. */
    public PixelFormat format() {
        return format;
    }

    /** Luma samples a row of the pictures. */
    public int width() {
        return width;
    }

    /** Luma rows of the pictures. */
    public int height() {
        return height;
    }

    /** Begins another picture, to which nothing is done so far. */
    public void clear() {
        deblocks = false;
        filters = false;
        uniform = null;
    }

    /** Deblocks with the same strength everywhere. */
    public void deblock(H264DeblockParameters parameters) {
        deblocks = true;
        uniform = parameters;
    }

    /**
     * Deblocks each edge as the map says, which the caller fills.
     *
     * @throws PictureParametersException where pictures are not 8 bit
     */
    public H264EdgeMap deblockByEdge() {
        if (edges == null) {
            edges = new H264EdgeMap(format, width, height);
        }
        deblocks = true;
        uniform = null;
        return edges;
    }

    /** Runs CDEF as the decisions say, which the caller fills. */
    public CdefDecisions runCdef() {
        filters = true;
        return cdef;
    }

    /** Whether deblocking runs. */
    public boolean deblocks() {
        return deblocks;
    }

    /** Whether each edge is deblocked by {@link #edges}, not all by {@link #uniform}. */
    public boolean deblocksByEdge() {
        return deblocks && uniform == null;
    }

    /** The strength of all edges; only where {@link #deblocks} and not {@link #deblocksByEdge}. */
    public H264DeblockParameters uniform() {
        return uniform;
    }

    /** The strength of each edge; only where {@link #deblocksByEdge}. */
    public H264EdgeMap edges() {
        return edges;
    }

    /** Whether CDEF runs. */
    public boolean runsCdef() {
        return filters;
    }

    /** What CDEF does; only where {@link #runsCdef}. */
    public CdefDecisions cdef() {
        return cdef;
    }

    /**
     * Checks that these are for a filter's pictures.
     *
     * @throws IllegalArgumentException when they are not
     */
    public void checkFor(PixelFormat format, int width, int height) {
        if (this.format != format || this.width != width || this.height != height) {
            throw new IllegalArgumentException("this filter is for " + format + " " + width + "x" + height
                    + ", the parameters are for " + this.format + " " + this.width + "x" + this.height);
        }
        if (filters && cdef.count() == 0) {
            throw new IllegalArgumentException("a frame has 1 to 8 strengths, given none");
        }
    }
}
