package org.gstqpu.plugin;

import org.gstqpu.kernels.filter.PictureFilter;

/**
 * One picture on its way through the filter: owns what holds its two buffers until it is done. Used for one picture after
 * the other, so that none allocates; belongs to the streaming thread and is closed by the element.
 */
final class Passage implements AutoCloseable {
    private final FrameSide input;
    private final FrameSide output;
    private PictureFilter filter;
    private long firstField;
    private long picture;

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

    /**
     * Says that the filter works on the picture, by the number that it gave.
     *
     * @param firstField of the picture's first field, where its fields are pictures to the filter, else 0
     */
    void begun(PictureFilter filter, long firstField, long picture) {
        this.filter = filter;
        this.firstField = firstField;
        this.picture = picture;
    }

    /** Whether {@link #await} would not wait. The monitor of the imports is held. */
    boolean isDone() {
        return filter == null || (filter.isDone(firstField) && filter.isDone(picture));
    }

    /** Waits for the picture, if the filter works on it. The monitor of the imports is held. */
    void await() {
        PictureFilter working = filter;
        filter = null;
        if (working != null) {
            working.await(firstField);
            working.await(picture);
        }
    }

    /** Lets go of the buffers. */
    void release() {
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
