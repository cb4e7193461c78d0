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
 * Filters frames; filters the two fields of a frame separately if the plan says so. Owns a filter of frames and, after
 * the first picture by fields, a filter of fields, because a stream may have both kinds of pictures. Belongs to one
 * thread at a time.
 */
public final class FieldwiseFilter implements PictureFilter {
    /** Most pictures by fields that may be in flight. Each takes two places of the filter of fields. */
    static final int MAX_PAIRS = MAX_IN_FLIGHT / 2;

    /**
     * Factor between the tickets of the filter of frames and the tickets here. Tickets of frames are even, tickets of
     * pictures by fields are odd.
     */
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

    /** Last plan of a picture by fields. {@link #firstPlan} is the plan of the picture's first field. */
    private PicturePlan pairPlan;

    private PicturePlan firstPlan;

    /** The filter that had the last picture with automatic strength. */
    private PictureFilter estimating;

    private boolean closed;

    /**
     * Makes a filter.
     *
     * @param filtersByHeight makes a filter for pictures of this format, of this width and of the given height; that
     *     filter ignores {@link PicturePlan#byFields}
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
        if (plan.byFields()
                && source.layout().hasFields()
                && destination.layout().hasFields()) {
            return beginFields(source, destination, plan);
        }
        estimate(frames, plan);
        return KINDS * frames.begin(source, destination, plan);
    }

    private long beginFields(Picture source, Picture destination, PicturePlan plan) {
        // The filter of fields checks the fields, but names their height in its messages.
        kind.check("source", source.memory(), source.layout());
        kind.check("destination", destination.memory(), destination.layout());
        if (fields == null) {
            fields = filtersByHeight.apply(kind.height() / 2);
        }
        int place = freePair();
        for (int field = 0; field < 2; field++) {
            sourceFields[field].set(source, field);
            destinationFields[field].set(destination, field);
        }
        estimate(fields, plan);
        if (!plan.equals(pairPlan)) {
            pairPlan = plan;
            // The first field must not be handed over: only both fields together are a complete picture.
            firstPlan = plan.handingOver(false);
        }
        long first = fields.begin(sourceFields[0], destinationFields[0], firstPlan);
        long second = DONE;
        RuntimeException failure = null;
        try {
            second = fields.begin(sourceFields[1], destinationFields[1], plan);
        } catch (RuntimeException e) {
            finishFirst(first, e);
            if (fields.isDone(first)) {
                throw e;
            }
            // The first field did not end, so the caller gets a ticket, by which to ask for it.
            failure = e;
        }
        if (second == DONE && failure == null) {
            fields.finish(first);
            return DONE;
        }
        pairsBegun++;
        FieldPair pair = pairs[place];
        pair.first = first;
        pair.second = second;
        pair.failure = failure;
        pair.handedOver = fields.isHandedOver(second);
        pair.ticket = KINDS * (pairsBegun * MAX_PAIRS + place) + 1;
        return pair.ticket;
    }

    /** Number of the first free pair. Finishes pairs that were handed over, because nobody else finishes them. */
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

    /** Waits for a first field whose second field did not begin. */
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

    /**
     * The fields of the picture with this ticket. Null if the picture is done and its place is free or has another
     * picture.
     */
    private FieldPair pair(long ticket) {
        FieldPair pair = pairs[(int) Math.floorMod(ticket / KINDS, (long) MAX_PAIRS)];
        return pair.ticket == ticket ? pair : null;
    }

    private boolean isDone(FieldPair pair) {
        return fields.isDone(pair.first) && fields.isDone(pair.second);
    }

    private void finish(FieldPair pair) {
        try {
            fields.finish(pair.first);
        } finally {
            try {
                fields.finish(pair.second);
            } finally {
                // A field that did not end still uses the picture's memories.
                if (isDone(pair)) {
                    pair.ticket = DONE;
                }
            }
        }
        if (pair.failure != null) {
            throw pair.failure;
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

    /** The two fields of a picture in flight. */
    private static final class FieldPair {
        /** Ticket of the picture. {@link #DONE} if there is none. */
        private long ticket;

        /** Ticket of the first field in the filter of fields. */
        private long first;

        private long second;
        private boolean handedOver;

        /** Why the second field did not begin. Null if it did. */
        private RuntimeException failure;
    }

    /**
     * One field of the picture that is being begun. Keeps its layout, so that the next picture of the same layout
     * allocates nothing.
     */
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
