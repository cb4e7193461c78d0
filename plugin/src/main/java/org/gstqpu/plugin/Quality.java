/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.plugin;

import java.util.List;
import java.util.Locale;

/**
 * How much time the filters may take, as a number of shifts that shrinkage averages. The constants stand in the order of
 * the property's choices after {@code auto}. Immutable; any thread.
 */
enum Quality {
    /** The time of deblocking and CDEF. */
    FAST(0),
    /** What {@code auto} is for live pictures: those that are late would be dropped. */
    BALANCED(4),
    /** What {@code auto} is for pictures that can wait. */
    BEST(8);

    private static final List<Quality> ALL = List.of(values());

    private final int shifts;

    Quality(int shifts) {
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
        return shifts == 0 ? "deblocking, CDEF" : "CDEF in drawings, shrinkage with " + shifts + " shifts";
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
