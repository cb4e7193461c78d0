/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.plugin;

import java.util.List;
import java.util.stream.Stream;
import org.gstqpu.kernels.filter.PictureParameters;
import org.gstqpu.kernels.filter.PicturePlan;
import org.gstqpu.kernels.filter.PictureStrength;

/**
 * Owns the plans of a stream's pictures, made from the settings, the caps and the pictures' side information. A new plan is made
 * only if one of the three has changed. Belongs to the streaming thread.
 */
final class PicturePlans {
    private final ElementSettings settings;
    private final boolean onDevice;
    private boolean interleaved;
    private boolean handOver;
    private boolean inColumns;

    /** Whether pictures are awaited; any thread. */
    private volatile boolean prompt;

    /** {@link #prompt} as {@link #plans} were made with it. */
    private boolean madePrompt;

    /** The settings that {@link #plans} were made from; null if new plans have to be made. */
    private FilterSettings read;

    /** By how much pictures may be filtered less. */
    private List<DegradeStep> steps = List.of();

    /** The plans for pictures without side information, one for each of {@link #steps}. */
    private PicturePlan[] plans = {};

    /** {@link #plans} for pictures that are two fields in a stream that has whole ones as well. */
    private PicturePlan[] fieldPlans = {};

    /** True if the plan of the first step runs a filter. */
    private boolean filters;

    /**
     * @param onDevice true if a device filters the pictures
     */
    PicturePlans(ElementSettings settings, boolean onDevice) {
        this.settings = settings;
        this.onDevice = onDevice;
    }

    /**
     * Adopts what the caps say.
     *
     * @param interleaved true if every frame holds two fields of different times
     * @param handOver true if the next element waits for the fences of the output's dmabufs
     * @param inColumns true if the input's or the output's pictures are cut into columns
     */
    void setCaps(boolean interleaved, boolean handOver, boolean inColumns) {
        this.interleaved = interleaved;
        this.handOver = handOver;
        this.inColumns = inColumns;
        read = null;
    }

    /** Adopts whether pictures are awaited: the stream is live, or downstream shows them at their time; any thread. */
    void setPrompt(boolean prompt) {
        this.prompt = prompt;
    }

    /** Adopts the settings in force. Called before each picture. */
    @SuppressWarnings("ReferenceEquality") // Settings that are equal are the same object.
    void update() {
        FilterSettings now = settings.current();
        boolean promptNow = prompt;
        if (now != read || promptNow != madePrompt) {
            madePrompt = promptNow;
            steps = DegradeStep.of(now);
            // Only a device can read and write columns, so that a picture has to run through a filter to be copied.
            filters = inColumns || !now.running().none();
            plans = steps.stream()
                    .map(step -> finish(make(step.settings()), now))
                    .toArray(PicturePlan[]::new);
            fieldPlans = Stream.of(plans)
                    .map(plan -> plan.isAutomatic() ? plan.byFields(true) : plan)
                    .toArray(PicturePlan[]::new);
            read = now;
        }
    }

    /** The settings that the plans are made from. */
    FilterSettings settings() {
        return read;
    }

    /** True if the plans run a filter, as long as nothing is given up. */
    boolean filters() {
        return filters;
    }

    /** True if strength is automatic, as long as nothing is given up. */
    boolean isAutomatic() {
        return plans[0].isAutomatic();
    }

    /** By how much pictures without side information may be filtered less. The first step gives up nothing. */
    List<DegradeStep> steps() {
        return steps;
    }

    /** The plan for a picture without side information. */
    PicturePlan plan(int step) {
        return plans[step];
    }

    /** As {@link #plan}, for a picture that its buffer says to be two fields. */
    PicturePlan fieldPlan(int step) {
        return fieldPlans[step];
    }

    /** True if nothing of a picture without side information is filtered at this step. */
    boolean passes(int step) {
        return steps.get(step).settings().running().none();
    }

    private PicturePlan make(FilterSettings now) {
        if (now.running().none() && filters && (inColumns || onDevice)) {
            // The CPU would copy the picture, and cannot where it lies in a dmabuf.
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
        return begun.keepingLeft(keptLeft(now)).handingOver(handOver).promptly(madePrompt);
    }

    private static double keptLeft(FilterSettings settings) {
        return (double) settings.get(ElementProperty.SPLIT_VIEW) / ElementProperty.SPLIT_VIEW_PARTS;
    }

    /**
     * The plan for a picture with side information; called after {@link #update}.
     *
     * @param parameters what the side information says
     * @param last an earlier plan with side information, which is returned if it still holds; or null
     */
    PicturePlan decoded(PictureParameters parameters, PicturePlan last) {
        if (last != null
                && last.strength() instanceof PictureStrength.Decoded decoded
                && decoded.parameters() == parameters
                && last.keptLeft() == keptLeft(read)
                && last.handOver() == handOver
                && last.prompt() == madePrompt) {
            return last;
        }
        return finish(PicturePlan.decoded(parameters), read);
    }
}
