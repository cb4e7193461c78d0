/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.filter;

import java.util.Optional;
import org.gstqpu.kernels.picture.Picture;

/**
 * Filters pictures of one format and size, each by its {@link PicturePlan}. Made by {@link FilterContext#newPictureFilter}; the
 * caller owns the filter and closes it before the context. Belongs to one thread at a time.
 *
 * <p>{@link #filter} filters a picture and waits for it. A {@link PictureRun} does the same in two steps, so that several pictures
 * are in flight on a device, each in a run of its own.
 *
 * <p><b>Borders of the picture.</b> Deblocking filters a luma edge if four samples on each side of the edge lie in the picture
 * (chroma: two). A picture whose size is no multiple of 16 is filtered as far as its samples go. CDEF treats every sample outside
 * the picture as unavailable. If the right or bottom border cuts a block, CDEF searches the block's direction with the border
 * samples repeated. The result is that of the standards, bit for bit, for sizes that are multiples of 16 (deblocking) and 8
 * (CDEF).
 */
public interface PictureFilter extends AutoCloseable {
    /** Most runs of a filter, that of {@link #filter} included. Half as many may have pictures {@linkplain PicturePlan#byFields by fields}. */
    int MAX_IN_FLIGHT = 16;

    /**
     * Makes a run, which lives as long as this filter.
     *
     * @throws IllegalStateException when the filter has {@link #MAX_IN_FLIGHT} runs
     */
    PictureRun newRun();

    /**
     * Filters one picture and returns when {@code destination} holds the result, by a run that this filter keeps. Parameters and
     * exceptions are those of {@link PictureRun#begin} and {@link PictureRun#finish}.
     */
    void filter(Picture source, Picture destination, PicturePlan plan);

    /**
     * Lets the next picture know nothing of those before, and these nothing of it, which temporal fusion would use: after a seek or a gap,
     * or at another scene.
     */
    void forgetPast();

    /**
     * What automatic strength has found, about up to the last picture that is done. Never waits.
     *
     * @return empty before the first picture whose plan is {@linkplain PicturePlan#automatic automatic}
     */
    Optional<StrengthEstimate> estimate();

    /** What temporal fusion has done since this filter was made. Never waits. */
    FusionCounts fusion();

    /** Waits for pictures in flight and releases everything that this filter owns. A second call does nothing. */
    @Override
    void close();
}
