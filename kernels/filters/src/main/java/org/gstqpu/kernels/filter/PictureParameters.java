/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.filter;

import org.gstqpu.kernels.picture.PixelFormat;

/**
 * What a decoder reports of one picture: deblocking first, then CDEF on the deblocked picture. Each filter may be absent.
 *
 * <p>One object serves all pictures of a format and size. For each picture: {@link #clear}, then {@link #deblock} or {@link
 * #deblockByEdge}, then {@link #runCdef}, then {@link PictureRun#begin} with {@link PicturePlan#decoded}. The filter has read
 * the object when {@code begin} returns. Nothing is allocated once deblocking and CDEF have been used. Belongs to one thread at a time.
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

    /** Parameters by which neither filter runs. */
    public PictureParameters(PixelFormat format, int width, int height) {
        this.format = format;
        this.width = width;
        this.height = height;
        cdef = new CdefDecisions(width, height);
    }

    /** Format of the pictures. */
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

    /** Begins another picture: neither filter runs. */
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
     * Deblocks each edge as the returned map says. The caller fills the map.
     *
     * @throws PictureParametersException when the {@linkplain H264EdgeMap#fits format} has no edge maps
     */
    public H264EdgeMap deblockByEdge() {
        if (edges == null) {
            edges = new H264EdgeMap(format, width, height);
        }
        deblocks = true;
        uniform = null;
        return edges;
    }

    /** Runs CDEF as the returned decisions say. The caller fills them. */
    public CdefDecisions runCdef() {
        filters = true;
        return cdef;
    }

    /** True if deblocking runs. */
    public boolean deblocks() {
        return deblocks;
    }

    /** True if deblocking runs and takes the strength of each edge from {@link #edges}. */
    public boolean deblocksByEdge() {
        return deblocks && uniform == null;
    }

    /** The strength of all edges; only if {@link #deblocks} and not {@link #deblocksByEdge}. */
    public H264DeblockParameters uniform() {
        return uniform;
    }

    /** The strength of each edge; only if {@link #deblocksByEdge}. */
    public H264EdgeMap edges() {
        return edges;
    }

    /** True if CDEF runs. */
    public boolean runsCdef() {
        return filters;
    }

    /** What CDEF does; only if {@link #runsCdef}. */
    public CdefDecisions cdef() {
        return cdef;
    }

    /**
     * Checks that these parameters are complete and for pictures of this format and size.
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
