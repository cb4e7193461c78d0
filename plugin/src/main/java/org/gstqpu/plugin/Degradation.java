/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.plugin;

/** What a picture lost so that it comes in time, in the order in which filters are given up. Immutable; any thread. */
enum Degradation {
    /** The picture was filtered as the settings say. */
    NOTHING,
    /** Temporal fusion did not run. */
    TIME,
    /** Shrinkage averaged fewer shifts. */
    SHIFTS,
    /** Shrinkage did not run. Deblocking, which needs less time, ran in its place if it may. */
    SHRINKAGE,
    /** CDEF did not run either. */
    CDEF,
    /** Deblocking did not run either. */
    DEBLOCK
}
