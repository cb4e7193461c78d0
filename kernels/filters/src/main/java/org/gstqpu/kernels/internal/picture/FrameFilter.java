/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.picture;

import java.util.Optional;
import org.gstqpu.kernels.filter.FusionCounts;
import org.gstqpu.kernels.filter.PictureFilter;
import org.gstqpu.kernels.filter.PictureRun;
import org.gstqpu.kernels.filter.StrengthEstimate;

/**
 * Filters pictures of one format and size on one substrate, each as one frame, whatever {@link
 * org.gstqpu.kernels.filter.PicturePlan#byFields} says. What a {@link PictureFilter} is made of. Belongs to one thread at a time.
 */
public interface FrameFilter extends AutoCloseable {
    /**
     * Makes a run, which lives as long as this filter.
     *
     * @throws IllegalStateException when the filter has {@link PictureFilter#MAX_IN_FLIGHT} runs
     */
    PictureRun newRun();

    /**
     * Throws if no picture can begin.
     *
     * @throws IllegalStateException when the filter is closed
     * @throws org.gstqpu.kernels.substrate.DeviceException when the device has failed
     */
    void checkUsable();

    /**
     * The pictures that begin from now on continue this sequence, and know the pictures of no other one.
     *
     * @param sequence 0, as at first, or 1: the upper and the lower fields are sequences
     */
    void setSequence(int sequence);

    /** As {@link PictureFilter#forgetPast}, of all sequences. */
    void forgetPast();

    /** As {@link PictureFilter#estimate}. */
    Optional<StrengthEstimate> estimate();

    /** As {@link PictureFilter#fusion}. */
    FusionCounts fusion();

    /** Waits for pictures in flight and releases everything that this filter owns. A second call does nothing. */
    @Override
    void close();
}
