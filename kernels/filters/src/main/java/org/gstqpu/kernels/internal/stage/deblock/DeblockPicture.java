/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.stage.deblock;

import java.util.concurrent.atomic.AtomicLong;
import org.gstqpu.kernels.filter.FilterParameters;
import org.gstqpu.kernels.filter.H264DeblockParameters;
import org.gstqpu.kernels.filter.PictureParameters;
import org.gstqpu.kernels.internal.stage.CpuPlace;
import org.gstqpu.kernels.internal.stage.CpuStage;
import org.gstqpu.kernels.internal.stage.VectorUse;
import org.gstqpu.kernels.picture.PixelFormat;

/** H.264 deblocking, on a grid of macroblocks that begins with the picture or elsewhere. */
public final class DeblockPicture implements CpuStage {
    private final VectorUse vectors;
    private final AtomicLong scratchBytes;
    private final PixelFormat format;
    private final int width;
    private final int height;
    private final int threads;
    private final H264PictureDeblock deblock;

    /** Null before the first offset that is not 0. */
    private OffsetDeblock offsetDeblock;

    /** The parameters of all macroblocks. Null if each edge has its own, or before the first picture. */
    private H264DeblockParameters uniform;

    private boolean changes;

    public DeblockPicture(
            PixelFormat format, int width, int height, int threads, VectorUse vectors, AtomicLong scratchBytes) {
        this.vectors = vectors;
        this.scratchBytes = scratchBytes;
        this.format = format;
        this.width = width;
        this.height = height;
        this.threads = threads;
        deblock = new H264PictureDeblock(format, width, height, threads, vectors);
    }

    @Override
    public void configure(FilterParameters wanted) {
        changes = wanted.deblock().isPresent() && !wanted.deblock().get().changesNothing();
        if (wanted.deblock().isPresent()) {
            configure(wanted.deblock().get());
        }
    }

    @Override
    public void configure(PictureParameters own) {
        changes = own.deblocks();
        if (own.deblocksByEdge()) {
            uniform = null;
            deblock.configure(own.edges());
        } else if (own.deblocks()) {
            configure(own.uniform());
        }
    }

    private void configure(H264DeblockParameters parameters) {
        uniform = parameters;
        deblock.configure(parameters);
        if (offsetDeblock != null) {
            offsetDeblock.configure(parameters);
        }
    }

    @Override
    public boolean changesPictures() {
        return changes;
    }

    @Override
    public CpuPlace ownPlace(int offset) {
        if (offset == 0) {
            return null;
        }
        if (offsetDeblock == null) {
            offsetDeblock = new OffsetDeblock(format, width, height, threads, vectors, scratchBytes);
            offsetDeblock.configure(uniform);
        }
        return offsetDeblock.place(offset);
    }

    @Override
    public void run(Workers workers, CpuPlace from, CpuPlace decoded, CpuPlace to, int offset) {
        if (offset != 0) {
            offsetDeblock.run(workers, from, offset);
        } else {
            deblock.prepare(from, to, 0, 0);
            workers.run(deblock);
        }
    }

    @Override
    public void close() {
        if (offsetDeblock != null) {
            offsetDeblock.close();
            offsetDeblock = null;
        }
    }
}
