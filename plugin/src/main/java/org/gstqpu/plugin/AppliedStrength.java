/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.plugin;

import java.util.Optional;
import org.gstqpu.kernels.filter.CdefParameters;
import org.gstqpu.kernels.filter.FilterParameters;
import org.gstqpu.kernels.filter.H264DeblockParameters;
import org.gstqpu.kernels.filter.ShrinkageParameters;
import org.gstqpu.kernels.filter.StrengthEstimate;

/**
 * What the filters do to a picture without side information, in numbers: for the property {@code stats}. Immutable.
 *
 * @param running the filters that run
 * @param parameters their strengths
 */
record AppliedStrength(RunningFilters running, FilterParameters parameters) {
    /**
     * What follows from the settings and the pictures.
     *
     * @param settings without invalid values
     * @param estimate what automatic strength has found; empty before the first picture, or if no strength is automatic
     */
    static AppliedStrength of(FilterSettings settings, Optional<StrengthEstimate> estimate) {
        RunningFilters running = settings.running();
        return new AppliedStrength(
                running,
                StrengthChoice.parameters(
                        settings, estimate.map(StrengthEstimate::tier).orElse(0)));
    }

    /** indexA of deblocking for luma; 0 if nothing is deblocked. */
    int alphaIndex() {
        return deblocking().map(H264DeblockParameters::lumaIndexA).orElse(0);
    }

    /** indexB of deblocking for luma; 0 if nothing is deblocked. */
    int betaIndex() {
        return deblocking().map(H264DeblockParameters::lumaIndexB).orElse(0);
    }

    private Optional<H264DeblockParameters> deblocking() {
        // A tier that deblocks nothing has bS 0 everywhere, whatever its indexes are.
        return parameters.deblock().filter(one -> !one.changesNothing());
    }

    /** CDEF's luma strength along the direction; 0 if CDEF does not run. */
    int cdefPrimary() {
        return parameters.cdef().map(one -> one.strengths().get(0).yPrimary()).orElse(0);
    }

    /** CDEF's luma strength across the direction; 0 if CDEF does not run. */
    int cdefSecondary() {
        return parameters.cdef().map(one -> one.strengths().get(0).ySecondary()).orElse(0);
    }

    /** CDEF's damping; 0 if CDEF does not run. */
    int cdefDamping() {
        return parameters.cdef().map(CdefParameters::damping).orElse(0);
    }

    /** Shrinkage's threshold for luma; 0 if shrinkage does not run. */
    int threshold() {
        return parameters.shrinkage().map(ShrinkageParameters::lumaThreshold).orElse(0);
    }

    /** Shrinkage's threshold for chroma; 0 if shrinkage does not run. */
    int chromaThreshold() {
        return parameters.shrinkage().map(ShrinkageParameters::chromaThreshold).orElse(0);
    }
}
