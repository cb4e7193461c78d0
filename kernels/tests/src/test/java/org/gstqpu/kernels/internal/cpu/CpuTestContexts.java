/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.cpu;

import org.gstqpu.kernels.filter.FilterContext;
import org.gstqpu.kernels.internal.stage.VectorUse;

/** CPU contexts that do what others do by circumstance. */
public final class CpuTestContexts {
    private CpuTestContexts() {}

    /** A context whose kernels never work in vectors; the caller closes it. */
    public static FilterContext plain(int threads) {
        return new CpuFilterContext(threads, "test", VectorUse.never());
    }

    /** A context whose kernels work in vectors at once; the caller closes it. */
    public static FilterContext inVectors(int threads) {
        return new CpuFilterContext(threads, "test", VectorUse.always());
    }
}
