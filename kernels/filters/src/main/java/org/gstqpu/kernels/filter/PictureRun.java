/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.filter;

import org.gstqpu.kernels.picture.DeviceMemory;
import org.gstqpu.kernels.picture.HostMemory;
import org.gstqpu.kernels.picture.Picture;
import org.gstqpu.kernels.substrate.DeviceException;

/**
 * The way of one picture at a time through a {@link PictureFilter}, from {@link #begin} to {@link #finish}. Keeps what a picture
 * needs on its way, so that later pictures make nothing. Made by {@link PictureFilter#newRun}; belongs to the filter and its thread,
 * and ends with the filter. The runs of one filter may have a picture each at the same time.
 */
public interface PictureRun {
    /**
     * Begins to filter one picture. A device then works while the caller goes on; the CPU filters the picture before this method
     * returns. The pictures of a filter are filtered in the order in which they begin. Nothing is allocated in the steady state. If the
     * picture before was not finished, this method first finishes it.
     *
     * <p>A picture whose strength looks {@linkplain PictureStrength#ahead ahead} waits, on the CPU too, until as many pictures of its kind
     * have begun after it in other runs. It ends with those that have begun when one of these begins that it does not know: after
     * {@link PictureFilter#forgetPast}, of another kind (frames, fields), or with another way to look ahead; or when it is {@linkplain #finish finished}.
     *
     * <p>Until the picture {@linkplain #isDone is done}, the caller keeps both memories alive, does not write to the source, and does
     * not move a {@link HostMemory}.
     *
     * <p>If this method throws, no part of the picture is in flight: it has waited for a field that had begun. If that field did not
     * end, this method returns true, and {@link #finish} throws the failure.
     *
     * @param source the picture to filter, of the filter's format and size; only read. Must not overlap {@code destination}
     * @param destination receives the result, of the filter's format and size. Bytes between rows and planes stay as they are
     * @param plan what happens to the picture
     * @return true if the picture is in flight: {@link #finish} follows. False if it is done
     * @throws IllegalArgumentException when a layout is of another format or size; when a memory is too small; when a picture in
     *     a dmabuf meets an {@linkplain DeviceMemory#obstacle obstacle}, or its plan runs no filter; when the parameters of the
     *     plan are for another format or size
     * @throws IllegalStateException when more runs have pictures by fields than {@link PictureFilter#MAX_IN_FLIGHT} says; when the
     *     filter is closed
     * @throws DeviceException when the device failed; the filter can only be closed then
     */
    boolean begin(Picture source, Picture destination, PicturePlan plan);

    /**
     * True if the destination may be passed on before the picture is done, to drivers that wait for the fence in its dmabuf. The
     * caller need not {@linkplain #finish finish} such a picture, but keeps its memories until it {@linkplain #isDone is done}.
     */
    boolean isHandedOver();

    /**
     * True if the device is done with the picture, or if there is none. {@link #finish} then returns at once. Never waits.
     *
     * @throws DeviceException when the device was lost
     */
    boolean isDone();

    /**
     * Returns when the destination of the picture holds the result. Returns at once if no picture is in flight.
     *
     * @throws DeviceException when the device failed; the filter can only be closed then. If the picture {@linkplain #isDone is
     *     not done} afterwards, the device did not end its work, and may read and write the picture's memories until the process
     *     ends: keep both
     */
    void finish();
}
