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
 * Filters pictures of one format and size, each by its {@link PicturePlan}. Made by {@link FilterContext#newPictureFilter}; the
 * caller owns the filter and closes it before the context. Belongs to one thread at a time.
 *
 * <p>{@link #filter} filters a picture and waits for it. {@link #begin} and {@link #finish} do the same in two steps, so that
 * several pictures are in flight on a device.
 *
 * <p><b>Borders of the picture.</b> Deblocking filters a luma edge if four samples on each side of the edge lie in the picture
 * (chroma: two). A picture whose size is no multiple of 16 is filtered as far as its samples go. CDEF treats every sample outside
 * the picture as unavailable. If the right or bottom border cuts a block, CDEF searches the block's direction with the border
 * samples repeated. The result is that of the standards, bit for bit, for sizes that are multiples of 16 (deblocking) and 8
 * (CDEF).
 */
public interface PictureFilter extends AutoCloseable {
    /**
     * Most frames that may have begun and are not finished. Besides them, half as many pictures {@linkplain PicturePlan#byFields by
     * fields} may.
     */
    int MAX_IN_FLIGHT = 16;

    /** Ticket of a picture that was done when {@link #begin} returned. */
    long DONE = 0;

    /**
     * Filters one picture and returns when {@code destination} holds the result. Parameters and exceptions are those of {@link
     * #begin} and {@link #finish}.
     */
    default void filter(Picture source, Picture destination, PicturePlan plan) {
        finish(begin(source, destination, plan));
    }

    /**
     * Begins to filter one picture. A device then works while the caller goes on; the CPU filters the picture before this method
     * returns. Pictures are filtered in the order in which they begin. Nothing is allocated in the steady state.
     *
     * <p>Until the picture {@linkplain #isDone is done}, the caller keeps both memories alive, does not write to the source, and does
     * not move a {@link HostMemory}.
     *
     * <p>If this method throws, no part of the picture is in flight: it has waited for a field that had begun. If that field did not
     * end, this method returns a ticket, and {@link #finish} throws the failure.
     *
     * @param source the picture to filter, of this filter's format and size; only read. Must not overlap {@code destination}
     * @param destination receives the result, of this filter's format and size. Bytes between rows and planes stay as they are
     * @param plan what happens to the picture
     * @return the ticket that {@link #isDone}, {@link #isHandedOver} and {@link #finish} take; {@link #DONE} if the picture is done
     * @throws IllegalArgumentException when a layout is of another format or size; when a memory is too small; when a picture in
     *     a dmabuf meets an {@linkplain DeviceMemory#obstacle obstacle}, or its plan runs no filter; when the parameters of the
     *     plan are for another format or size
     * @throws IllegalStateException when as many pictures as {@link #MAX_IN_FLIGHT} says have begun, were not handed over and were
     *     not finished
     * @throws DeviceException when the device failed; the filter can only be closed then
     */
    long begin(Picture source, Picture destination, PicturePlan plan);

    /**
     * True if the destination may be passed on before the picture is done, to drivers that wait for the fence in its dmabuf. The
     * caller need not {@linkplain #finish finish} such a picture, but keeps its memories until it {@linkplain #isDone is done}.
     */
    boolean isHandedOver(long ticket);

    /**
     * True if the device is done with a picture. {@link #finish} then returns at once. Never waits.
     *
     * @throws DeviceException when the device was lost
     */
    boolean isDone(long ticket);

    /**
     * Returns when the destination of a picture holds the result. Returns at once for a picture that was finished before.
     *
     * @throws DeviceException when the device failed; the filter can only be closed then. If the picture {@linkplain #isDone is
     *     not done} afterwards, the device did not end its work, and may read and write the picture's memories until the process
     *     ends: keep both
     */
    void finish(long ticket);

    /**
     * What automatic strength has found, about up to the last picture that is done. Never waits.
     *
     * @return empty before the first picture whose plan is {@linkplain PicturePlan#automatic automatic}
     */
    Optional<StrengthEstimate> estimate();

    /** Waits for pictures in flight and releases everything that this filter owns. A second call does nothing. */
    @Override
    void close();
}
