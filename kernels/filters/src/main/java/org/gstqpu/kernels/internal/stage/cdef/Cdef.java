/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.stage.cdef;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.gstqpu.kernels.filter.CdefParameters;
import org.gstqpu.kernels.filter.CdefStrength;
import org.gstqpu.kernels.filter.FilterParameters;
import org.gstqpu.kernels.internal.stage.CpuStage;
import org.gstqpu.kernels.internal.stage.FilterStage;
import org.gstqpu.kernels.internal.stage.RowFilter;
import org.gstqpu.kernels.internal.stage.VectorUse;
import org.gstqpu.kernels.internal.vulkan.work.DeviceRuntime;
import org.gstqpu.kernels.picture.PixelFormat;

/** AV1 CDEF. */
public final class Cdef implements RowFilter {
    public static final RowFilter FILTER = new Cdef();

    private Cdef() {}

    @Override
    public String name() {
        return "CDEF";
    }

    @Override
    public FilterStage onDevice(DeviceRuntime runtime, PixelFormat format, int width, int height) {
        return new CdefStage(runtime, format, width, height);
    }

    @Override
    public CpuStage onCpu(
            PixelFormat format, int width, int height, int threads, VectorUse vectors, AtomicLong scratchBytes) {
        return new CdefPicture(format, width, height, threads, vectors);
    }

    @Override
    public FilterParameters usual() {
        return FilterParameters.cdef(CdefParameters.uniform(5, new CdefStrength(4, 2, 4, 2)));
    }

    @Override
    public Optional<FilterParameters> alone(FilterParameters stream) {
        return stream.cdef()
                .filter(cdef -> !cdef.changesNothing())
                // A map of blocks is for pictures of one size.
                .map(cdef -> FilterParameters.cdef(
                        CdefParameters.uniform(cdef.damping(), cdef.strengths().get(0))));
    }
}
