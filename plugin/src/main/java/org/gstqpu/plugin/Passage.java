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

    /** The filter's number of the picture, or of its first field. */
    private long first;

    /** The filter's number of the second field, 0 where the picture was not begun by fields. */
    private long second;

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
     * Says that a filter works on the picture or, called twice, on its two fields.
     *
     * @param ticket of the picture, the same both times
     * @param number of the picture or the field, which the filter gave
     */
    void begun(long ticket, PictureFilter filter, long number) {
        if (this.ticket == 0) {
            first = number;
            second = 0;
        } else {
            second = number;
        }
        this.ticket = ticket;
        this.filter = filter;
    }

    /** Whether {@link #await} would not wait. The monitor of the imports is held. */
    boolean isDone() {
        return filter == null || (filter.isDone(first) && filter.isDone(second));
    }

    /** Waits for the picture, if the filter works on it. The monitor of the imports is held. */
    void await() {
        PictureFilter working = filter;
        filter = null;
        if (working != null) {
            working.await(first);
            working.await(second);
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
