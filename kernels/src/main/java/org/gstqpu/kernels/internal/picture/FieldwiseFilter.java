/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.picture;

import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.Stream;
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
    /** Pictures by fields that may be in flight: each is two of the filter of fields. */
    static final int MAX_PAIRS = MAX_IN_FLIGHT / 2;

    /** Tickets of frames are those of their filter, doubled; those of pairs of fields are odd. */
    private static final int KINDS = 2;

    private final PictureKind kind;
    private final IntFunction<PictureFilter> filtersByHeight;
    private final Field[] sourceFields = {new Field(), new Field()};
    private final Field[] destinationFields = {new Field(), new Field()};

    private final FieldPair[] pairs =
            Stream.generate(FieldPair::new).limit(MAX_PAIRS).toArray(FieldPair[]::new);
    private long pairsBegun;
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
        int place = freePair();
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
        pairsBegun++;
        FieldPair pair = pairs[place];
        pair.first = first;
        pair.second = second;
        pair.handedOver = fields.isHandedOver(second);
        pair.ticket = KINDS * (pairsBegun * MAX_PAIRS + place) + 1;
        return pair.ticket;
    }

    /** The first pair that another picture may take. Nobody finishes one that was handed over, so that is done here. */
    private int freePair() {
        for (int place = 0; place < MAX_PAIRS; place++) {
            FieldPair pair = pairs[place];
            if (pair.ticket != DONE && pair.handedOver && isDone(pair)) {
                finish(pair);
            }
        }
        for (int place = 0; place < MAX_PAIRS; place++) {
            if (pairs[place].ticket == DONE) {
                return place;
            }
        }
        for (int place = 0; place < MAX_PAIRS; place++) {
            if (pairs[place].handedOver) {
                finish(pairs[place]);
                return place;
            }
        }
        throw new IllegalStateException(MAX_PAIRS + " pictures by fields have begun and none was finished");
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
        return ticket % KINDS != 0;
    }

    /** The fields of the picture with this ticket; null where the picture is done and forgotten. */
    private FieldPair pair(long ticket) {
        FieldPair pair = pairs[(int) Math.floorMod(ticket / KINDS, (long) MAX_PAIRS)];
        return pair.ticket == ticket ? pair : null;
    }

    private boolean isDone(FieldPair pair) {
        return fields.isDone(pair.first) && fields.isDone(pair.second);
    }

    private void finish(FieldPair pair) {
        pair.ticket = DONE;
        try {
            fields.finish(pair.first);
        } finally {
            fields.finish(pair.second);
        }
    }

    @Override
    public boolean isHandedOver(long ticket) {
        if (!isOfFields(ticket)) {
            return frames.isHandedOver(ticket / KINDS);
        }
        FieldPair pair = pair(ticket);
        return pair != null && pair.handedOver;
    }

    @Override
    public boolean isDone(long ticket) {
        if (!isOfFields(ticket)) {
            return frames.isDone(ticket / KINDS);
        }
        FieldPair pair = pair(ticket);
        return pair == null || isDone(pair);
    }

    @Override
    public void finish(long ticket) {
        if (!isOfFields(ticket)) {
            frames.finish(ticket / KINDS);
            return;
        }
        FieldPair pair = pair(ticket);
        if (pair != null) {
            finish(pair);
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

    /** A picture in flight whose fields are filtered by themselves. */
    private static final class FieldPair {
        /** The picture's ticket, {@link #DONE} for none. */
        private long ticket;

        /** Tickets of the filter of fields. */
        private long first;

        private long second;
        private boolean handedOver;
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
