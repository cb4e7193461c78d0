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
 * @param time true if temporal fusion runs
 */
record RunningFilters(boolean deblock, boolean cdef, int shifts, boolean time) {
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
        if (time) {
            names.add("time");
        }
        return names.isEmpty() ? "none" : String.join("+", names);
    }
}
