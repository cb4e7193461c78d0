/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.picture;

import org.gstqpu.kernels.filter.TimeParameters;
import org.gstqpu.kernels.internal.stage.RowFilter;

/** The pictures of a filter that wait for those after them, in each of its sequences. Belongs to the filter. */
public final class LookAhead {
    /** A picture that waits. */
    public interface Waiting {
        /** Ends what is left to do, with the pictures that have begun after it. Called once. */
        void complete();
    }

    private final Waiting[][] waiting = new Waiting[RowFilter.SEQUENCES][TimeParameters.MOST_AHEAD + 1];
    private final int[] counts = new int[RowFilter.SEQUENCES];
    private int ahead;

    /**
     * Sets for how many pictures after them pictures wait from now on.
     *
     * @return true if that has changed: those that waited have ended, and the next picture knows none before it
     */
    public boolean set(int ahead) {
        if (ahead == this.ahead) {
            return false;
        }
        completeAll();
        this.ahead = ahead;
        return true;
    }

    /** True if pictures wait. */
    public boolean waits() {
        return ahead > 0;
    }

    /** Adds a picture that waits, and ends the one for which it is the last. */
    public void add(Waiting picture, int sequence) {
        waiting[sequence][counts[sequence]] = picture;
        counts[sequence]++;
        if (counts[sequence] > ahead) {
            completeFirst(sequence);
        }
    }

    /** Ends the first picture of a sequence that waits. */
    public void completeFirst(int sequence) {
        Waiting first = waiting[sequence][0];
        counts[sequence]--;
        System.arraycopy(waiting[sequence], 1, waiting[sequence], 0, counts[sequence]);
        first.complete();
    }

    /** Ends all pictures that wait. */
    public void completeAll() {
        for (int sequence = 0; sequence < counts.length; sequence++) {
            while (counts[sequence] > 0) {
                completeFirst(sequence);
            }
        }
    }
}
