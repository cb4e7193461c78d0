/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.picture;

import org.gstqpu.kernels.filter.FilterContext;
import org.gstqpu.kernels.filter.PicturePlan;
import org.gstqpu.kernels.picture.Picture;
import org.gstqpu.kernels.picture.PixelFormat;

/**
 * A substrate that is slow until it is warm: the Java virtual machine compiles the CPU's kernels only after they have run for some
 * time. A device needs nothing, for its driver keeps the compiled kernels. No picture depends on any of this. Belongs to the
 * context's thread but for {@link #isWarmingUp} and {@link #warmUpNanos}, which any thread may ask.
 */
public interface WarmingContext {
    /** A context that is always warm. */
    WarmingContext WARM = new WarmingContext() {
        @Override
        public void expect(PixelFormat format, PicturePlan plan) {}

        @Override
        public void rehearse(Picture picture, PicturePlan plan) {}

        @Override
        public boolean isWarmingUp() {
            return false;
        }

        @Override
        public long warmUpNanos() {
            return 0;
        }
    };

    /** What there is for a context: itself, or what does nothing. */
    static WarmingContext of(FilterContext context) {
        return context instanceof WarmingContext warming ? warming : WARM;
    }

    /**
     * Begins to make ready what pictures of this format and plan need, so that the first of them take no longer than the others.
     * Returns at once; threads of the context run the kernels on small pictures of their own until all is ready, or the context is
     * closed. Call it as soon as a format and a plan are likely, and again when they are known.
     */
    void expect(PixelFormat format, PicturePlan plan);

    /**
     * Shows a picture of the stream to what {@link #expect} has begun: a copy of it is filtered in the background. {@link
     * #isWarmingUp} is true until then, for some seconds at most. Returns once the copy is made. Does nothing if a picture of this
     * format was shown before.
     *
     * @param picture in the process's memory
     * @param plan the stream's
     */
    void rehearse(Picture picture, PicturePlan plan);

    /**
     * True while the JVM compiles kernels that were expected, or what a rehearsal shows it: a picture takes many times what later
     * ones will. It lasts some seconds at most.
     */
    boolean isWarmingUp();

    /** Nanoseconds from the opening of the context until all was ready that was expected; 0 until then. */
    long warmUpNanos();
}
