/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.stage.plane;

import static org.lwjgl.system.MemoryUtil.memPutInt;

import org.gstqpu.kernels.internal.stage.DeviceStage;
import org.gstqpu.kernels.internal.stage.ParameterRoom;
import org.gstqpu.kernels.internal.stage.PlanePass;
import org.gstqpu.kernels.internal.stage.StagePicture;
import org.gstqpu.kernels.internal.stage.StageRecording;
import org.gstqpu.kernels.internal.vulkan.layout.KeptColumns;
import org.gstqpu.kernels.internal.vulkan.work.KernelPipelines;
import org.gstqpu.kernels.picture.PixelFormat;

/** Puts the left part of the unfiltered picture back, over what the filters made of it. */
public final class KeepStage implements DeviceStage {
    private final PlanePass pass;
    private final PixelFormat format;

    public KeepStage(KernelPipelines pipelines, PixelFormat format) {
        pass = new PlanePass(pipelines, format);
        this.format = format;
    }

    @Override
    public int formBits() {
        return 1;
    }

    @Override
    public int form(StagePicture picture) {
        return picture.keptColumns() > 0 ? 1 : 0;
    }

    /** Over what was done since the picture waited. */
    @Override
    public boolean completes() {
        return true;
    }

    @Override
    public int sets() {
        return 1;
    }

    @Override
    public boolean makesPicture() {
        return false;
    }

    @Override
    public int parameterBytes() {
        return KeptColumns.BYTES;
    }

    @Override
    public void write(StagePicture picture, ParameterRoom room) {
        for (int plane = 0; plane < format.planes(); plane++) {
            memPutInt(
                    room.address() + KeptColumns.KEPT_BYTES + (long) plane * KeptColumns.KEPT_BYTES_STEP,
                    format.planeRowSamples(plane, picture.keptColumns()) * format.sampleBytes());
        }
    }

    @Override
    public void record(StageRecording at, int form) {
        at.commands().bindDescriptorSet(at.set(0, PlanePass.bindings(at.decoded(), at.destination(), at.parameters())));
        pass.recordKeepLeft(at.commands(), at.decoded(), at.destination());
    }
}
