/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.plugin;

import java.util.ArrayList;
import java.util.List;

/**
 * One of the steps by which pictures are filtered less, so that they come in time. Immutable; any thread.
 *
 * @param lost what was given up last
 * @param settings the settings that pictures are filtered by at this step
 */
record DegradeStep(Degradation lost, FilterSettings settings) {
    /** Fewest shifts of shrinkage. */
    private static final int FEWEST_SHIFTS = 4;

    /**
     * The steps for these settings, none of which is invalid. The first gives up nothing, and each gives up more than the one before.
     * A filter that was asked for exactly is never given up: deblocking with a quantiser, CDEF with a strength, shrinkage with a
     * threshold or a number of shifts.
     */
    static List<DegradeStep> of(FilterSettings settings) {
        List<DegradeStep> steps = new ArrayList<>();
        steps.add(new DegradeStep(Degradation.NOTHING, settings));
        if (!settings.degrade()) {
            return steps;
        }
        FilterSettings last = settings;
        int shifts = RunningFilters.of(last).shifts();
        if (shifts > 0 && settings.shrinkageThreshold() < 0 && settings.shrinkageShifts() < 0) {
            for (int fewer = shifts / 2; fewer >= FEWEST_SHIFTS; fewer /= 2) {
                last = last.withShifts(fewer);
                steps.add(new DegradeStep(Degradation.SHIFTS, last));
            }
            last = last.running(last.deblock(), last.cdef(), false);
            steps.add(new DegradeStep(Degradation.SHRINKAGE, last));
        }
        if (RunningFilters.of(last).cdef() && !settings.setsCdef()) {
            last = last.running(last.deblock(), false, last.shrinkage());
            steps.add(new DegradeStep(Degradation.CDEF, last));
        }
        if (RunningFilters.of(last).deblock() && !settings.deblocksExactly()) {
            last = last.running(false, last.cdef(), last.shrinkage());
            steps.add(new DegradeStep(Degradation.DEBLOCK, last));
        }
        return steps;
    }
}
