/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.filter;

import java.util.Optional;

/**
 * What both filters do to a picture: deblocking first, then CDEF on the deblocked picture. Each filter may be absent. Immutable.
 *
 * @param deblock H.264 deblocking; empty for none
 * @param cdef AV1 CDEF; empty for none
 */
public record FilterParameters(Optional<H264DeblockParameters> deblock, Optional<CdefParameters> cdef) {
    /** Deblocking alone. */
    public static FilterParameters deblocking(H264DeblockParameters parameters) {
        return new FilterParameters(Optional.of(parameters), Optional.empty());
    }

    /** CDEF alone. */
    public static FilterParameters cdef(CdefParameters parameters) {
        return new FilterParameters(Optional.empty(), Optional.of(parameters));
    }

    /** The same deblocking, or none, followed by this CDEF. */
    public FilterParameters withCdef(CdefParameters parameters) {
        return new FilterParameters(deblock, Optional.of(parameters));
    }
}
