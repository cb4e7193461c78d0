/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.stage.deblock;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.gstqpu.kernels.filter.FilterParameters;
import org.gstqpu.kernels.filter.H264DeblockParameters;
import org.gstqpu.kernels.internal.stage.CpuStage;
import org.gstqpu.kernels.internal.stage.FilterStage;
import org.gstqpu.kernels.internal.stage.RowFilter;
import org.gstqpu.kernels.internal.stage.VectorUse;
import org.gstqpu.kernels.internal.vulkan.work.DeviceRuntime;
import org.gstqpu.kernels.picture.PixelFormat;

/** H.264 deblocking. */
public final class Deblock implements RowFilter {
    public static final RowFilter FILTER = new Deblock();

    private Deblock() {}

    @Override
    public String name() {
        return "DEBLOCK";
    }

    @Override
    public FilterStage onDevice(DeviceRuntime runtime, PixelFormat format, int width, int height) {
        return new DeblockStage(runtime, format, width, height);
    }

    @Override
    public CpuStage onCpu(
            PixelFormat format, int width, int height, int threads, VectorUse vectors, AtomicLong scratchBytes) {
        return new DeblockPicture(format, width, height, threads, vectors, scratchBytes);
    }

    @Override
    public boolean hasVectors(PixelFormat format) {
        return format.sampleBytes() == 1 || CompiledAlone.hasOptions();
    }

    @Override
    public FilterParameters usual() {
        return FilterParameters.deblocking(H264DeblockParameters.intra(34, 0, 0, 0, 0, false));
    }

    @Override
    public Optional<FilterParameters> alone(FilterParameters stream) {
        return stream.deblock().filter(deblock -> !deblock.changesNothing()).map(FilterParameters::deblocking);
    }
}
