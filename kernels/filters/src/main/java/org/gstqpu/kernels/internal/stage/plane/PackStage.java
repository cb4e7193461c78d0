/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.stage.plane;

import org.gstqpu.kernels.internal.stage.DeviceStage;
import org.gstqpu.kernels.internal.stage.PlanePass;
import org.gstqpu.kernels.internal.stage.StagePicture;
import org.gstqpu.kernels.internal.stage.StageRecording;
import org.gstqpu.kernels.internal.vulkan.work.KernelPipelines;
import org.gstqpu.kernels.picture.PixelFormat;

/**
 * Takes the samples of a picture with three samples in a word apart, or puts three into each word.
 */
public final class PackStage implements DeviceStage {
    private final PlanePass pass;
    private final boolean packs;

    /**
     * @param packs true for the stage that packs the destination, false for the one that unpacks the source
     */
    public PackStage(KernelPipelines pipelines, PixelFormat format, boolean packs) {
        pass = new PlanePass(pipelines, format);
        this.packs = packs;
    }

    @Override
    public int formBits() {
        return 1;
    }

    @Override
    public int form(StagePicture picture) {
        return (packs ? picture.packs() : picture.unpacks()) ? 1 : 0;
    }

    @Override
    public int sets() {
        return 1;
    }

    @Override
    public void record(StageRecording at, int form) {
        at.commands().bindDescriptorSet(at.set(0, PlanePass.bindings(at.source(), at.destination(), at.parameters())));
        if (packs) {
            pass.recordPack(at.commands(), at.source(), at.destination());
        } else {
            pass.recordUnpack(at.commands(), at.source(), at.destination());
        }
    }
}
