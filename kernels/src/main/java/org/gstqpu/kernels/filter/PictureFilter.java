/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.filter;

import java.util.Optional;
import org.gstqpu.kernels.picture.DeviceMemory;
import org.gstqpu.kernels.picture.HostMemory;
import org.gstqpu.kernels.picture.Picture;
import org.gstqpu.kernels.substrate.DeviceException;

/**
 * Filters pictures of one format and size, one after the other, each by its {@link PicturePlan}. Made and owned by a {@link
 * FilterContext}'s user; belongs to one thread at a time and is closed before its context.
 *
 * <p><b>Edges of the picture.</b> Deblocking filters a luma edge where the four samples on each of its sides lie in
 * the picture (chroma: two), so a picture cropped to a size that is no multiple of 16 is filtered as far as its
 * samples go. CDEF treats every sample outside the picture as unavailable; the direction of a block that is cut by the
 * right or bottom border is searched with the border samples repeated. For sizes that are multiples of 16 (deblocking)
 * and 8 (CDEF) the result is the standards', bit for bit.
 */
public interface PictureFilter extends AutoCloseable {
    /**
     * Most frames that may have begun and not been finished. Half as many pictures {@linkplain PicturePlan#byFields by fields} may,
     * besides the frames.
     */
    int MAX_IN_FLIGHT = 16;

    /** The ticket of a picture that was done when {@link #begin} returned. */
    long DONE = 0;

    /**
     * Filters one picture; returns when {@code destination} holds the result. Parameters and exceptions are those of {@link
     * #begin} and {@link #finish}.
     */
    default void filter(Picture source, Picture destination, PicturePlan plan) {
        finish(begin(source, destination, plan));
    }

    /**
     * Begins to filter one picture and returns without waiting for it where the device works by itself. Pictures are
     * filtered in the order in which they began. Both memories, and what a {@link HostMemory} points at, stay as they are
     * until the picture {@linkplain #isDone is done}. Nothing is allocated in the steady state.
     *
     * <p>When an exception is thrown, no part of the picture is in flight: a field that had begun was waited for.
     *
     * @param source of this filter's format and size; read only; must not overlap {@code destination}
     * @param destination of this filter's format and size; bytes outside the planes' samples are left as they are
     * @param plan what happens to the picture
     * @return the ticket that {@link #isDone}, {@link #isHandedOver} and {@link #finish} take; {@link #DONE} where the picture is
     *     done already
     * @throws IllegalArgumentException when a layout is of another format or size, or its memory is too small; when a
     *     picture in a dmabuf meets an {@linkplain DeviceMemory#obstacle obstacle}, or the plan runs no filter for it; when the
     *     plan's parameters are for pictures of another format or size
     * @throws IllegalStateException when as many pictures as {@link #MAX_IN_FLIGHT} says have begun, were not handed over and were
     *     not finished
     * @throws DeviceException when the device failed; the filter can only be closed then
     */
    long begin(Picture source, Picture destination, PicturePlan plan);

    /**
     * Whether the destination of a picture may be passed on before it is done, to those who heed its fences. Such a picture
     * need not be finished; only its memories are kept until {@link #isDone}.
     */
    boolean isHandedOver(long ticket);

    /**
     * Whether the device is done with a picture, so that {@link #finish} does not wait for it; never waits.
     *
     * @throws DeviceException when the device was lost
     */
    boolean isDone(long ticket);

    /**
     * Returns when the destination of a picture holds the result; at once for one that was finished before.
     *
     * @throws DeviceException when the device failed; the filter can only be closed then
     */
    void finish(long ticket);

    /**
     * What automatic strength has found, up to about the last picture that is done; empty before the first picture whose plan is
     * {@linkplain PicturePlan#automatic automatic}. Never waits.
     */
    Optional<StrengthEstimate> estimate();

    /** Releases everything this filter owns, waiting for the device where it must; a second call does nothing. */
    @Override
    void close();
}
