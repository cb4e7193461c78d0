/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.quality;

import org.gstqpu.kernels.internal.vulkan.memory.PicturePlace;
import org.gstqpu.kernels.internal.vulkan.quality.layout.FloatLumaGeometry;
import org.gstqpu.kernels.internal.vulkan.work.Commands;
import org.gstqpu.kernels.internal.vulkan.work.KernelPipelines;
import org.gstqpu.kernels.internal.vulkan.work.PushConstants;
import org.gstqpu.kernels.internal.vulkan.work.SubmitSlot;

/**
 * What an extractor gets to record its dispatches.
 *
 * @param pipelines those of the device
 * @param commands where the dispatches go
 * @param slot the slot that is recorded
 * @param firstSet number of the extractor's first descriptor set in that slot
 * @param reference where the reference lies
 * @param picture where the measured picture lies
 * @param resultsAt number of the extractor's first word in the results
 */
record PairRecording(
        KernelPipelines pipelines,
        Commands commands,
        SubmitSlot slot,
        int firstSet,
        PicturePlace reference,
        PicturePlace picture,
        int resultsAt) {
    /** Binds one of the extractor's descriptor sets, numbered as in {@link DeviceExtractor#sets}. */
    void bind(int set) {
        commands.bindDescriptorSet(slot.descriptorSet(firstSet + set));
    }

    /** Binds the kernel with these specialisation constants, and returns where its push constants and its dispatch go. */
    Commands kernel(QualityKernel kernel, int... constants) {
        commands.bindPipeline(pipelines.pipeline(kernel, constants));
        return commands;
    }

    /** Puts where a plane of the reference lies, with which the geometry of every kernel begins that reads it. */
    PushConstants withReference(PushConstants geometry, int plane) {
        return geometry.put(FloatLumaGeometry.REFERENCE_OFFSET, reference.offsetWords(plane))
                .put(FloatLumaGeometry.REFERENCE_STRIDE, reference.strideWords(plane));
    }

    /** Puts where a plane of both pictures lies, with which the geometry of every kernel begins that reads both. */
    PushConstants withPair(PushConstants geometry, int plane) {
        return withReference(geometry, plane)
                .put(FloatLumaGeometry.PICTURE_OFFSET, picture.offsetWords(plane))
                .put(FloatLumaGeometry.PICTURE_STRIDE, picture.strideWords(plane));
    }
}
