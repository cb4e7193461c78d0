/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.stage;

import org.gstqpu.kernels.filter.FilterParameters;
import org.gstqpu.kernels.filter.FusionCounts;
import org.gstqpu.kernels.filter.PictureParameters;
import org.gstqpu.kernels.internal.cpu.CpuPictureFilter;
import org.gstqpu.kernels.internal.cpu.work.PictureJob;

/**
 * One filter in the row of a {@link CpuPictureFilter}: it reads the picture that the stage before left, and leaves one. Belongs to the
 * filter's thread, which lets workers take the stage's {@link PictureJob} part by part.
 */
public interface CpuStage extends AutoCloseable {
    /** Lets threads do a job; returns when it is done. */
    interface Workers {
        void run(PictureJob job);
    }

    /**
     * Takes the strength that a caller or a tier gives, for the pictures from now on.
     *
     * @throws IllegalArgumentException if it is for pictures of another size
     */
    void configure(FilterParameters wanted);

    /** Takes what a picture's decoder gives. It must not change until that picture is done. */
    void configure(PictureParameters own);

    /** True if the filter runs, and changes pictures. */
    boolean changesPictures();

    /**
     * Where the stage leaves its picture, in memory of its own. Null if it leaves it wherever it is told to.
     *
     * @param offset where the grid of macroblocks begins in the picture, column | row &lt;&lt; 3
     */
    default CpuPlace ownPlace(int offset) {
        return null;
    }

    /**
     * Filters a picture.
     *
     * @param from the picture that the stage before left; may be {@code decoded}
     * @param decoded the picture before all filters
     * @param to where the picture goes, apart from both: {@link #ownPlace} if there is one
     * @param offset as above
     */
    void run(Workers workers, CpuPlace from, CpuPlace decoded, CpuPlace to, int offset);

    /**
     * Takes what automatic strength has seen in the picture that comes next.
     *
     * @param comb the step of the quantiser on whose comb its coefficients stand, in sixteenths of an 8-bit sample value; 0 if on none
     * @param combs whether those of the last intra picture do
     */
    default void measured(int comb, boolean combs) {}

    /**
     * Ends the first picture of the sequence that waits for those after it, as a {@link #run} did whose strength looks {@linkplain
     * org.gstqpu.kernels.filter.PictureStrength#ahead ahead}: that one left all but what depends on them.
     *
     * @param decoded as it was for that run, like the other two
     */
    default void complete(Workers workers, CpuPlace decoded, CpuPlace to, int offset) {
        throw new IllegalStateException("no picture waits");
    }

    /** The pictures that come next continue this sequence, 0 at first, and know the pictures of no other one. */
    default void setSequence(int sequence) {}

    /** The next picture of each sequence knows nothing of those before. None waits. */
    default void forgetPast() {}

    /** What temporal fusion has done; nothing for another filter. */
    default FusionCounts fusion() {
        return FusionCounts.NONE;
    }

    /** Frees the stage's own memory. */
    @Override
    default void close() {}
}
