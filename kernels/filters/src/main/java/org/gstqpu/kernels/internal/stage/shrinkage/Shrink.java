/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.stage.shrinkage;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.gstqpu.kernels.filter.FilterParameters;
import org.gstqpu.kernels.filter.ShrinkageParameters;
import org.gstqpu.kernels.internal.stage.CpuStage;
import org.gstqpu.kernels.internal.stage.FilterStage;
import org.gstqpu.kernels.internal.stage.RowFilter;
import org.gstqpu.kernels.internal.stage.VectorUse;
import org.gstqpu.kernels.internal.vulkan.work.DeviceRuntime;
import org.gstqpu.kernels.picture.PixelFormat;

/** Overcomplete transform shrinkage. */
public final class Shrink implements RowFilter {
    public static final RowFilter FILTER = new Shrink();

    private Shrink() {}

    @Override
    public String name() {
        return "SHRINKAGE";
    }

    @Override
    public FilterStage onDevice(DeviceRuntime runtime, PixelFormat format, int width, int height) {
        return new ShrinkageStage(runtime, format, width, height);
    }

    @Override
    public CpuStage onCpu(
            PixelFormat format, int width, int height, int threads, VectorUse vectors, AtomicLong scratchBytes) {
        return new ShrinkagePicture(format, width, height, threads, vectors);
    }

    @Override
    public FilterParameters usual() {
        return FilterParameters.shrinkage(new ShrinkageParameters(8, 160, 112, ShrinkageParameters.DEFAULT_BOUND));
    }

    @Override
    public Optional<FilterParameters> alone(FilterParameters stream) {
        return stream.shrinkage()
                .filter(shrinkage -> shrinkage.lumaThreshold() > 0)
                .map(FilterParameters::shrinkage);
    }
}
