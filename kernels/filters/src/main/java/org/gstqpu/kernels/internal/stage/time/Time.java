/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.stage.time;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.gstqpu.kernels.filter.FilterParameters;
import org.gstqpu.kernels.filter.ShrinkageParameters;
import org.gstqpu.kernels.filter.TimeParameters;
import org.gstqpu.kernels.internal.stage.CpuStage;
import org.gstqpu.kernels.internal.stage.FilterStage;
import org.gstqpu.kernels.internal.stage.RowFilter;
import org.gstqpu.kernels.internal.stage.VectorUse;
import org.gstqpu.kernels.internal.vulkan.work.DeviceRuntime;
import org.gstqpu.kernels.picture.PixelFormat;

/** Temporal fusion. */
public final class Time implements RowFilter {
    public static final RowFilter FILTER = new Time();

    private Time() {}

    @Override
    public String name() {
        return "TIME";
    }

    @Override
    public FilterStage onDevice(DeviceRuntime runtime, PixelFormat format, int width, int height) {
        return new TimeStage(runtime, format, width, height);
    }

    @Override
    public CpuStage onCpu(
            PixelFormat format, int width, int height, int threads, VectorUse vectors, AtomicLong scratchBytes) {
        return new TimePicture(format, width, height, threads, vectors, scratchBytes);
    }

    @Override
    public FilterParameters usual() {
        return FilterParameters.shrinkage(new ShrinkageParameters(8, 0, 0, 0))
                .withTime(new TimeParameters(160, 160, 160, true, 0));
    }

    @Override
    public Optional<FilterParameters> alone(FilterParameters stream) {
        return stream.time()
                .filter(time -> time.threshold() > 0)
                // A picture that waits for those after it is not done when it has run.
                .map(time -> FilterParameters.shrinkage(new ShrinkageParameters(8, 0, 0, 0))
                        .withTime(new TimeParameters(
                                time.threshold(), time.chromaThreshold(), time.comb(), time.combs(), 0)));
    }
}
