/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.batch;

import java.util.List;

/**
 * Segments to put together to one file, with the sound of the input. Immutable.
 *
 * @param segments in the order of their times
 */
record BatchJoin(String id, String input, String output, List<BatchUnit> segments) implements BatchTask {
    /** The join of the segments that begin with this one. */
    static String id(BatchUnit first) {
        return "join-" + first.id();
    }
}
