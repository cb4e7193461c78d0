/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.batch;

/** Work of a plan that one worker does at a time: a {@link BatchUnit}, or a {@link BatchJoin} once its segments are done. Immutable. */
sealed interface BatchTask permits BatchUnit, BatchJoin {
    /** What the files of its state begin with; unique in the plan. */
    String id();

    /** The file or address to read. */
    String input();

    /** The file to write, relative to the plan's folder. */
    String output();
}
