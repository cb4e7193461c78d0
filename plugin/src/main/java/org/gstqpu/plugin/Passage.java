/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.plugin;

import org.gstqpu.kernels.filter.PictureFilter;

/**
 * A picture on its way through the filter: owns the two {@link FrameSide}s that hold its input buffer and its output buffer until it
 * is done. Serves one picture after the other, so that no picture allocates. Belongs to the streaming thread; closed by its {@link
 * PictureStream}.
 */
final class Passage implements AutoCloseable {
    private final FrameSide input;
    private final FrameSide output;

    /** The ticket by which C knows the picture; 0 while no picture is under way. */
    private long ticket;

    /** The filter that works on the picture; null once the picture has been awaited. */
    private PictureFilter filter;

    /** The ticket that {@link #filter} gave to the picture. */
    private long number;

    private boolean keptForEver;

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

    /** The ticket of the picture; 0 if no picture is under way. */
    long ticket() {
        return ticket;
    }

    /**
     * Notes that a filter works on the picture.
     *
     * @param ticket the ticket by which C knows the picture
     * @param filter the filter
     * @param number the ticket that the filter gave to the picture
     */
    void begun(long ticket, PictureFilter filter, long number) {
        this.ticket = ticket;
        this.filter = filter;
        this.number = number;
    }

    /** True if {@link #await} would not wait. Called while {@link ImportCache#contextLock} is held. */
    boolean isDone() {
        return filter == null || filter.isDone(number);
    }

    /**
     * Waits for the picture if the filter works on it. If the device does not end its work, it may use the buffers until the process
     * ends: they are kept for ever then. Called while {@link ImportCache#contextLock} is held.
     */
    void await() {
        PictureFilter working = filter;
        filter = null;
        if (working == null) {
            return;
        }
        try {
            working.finish(number);
        } finally {
            if (!working.isDone(number)) {
                keptForEver = true;
                input.keepForEver();
                output.keepForEver();
            }
        }
    }

    /** Releases the two buffers, unless the device still uses them; the picture is no longer under way. */
    void release() {
        ticket = 0;
        if (keptForEver) {
            return;
        }
        try {
            output.release();
        } finally {
            input.release();
        }
    }

    /** True if the device still uses the buffers, so that this passage takes no other picture. */
    boolean isKeptForEver() {
        return keptForEver;
    }

    @Override
    public void close() {
        if (keptForEver) {
            return;
        }
        try (input) {
            output.close();
        }
    }
}
