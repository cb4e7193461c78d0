/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.filter;

import java.util.Optional;

/**
 * What the filters do to a picture: deblocking first, then CDEF on the deblocked picture, then shrinkage on what CDEF leaves, then
 * temporal fusion. Each filter may be absent. Immutable.
 *
 * @param deblock H.264 deblocking; empty for none
 * @param cdef AV1 CDEF; empty for none
 * @param shrinkage overcomplete transform shrinkage; empty for none
 * @param time temporal fusion, which follows shrinkage; empty for none
 */
public record FilterParameters(
        Optional<H264DeblockParameters> deblock,
        Optional<CdefParameters> cdef,
        Optional<ShrinkageParameters> shrinkage,
        Optional<TimeParameters> time) {
    /** No filter. */
    public static final FilterParameters NONE = new FilterParameters(Optional.empty(), Optional.empty());

    /**
     * @throws IllegalArgumentException when there is temporal fusion without shrinkage
     */
    public FilterParameters {
        if (time.isPresent() && shrinkage.isEmpty()) {
            throw new IllegalArgumentException("temporal fusion needs shrinkage, given none");
        }
    }

    /** Deblocking, CDEF, shrinkage, some of them or none, each picture by itself. */
    public FilterParameters(
            Optional<H264DeblockParameters> deblock,
            Optional<CdefParameters> cdef,
            Optional<ShrinkageParameters> shrinkage) {
        this(deblock, cdef, shrinkage, Optional.empty());
    }

    /** Deblocking, CDEF, both or none, without shrinkage. */
    public FilterParameters(Optional<H264DeblockParameters> deblock, Optional<CdefParameters> cdef) {
        this(deblock, cdef, Optional.empty());
    }

    /** True if a filter runs. */
    public boolean filters() {
        return deblock.isPresent() || cdef.isPresent() || shrinkage.isPresent();
    }

    /** Deblocking alone. */
    public static FilterParameters deblocking(H264DeblockParameters parameters) {
        return new FilterParameters(Optional.of(parameters), Optional.empty());
    }

    /** CDEF alone. */
    public static FilterParameters cdef(CdefParameters parameters) {
        return new FilterParameters(Optional.empty(), Optional.of(parameters));
    }

    /** Shrinkage alone. */
    public static FilterParameters shrinkage(ShrinkageParameters parameters) {
        return new FilterParameters(Optional.empty(), Optional.empty(), Optional.of(parameters));
    }

    /** The same, but with this CDEF. */
    public FilterParameters withCdef(CdefParameters parameters) {
        return new FilterParameters(deblock, Optional.of(parameters), shrinkage, time);
    }

    /** The same, but with this shrinkage. */
    public FilterParameters withShrinkage(ShrinkageParameters parameters) {
        return new FilterParameters(deblock, cdef, Optional.of(parameters), time);
    }

    /** The same, but with this temporal fusion. */
    public FilterParameters withTime(TimeParameters parameters) {
        return new FilterParameters(deblock, cdef, shrinkage, Optional.of(parameters));
    }
}
