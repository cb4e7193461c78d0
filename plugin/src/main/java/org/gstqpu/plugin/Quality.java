/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.plugin;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * How much time the filters may take: which filters run, and how many shifts shrinkage averages. The constants stand in the order of
 * the property's choices after {@code auto}. Immutable; any thread.
 */
enum Quality {
    /** The time of deblocking and CDEF. */
    FAST(true, true, 0),
    /** What {@code auto} is for live pictures: those that are late would be dropped. Shrinkage needs no deblocking before it. */
    BALANCED(false, true, 4),
    /** What {@code auto} is for pictures that can wait. */
    BEST(false, true, 8);

    private static final List<Quality> ALL = List.of(values());

    private final boolean deblocks;
    private final boolean runsCdef;
    private final int shifts;

    Quality(boolean deblocks, boolean runsCdef, int shifts) {
        this.deblocks = deblocks;
        this.runsCdef = runsCdef;
        this.shifts = shifts;
    }

    /**
     * The quality that the property names.
     *
     * @param choice the property's value, 1 or more; 0 is {@code auto}
     */
    static Quality of(int choice) {
        return ALL.get(choice - 1);
    }

    /** What {@code auto} is. */
    static Quality automatic(boolean live) {
        return live ? BALANCED : BEST;
    }

    /** The filters that run, in words for a user. */
    String description() {
        List<String> filters = new ArrayList<>();
        if (deblocks) {
            filters.add("deblocking");
        }
        if (runsCdef) {
            filters.add(shifts > 0 ? "CDEF in drawings" : "CDEF");
        }
        if (shifts > 0) {
            filters.add("shrinkage with " + shifts + " shifts");
        }
        return String.join(", ", filters);
    }

    /** True if deblocking runs before shrinkage. */
    boolean deblocks() {
        return deblocks;
    }

    /** True if CDEF runs before shrinkage. */
    boolean runsCdef() {
        return runsCdef;
    }

    /** The name of the property's choice. */
    String nick() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** How many shifts shrinkage averages; 0 if it does not run. */
    int shifts() {
        return shifts;
    }
}
