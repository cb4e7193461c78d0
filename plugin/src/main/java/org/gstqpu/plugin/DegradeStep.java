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
        if (!settings.is(ElementProperty.DEGRADE)) {
            return steps;
        }
        FilterSettings last = settings;
        if (last.running().time()) {
            last = last.with(ElementProperty.TEMPORAL, Temporal.NONE);
            steps.add(new DegradeStep(Degradation.TIME, last));
        }
        int shifts = last.running().shifts();
        if (shifts > 0
                && settings.get(ElementProperty.SHRINKAGE_THRESHOLD) < 0
                && settings.get(ElementProperty.SHRINKAGE_SHIFTS) < 0) {
            for (int fewer = shifts / 2; fewer >= FEWEST_SHIFTS; fewer /= 2) {
                last = last.with(ElementProperty.SHRINKAGE_SHIFTS, fewer);
                steps.add(new DegradeStep(Degradation.SHIFTS, last));
            }
            last = last.with(ElementProperty.SHRINKAGE, 0);
            steps.add(new DegradeStep(Degradation.SHRINKAGE, last));
        }
        if (last.running().cdef() && !settings.setsCdef()) {
            last = last.with(ElementProperty.CDEF, 0);
            steps.add(new DegradeStep(Degradation.CDEF, last));
        }
        if (last.running().deblock() && !settings.deblocksExactly()) {
            last = last.with(ElementProperty.DEBLOCK, 0);
            steps.add(new DegradeStep(Degradation.DEBLOCK, last));
        }
        return steps;
    }
}
