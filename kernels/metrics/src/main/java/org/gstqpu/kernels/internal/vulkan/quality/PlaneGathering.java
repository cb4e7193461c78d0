/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.quality;

import java.util.List;
import org.gstqpu.kernels.internal.vulkan.device.MemoryKind;
import org.gstqpu.kernels.internal.vulkan.memory.DeviceBuffer;
import org.gstqpu.kernels.internal.vulkan.memory.ImportedMemory;
import org.gstqpu.kernels.internal.vulkan.memory.PicturePlace;
import org.gstqpu.kernels.internal.vulkan.memory.RowWords;
import org.gstqpu.kernels.internal.vulkan.quality.layout.GatherGeometry;
import org.gstqpu.kernels.internal.vulkan.work.Commands;
import org.gstqpu.kernels.internal.vulkan.work.KernelPipelines;
import org.gstqpu.kernels.internal.vulkan.work.PushConstants;
import org.gstqpu.kernels.internal.vulkan.work.SubmitSlot;
import org.gstqpu.kernels.picture.PictureLayout;

/**
 * Puts one of a meter's two pictures together in the device's own memory where its planes lie in buffers of their own, because the
 * kernels of metrics have one binding for a picture. All recordings of a meter share that memory: the next pair begins when the last one
 * has ended. Belongs to the context's thread.
 */
final class PlaneGathering {
    /** Descriptor sets that it takes in each slot: one a plane. */
    static final int SETS = 3;

    private static final int INVOCATIONS = 128;

    private final ExtractorMemory memory;
    private final PictureLayout layout;
    private final PushConstants geometry = new PushConstants(GatherGeometry.BYTES);
    private final PicturePlace place = new PicturePlace();

    /** The picture put together; null before the first one. */
    private DeviceBuffer gathered;

    /**
     * Takes no memory before the first picture.
     *
     * @param memory what owns that memory
     */
    PlaneGathering(ExtractorMemory memory, PairShape shape) {
        this.memory = memory;
        layout = shape.layout();
    }

    /**
     * Where extractors read a picture: where it lies if its planes lie in one buffer, else where it is put together.
     *
     * @throws org.gstqpu.kernels.substrate.DeviceException when the device has not the memory
     */
    PicturePlace placeOf(PicturePlace picture) {
        if (!picture.isApart()) {
            return picture;
        }
        if (gathered == null) {
            long bytes = ImportedMemory.wordsEndBytes(layout, layout.format().planes() - 1);
            gathered = memory.acquire(MemoryKind.DEVICE, bytes / PairShape.WORD_BYTES);
            place.set(gathered.id(), gathered.range(), 0, layout);
        }
        return place;
    }

    /**
     * Records that a picture is put together in its {@link #placeOf}; nothing if it lies in one buffer. A barrier is needed before and
     * after it.
     *
     * @param firstSet number of the first of {@link #SETS} descriptor sets in the slot
     */
    void record(KernelPipelines pipelines, Commands commands, SubmitSlot slot, int firstSet, PicturePlace picture) {
        if (!picture.isApart()) {
            return;
        }
        commands.bindPipeline(pipelines.pipeline(QualityKernel.GATHER, INVOCATIONS));
        for (int plane = 0; plane < layout.format().planes(); plane++) {
            slot.writeDescriptors(firstSet + plane, List.of(picture.range(plane), gathered.range()));
            commands.bindDescriptorSet(slot.descriptorSet(firstSet + plane));
            int rowWords = RowWords.words(layout.format(), plane, layout.width());
            commands.push(geometry.put(GatherGeometry.PLANE_OFFSET, picture.offsetWords(plane))
                    .put(GatherGeometry.PLANE_STRIDE, picture.strideWords(plane))
                    .put(GatherGeometry.GATHERED_OFFSET, place.offsetWords(plane))
                    .put(GatherGeometry.GATHERED_STRIDE, place.strideWords(plane))
                    .put(GatherGeometry.ROW_WORDS, rowWords));
            commands.dispatch(Commands.groups(rowWords, INVOCATIONS), layout.rows(plane), 1);
        }
    }
}
