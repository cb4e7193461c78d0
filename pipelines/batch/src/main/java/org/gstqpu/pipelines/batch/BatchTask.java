/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.batch;

import java.util.List;

/** Work of a plan that one worker does at a time: a {@link Unit}, or a {@link Join} once its segments are done. Immutable. */
sealed interface BatchTask {
    /** What the files of its state begin with; unique in the plan. */
    String id();

    /** The file or address to read. */
    String input();

    /** The file to write, relative to the plan's folder. */
    String output();

    /** What is said of it, with the name of its input, which some messages begin with. */
    default String said(String message) {
        return message.startsWith(input() + ": ") ? message : input() + ": " + message;
    }

    /**
     * A whole input to transcode, or a segment of one. The components are field names of JSON. Immutable.
     *
     * @param id six digits or more
     * @param input an absolute path or an address
     * @param zero the timestamp in nanoseconds that stands for the beginning of the input; null for a whole input
     * @param from timestamp in nanoseconds of the key frame that it begins with; null for the beginning
     * @param to timestamp in nanoseconds of the key frame before which it ends; null for the end
     * @param output the file to write, relative to the plan's folder
     * @param joins the whole that this is a segment of, relative to the plan's folder; null for a whole input
     * @param bytes size of what is read, to weigh units by; 0 if it is unknown
     */
    record Unit(String id, String input, Long zero, Long from, Long to, String output, String joins, long bytes)
            implements BatchTask {
        boolean isSegment() {
            return joins != null;
        }
    }

    /**
     * Segments to put together to one file, with the sound of the input. Immutable.
     *
     * @param segments in the order of their times
     */
    record Join(String id, String input, String output, List<Unit> segments) implements BatchTask {
        /** The join of the segments that begin with this one. */
        static String id(Unit first) {
            return "join-" + first.id();
        }
    }
}
