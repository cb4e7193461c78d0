/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.plugin;

import java.util.ArrayList;
import java.util.List;

/**
 * Which filters run for pictures without side information. {@code docs/PROPERTIES.md} has the rules as a table. Immutable.
 *
 * @param deblock true if H.264 deblocking runs
 * @param cdef true if AV1 CDEF runs
 * @param shifts how many shifts shrinkage averages; 0 if it does not run
 */
record RunningFilters(boolean deblock, boolean cdef, int shifts) {
    /** The filters that run with these settings, of which none is invalid. */
    static RunningFilters of(FilterSettings settings) {
        int shifts = shifts(settings);
        return new RunningFilters(
                // Shrinkage needs no deblocking before it.
                settings.deblock() && (settings.deblocksExactly() || (settings.scalesAboveZero() && shifts == 0)),
                settings.cdef() && (settings.setsCdef() || settings.scalesAboveZero()),
                shifts);
    }

    private static int shifts(FilterSettings settings) {
        if (!settings.shrinkage() || settings.shrinkageThreshold() == 0) {
            return 0;
        }
        int shifts = settings.shrinkageShifts() < 0 ? settings.qualityInForce().shifts() : settings.shrinkageShifts();
        if (settings.shrinkageThreshold() > 0) {
            // A threshold asks for shrinkage by itself, also where the quality would leave it out.
            return shifts == 0 ? Quality.BALANCED.shifts() : shifts;
        }
        boolean exact =
                (settings.deblock() && settings.deblocksExactly()) || (settings.cdef() && settings.setsAllOfCdef());
        return exact || !settings.scalesAboveZero() ? 0 : shifts;
    }

    /** True if no filter runs. */
    boolean none() {
        return !deblock && !cdef && shifts == 0;
    }

    /** The filters in their order, as the property {@code stats} names them. */
    String names() {
        List<String> names = new ArrayList<>();
        if (deblock) {
            names.add("deblock");
        }
        if (cdef) {
            names.add("cdef");
        }
        if (shifts > 0) {
            names.add("shrinkage");
        }
        return names.isEmpty() ? "none" : String.join("+", names);
    }
}
