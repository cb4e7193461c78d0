/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.plugin;

import org.gstqpu.kernels.filter.PictureFilter;

/**
 * One picture on its way through the filter: owns what holds its two buffers until it is done. Used for one picture after
 * the other, so that none allocates; belongs to the streaming thread and is closed by the element.
 */
final class Passage implements AutoCloseable {
    private final FrameSide input;
    private final FrameSide output;

    /** What C knows the picture by, 0 while none is under way. */
    private long ticket;

    /** What works on the picture; null once it has been awaited. */
    private PictureFilter filter;

    /** The filter's ticket of the picture. */
    private long number;

    Passage(ImportCache imports) {
        input = new FrameSide(GstVideoLibrary.MAP_READ, imports);
        output = new FrameSide(GstVideoLibrary.MAP_WRITE, imports);
    }

    FrameSide input() {
        return input;
    }

    FrameSide output() {
        return output;
    }

    /** The ticket of the picture, 0 where none is under way. */
    long ticket() {
        return ticket;
    }

    /**
     * Says that a filter works on the picture.
     *
     * @param ticket by which C knows the picture
     * @param filter what works on it
     * @param number the filter's own ticket
     */
    void begun(long ticket, PictureFilter filter, long number) {
        this.ticket = ticket;
        this.filter = filter;
        this.number = number;
    }

    /** Whether {@link #await} would not wait; the context's lock is held. */
    boolean isDone() {
        return filter == null || filter.isDone(number);
    }

    /** Waits for the picture, if the filter works on it; the context's lock is held. */
    void await() {
        PictureFilter working = filter;
        filter = null;
        if (working != null) {
            working.finish(number);
        }
    }

    /** Lets go of the buffers: the picture is no longer under way. */
    void release() {
        ticket = 0;
        try {
            output.release();
        } finally {
            input.release();
        }
    }

    @Override
    public void close() {
        try (input) {
            output.close();
        }
    }
}
