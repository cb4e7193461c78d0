/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.plugin;

import org.gstqpu.kernels.filter.PictureParameters;
import org.gstqpu.kernels.filter.PicturePlan;

/**
 * Owns the plans of a stream's pictures, made from the settings, the caps and the pictures' side information. A new plan is made
 * only if one of the three has changed. Belongs to the streaming thread.
 */
final class PicturePlans {
    private final ElementSettings settings;
    private boolean interleaved;
    private boolean handOver;
    private boolean inColumns;

    /** The settings that {@link #plan} was made from; null if a new plan has to be made. */
    private FilterSettings read;

    /** The plan for pictures without side information. */
    private PicturePlan plan;

    /** True if {@link #plan} runs a filter. */
    private boolean filters;

    /** The plan for pictures with side information; null before the first such picture. */
    private PicturePlan decodedPlan;

    /** The parameters that {@link #decodedPlan} refers to. */
    private PictureParameters decodedParameters;

    PicturePlans(ElementSettings settings) {
        this.settings = settings;
    }

    /**
     * Adopts what the caps say.
     *
     * @param interleaved true if a frame holds two fields of different times
     * @param handOver true if the next element waits for the fences of the output's dmabufs
     * @param inColumns true if the input's or the output's pictures are cut into columns
     */
    void setCaps(boolean interleaved, boolean handOver, boolean inColumns) {
        this.interleaved = interleaved;
        this.handOver = handOver;
        this.inColumns = inColumns;
        read = null;
    }

    /** The settings that the plans are made from; valid after {@link #current}. */
    FilterSettings settings() {
        return read;
    }

    /** True if the plan that {@link #current} returned runs a filter. */
    boolean filters() {
        return filters;
    }

    /** The plan for the next picture if it has no side information. */
    PicturePlan current() {
        FilterSettings now = settings.current();
        if (!now.equals(read)) {
            plan = finish(make(now), now);
            decodedPlan = null;
            read = now;
        }
        return plan;
    }

    private PicturePlan make(FilterSettings now) {
        filters = !RunningFilters.of(now).none();
        if (!filters && inColumns) {
            // Only a device can read and write columns, so the picture has to run through a filter to be copied.
            filters = true;
            return PicturePlan.fixed(StrengthChoice.UNCHANGED);
        }
        if (StrengthChoice.isAutomatic(now)) {
            // Exact strengths are what a decoder would apply, and a decoder filters frames. So only automatic strength
            // works by fields.
            return PicturePlan.automatic(StrengthChoice.ladder(now)).byFields(interleaved);
        }
        return PicturePlan.fixed(StrengthChoice.fixed(now));
    }

    private PicturePlan finish(PicturePlan begun, FilterSettings now) {
        return begun.keepingLeft((double) now.splitView() / ElementProperty.SPLIT_VIEW_PARTS)
                .handingOver(handOver);
    }

    /** The plan for a picture with side information; called after {@link #current}. */
    PicturePlan decoded(PictureParameters parameters) {
        if (decodedPlan == null || decodedParameters != parameters) {
            decodedParameters = parameters;
            decodedPlan = finish(PicturePlan.decoded(parameters), read);
        }
        return decodedPlan;
    }
}
