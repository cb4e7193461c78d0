/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.plugin;

import org.gstqpu.kernels.filter.PictureParameters;
import org.gstqpu.kernels.filter.PicturePlan;

/**
 * Makes the plan of each picture from the settings, the stream's caps and the picture's side information. A plan is made anew only
 * when one of these changed. Belongs to the streaming thread.
 */
final class PicturePlans {
    private final ElementSettings settings;
    private boolean interleaved;
    private boolean handOver;
    private boolean inColumns;

    /** The settings that {@link #plan} follows from; null where it has to be made anew. */
    private FilterSettings read;

    private PicturePlan plan;
    private boolean filters;

    /** The plan for pictures with side information; null until the first. */
    private PicturePlan decodedPlan;

    /** The parameters that {@link #decodedPlan} names. */
    private PictureParameters decodedParameters;

    PicturePlans(ElementSettings settings) {
        this.settings = settings;
    }

    /**
     * Takes what the caps say.
     *
     * @param interleaved whether a frame holds two fields of different times
     * @param handOver whether whoever takes the output waits for the fences of its dmabufs
     * @param inColumns whether pictures are cut into columns on either side
     */
    void setCaps(boolean interleaved, boolean handOver, boolean inColumns) {
        this.interleaved = interleaved;
        this.handOver = handOver;
        this.inColumns = inColumns;
        read = null;
    }

    /** The settings that the plans follow; after {@link #current}. */
    FilterSettings settings() {
        return read;
    }

    /** Whether {@link #current} runs a filter. */
    boolean filters() {
        return filters;
    }

    /** The plan for the next picture, unless it has side information. */
    PicturePlan current() {
        FilterSettings now = settings.current();
        if (read == null || !now.equals(read)) {
            read = now;
            plan = finish(make(now));
            decodedPlan = null;
        }
        return plan;
    }

    private PicturePlan make(FilterSettings now) {
        filters = !now.filtersNothing();
        if (!filters && inColumns) {
            // A device reads and writes columns, the CPU does not.
            filters = true;
            return PicturePlan.fixed(StrengthChoice.UNCHANGED);
        }
        if (StrengthChoice.isAutomatic(now)) {
            // What is asked for exactly is a decoder's work, which has frames.
            return PicturePlan.automatic(StrengthChoice.ladder(now)).byFields(interleaved);
        }
        return PicturePlan.fixed(StrengthChoice.fixed(now));
    }

    private PicturePlan finish(PicturePlan begun) {
        return begun.keepingLeft((double) read.splitView() / ElementProperty.Fraction.ONE)
                .handingOver(handOver);
    }

    /** The plan for a picture with side information; after {@link #current}. */
    PicturePlan decoded(PictureParameters parameters) {
        if (decodedPlan == null || decodedParameters != parameters) {
            decodedParameters = parameters;
            decodedPlan = finish(PicturePlan.decoded(parameters));
        }
        return decodedPlan;
    }
}
