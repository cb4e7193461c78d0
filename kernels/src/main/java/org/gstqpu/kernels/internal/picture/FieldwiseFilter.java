/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.picture;

import java.util.Optional;
import java.util.function.IntFunction;
import org.gstqpu.kernels.filter.PictureFilter;
import org.gstqpu.kernels.filter.PicturePlan;
import org.gstqpu.kernels.filter.StrengthEstimate;
import org.gstqpu.kernels.picture.Picture;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PictureMemory;
import org.gstqpu.kernels.picture.PixelFormat;

/**
 * Filters frames, and where a plan says so the two fields of a frame by themselves. Owns a filter of frames and, once a picture
 * by fields has come, one of fields: a stream may have both kinds by turns. Belongs to one thread at a time.
 */
public final class FieldwiseFilter implements PictureFilter {
    /** A frame's ticket is that of its filter, doubled; a pair of fields has the odd ticket of its second field. */
    private static final int KINDS = 2;

    private final PictureKind kind;
    private final IntFunction<PictureFilter> filtersByHeight;
    private final Field[] sourceFields = {new Field(), new Field()};
    private final Field[] destinationFields = {new Field(), new Field()};

    /** By a field's ticket modulo its length: the ticket of the first field of that picture. */
    private final long[] firstFields = new long[MAX_IN_FLIGHT];

    private final PictureFilter frames;
    private PictureFilter fields;

    /** The last plan for a pair of fields, and what it is for the first of them. */
    private PicturePlan pairPlan;

    private PicturePlan firstPlan;

    /** The filter of the last picture with automatic strength. */
    private PictureFilter estimating;

    private boolean closed;

    /**
     * @param filtersByHeight makes a filter for pictures of this format, this width and the given height, which takes no heed of
     *     {@link PicturePlan#byFields}
     */
    public FieldwiseFilter(PixelFormat format, int width, int height, IntFunction<PictureFilter> filtersByHeight) {
        kind = new PictureKind("filter", format, width, height);
        this.filtersByHeight = filtersByHeight;
        frames = filtersByHeight.apply(height);
    }

    @Override
    public long begin(Picture source, Picture destination, PicturePlan plan) {
        if (closed) {
            throw new IllegalStateException("the picture filter is closed");
        }
        kind.check("source", source.memory(), source.layout());
        kind.check("destination", destination.memory(), destination.layout());
        if (plan.byFields()
                && source.layout().hasFields()
                && destination.layout().hasFields()) {
            if (fields == null) {
                fields = filtersByHeight.apply(kind.height() / 2);
            }
            return beginFields(source, destination, plan);
        }
        estimate(frames, plan);
        return KINDS * frames.begin(source, destination, plan);
    }

    private long beginFields(Picture source, Picture destination, PicturePlan plan) {
        for (int field = 0; field < 2; field++) {
            sourceFields[field].set(source, field);
            destinationFields[field].set(destination, field);
        }
        estimate(fields, plan);
        if (!plan.equals(pairPlan)) {
            pairPlan = plan;
            // Only both fields together are a picture that others may have.
            firstPlan = plan.handingOver(false);
        }
        long first = fields.begin(sourceFields[0], destinationFields[0], firstPlan);
        long second;
        try {
            second = fields.begin(sourceFields[1], destinationFields[1], plan);
        } catch (RuntimeException e) {
            finishFirst(first, e);
            throw e;
        }
        if (second == DONE) {
            fields.finish(first);
            return DONE;
        }
        firstFields[(int) (second % MAX_IN_FLIGHT)] = first;
        return KINDS * second + 1;
    }

    /** Waits for a field whose other field did not begin: nobody else knows of it. */
    private void finishFirst(long first, RuntimeException failure) {
        try {
            fields.finish(first);
        } catch (RuntimeException e) {
            failure.addSuppressed(e);
        }
    }

    private void estimate(PictureFilter filter, PicturePlan plan) {
        if (plan.isAutomatic()) {
            estimating = filter;
        }
    }

    private static boolean isOfFields(long ticket) {
        return ticket % KINDS == 1;
    }

    private long firstField(long second) {
        return firstFields[(int) (second % MAX_IN_FLIGHT)];
    }

    @Override
    public boolean isHandedOver(long ticket) {
        long inner = ticket / KINDS;
        return inner != DONE && (isOfFields(ticket) ? fields : frames).isHandedOver(inner);
    }

    @Override
    public boolean isDone(long ticket) {
        long inner = ticket / KINDS;
        if (inner == DONE) {
            return true;
        }
        return isOfFields(ticket) ? fields.isDone(firstField(inner)) && fields.isDone(inner) : frames.isDone(inner);
    }

    @Override
    public void finish(long ticket) {
        long inner = ticket / KINDS;
        if (inner == DONE) {
            return;
        }
        if (isOfFields(ticket)) {
            try {
                fields.finish(firstField(inner));
            } finally {
                fields.finish(inner);
            }
        } else {
            frames.finish(inner);
        }
    }

    @Override
    public Optional<StrengthEstimate> estimate() {
        return estimating == null ? Optional.empty() : estimating.estimate();
    }

    @Override
    public void close() {
        closed = true;
        try {
            frames.close();
        } finally {
            if (fields != null) {
                fields.close();
            }
        }
    }

    /** A field of the picture that is being begun; keeps the layouts, so that another picture like it allocates nothing. */
    private static final class Field implements Picture {
        private PictureMemory memory;
        private PictureLayout frame;
        private PictureLayout layout;

        void set(Picture picture, int field) {
            memory = picture.memory();
            if (!picture.layout().equals(frame)) {
                frame = picture.layout();
                layout = frame.field(field);
            }
        }

        @Override
        public PictureMemory memory() {
            return memory;
        }

        @Override
        public PictureLayout layout() {
            return layout;
        }
    }
}
