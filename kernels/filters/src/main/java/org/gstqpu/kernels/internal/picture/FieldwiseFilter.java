/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.picture;

import java.util.Optional;
import java.util.function.IntFunction;
import org.gstqpu.kernels.filter.FusionCounts;
import org.gstqpu.kernels.filter.PictureFilter;
import org.gstqpu.kernels.filter.PicturePlan;
import org.gstqpu.kernels.filter.PictureRun;
import org.gstqpu.kernels.filter.StrengthEstimate;
import org.gstqpu.kernels.internal.memory.PictureKind;
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
    private final PictureKind kind;
    private final IntFunction<FrameFilter> filtersByHeight;
    private final FrameFilter frames;
    private FrameFilter fields;

    /** Number of {@link Run}s so far, and of those that have had a picture by fields. */
    private int runs;

    private int fieldRuns;

    /** The run of {@link #filter}. Null before its first picture. */
    private PictureRun ownRun;

    /** Last plan of a picture by fields. {@link #firstPlan} is the plan of the picture's first field. */
    private PicturePlan pairPlan;

    private PicturePlan firstPlan;

    /** The filter that had the last picture with automatic strength. */
    private FrameFilter estimating;

    /**
     * Makes a filter.
     *
     * @param filtersByHeight makes a filter for pictures of this format, of this width and of the given height
     */
    public FieldwiseFilter(PixelFormat format, int width, int height, IntFunction<FrameFilter> filtersByHeight) {
        kind = new PictureKind("filter", format, width, height);
        this.filtersByHeight = filtersByHeight;
        frames = filtersByHeight.apply(height);
    }

    @Override
    public PictureRun newRun() {
        if (runs == MAX_IN_FLIGHT) {
            throw new IllegalStateException(MAX_IN_FLIGHT + " pictures may be in flight, and no more");
        }
        runs++;
        return new Run(frames.newRun());
    }

    @Override
    public void filter(Picture source, Picture destination, PicturePlan plan) {
        if (ownRun == null) {
            ownRun = newRun();
        }
        ownRun.begin(source, destination, plan);
        ownRun.finish();
    }

    private void estimate(FrameFilter filter, PicturePlan plan) {
        if (plan.isAutomatic()) {
            estimating = filter;
        }
    }

    @Override
    public void forgetPast() {
        frames.forgetPast();
        if (fields != null) {
            fields.forgetPast();
        }
    }

    @Override
    public Optional<StrengthEstimate> estimate() {
        return estimating == null ? Optional.empty() : estimating.estimate();
    }

    @Override
    public FusionCounts fusion() {
        return fields == null ? frames.fusion() : frames.fusion().plus(fields.fusion());
    }

    @Override
    public void close() {
        try {
            frames.close();
        } finally {
            if (fields != null) {
                fields.close();
            }
        }
    }

    /** A run of frames and, after its first picture by fields, two runs of fields. */
    private final class Run implements PictureRun {
        private final PictureRun frame;
        private final Field[] sourceFields = {new Field(), new Field()};
        private final Field[] destinationFields = {new Field(), new Field()};

        /** The run of the upper field. Null before the first picture by fields. */
        private PictureRun first;

        private PictureRun second;

        /** True if the last picture is one of two fields. */
        private boolean byFields;

        private boolean inFlight;

        /** Why the second field did not begin. Null if it did. */
        private RuntimeException failure;

        Run(PictureRun frame) {
            this.frame = frame;
        }

        @Override
        public boolean begin(Picture source, Picture destination, PicturePlan plan) {
            frames.checkUsable();
            finish();
            byFields = plan.byFields()
                    && source.layout().hasFields()
                    && destination.layout().hasFields();
            inFlight = byFields ? beginFields(source, destination, plan) : beginFrame(source, destination, plan);
            return inFlight;
        }

        private boolean beginFrame(Picture source, Picture destination, PicturePlan plan) {
            estimate(frames, plan);
            if (fields != null) {
                fields.forgetPast();
            }
            return frame.begin(source, destination, plan);
        }

        private boolean beginFields(Picture source, Picture destination, PicturePlan plan) {
            // The filter of fields checks the fields, but names their height in its messages.
            kind.check("source", source.memory(), source.layout());
            kind.check("destination", destination.memory(), destination.layout());
            makeFieldRuns();
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
            failure = null;
            // A field knows those of its own rows.
            frames.forgetPast();
            fields.setSequence(0);
            boolean firstFlies = first.begin(sourceFields[0], destinationFields[0], firstPlan);
            try {
                fields.setSequence(1);
                return second.begin(sourceFields[1], destinationFields[1], plan) || firstFlies;
            } catch (RuntimeException e) {
                finishFirst(e);
                if (first.isDone()) {
                    throw e;
                }
                // The first field did not end: finish() asks for it once more.
                failure = e;
                return true;
            }
        }

        private void makeFieldRuns() {
            if (fields == null) {
                fields = filtersByHeight.apply(kind.height() / 2);
            }
            if (second == null) {
                if (fieldRuns == MAX_IN_FLIGHT / 2) {
                    throw new IllegalStateException(fieldRuns + " pictures by fields may be in flight, and no more");
                }
                first = fields.newRun();
                second = fields.newRun();
                fieldRuns++;
            }
        }

        /** Waits for a first field whose second field did not begin. */
        private void finishFirst(RuntimeException failure) {
            try {
                first.finish();
            } catch (RuntimeException e) {
                failure.addSuppressed(e);
            }
        }

        @Override
        public boolean isHandedOver() {
            return inFlight && (byFields ? second : frame).isHandedOver();
        }

        @Override
        public boolean isDone() {
            return !inFlight || (byFields ? first.isDone() && second.isDone() : frame.isDone());
        }

        @Override
        public void finish() {
            if (!inFlight) {
                return;
            }
            try {
                if (byFields) {
                    finishFields();
                } else {
                    frame.finish();
                }
            } finally {
                // What did not end still uses the picture's memories.
                inFlight = !isDone();
            }
        }

        private void finishFields() {
            try {
                first.finish();
            } finally {
                second.finish();
            }
            if (failure != null) {
                throw failure;
            }
        }
    }

    /**
     * One field of a picture that is being begun. Keeps its layout, so that the next picture of the same layout
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
