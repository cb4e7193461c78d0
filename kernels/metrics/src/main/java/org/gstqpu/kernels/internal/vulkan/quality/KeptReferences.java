/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.quality;

import org.gstqpu.kernels.internal.vulkan.device.MemoryKind;
import org.gstqpu.kernels.internal.vulkan.memory.BufferPool;
import org.gstqpu.kernels.internal.vulkan.memory.BufferRange;
import org.gstqpu.kernels.internal.vulkan.memory.DeviceBuffer;
import org.gstqpu.kernels.internal.vulkan.memory.RowWords;
import org.gstqpu.kernels.internal.vulkan.quality.layout.LumaKeepGeometry;
import org.gstqpu.kernels.internal.vulkan.work.Commands;
import org.gstqpu.kernels.internal.vulkan.work.DeviceRuntime;
import org.gstqpu.kernels.internal.vulkan.work.KernelPipelines;
import org.gstqpu.kernels.internal.vulkan.work.PushConstants;
import org.gstqpu.kernels.picture.PictureLayout;

/**
 * Owns copies of the luma of the last reference and of the one before it, rows of whole words one behind the other. What they hold
 * before two references came has no meaning. Belongs to the context's thread.
 */
final class KeptReferences implements AutoCloseable {
    private static final int INVOCATIONS = 128;

    private final BufferPool pool;
    private final KernelPipelines pipelines;
    private final PictureLayout layout;
    private final int rowWords;
    private final DeviceBuffer copies;
    private final PushConstants geometry = new PushConstants(LumaKeepGeometry.BYTES);

    KeptReferences(DeviceRuntime runtime, PairShape shape) {
        pool = runtime.pool();
        pipelines = runtime.pipelines();
        layout = shape.layout();
        rowWords = RowWords.words(shape.format(), 0, shape.width());
        copies = pool.acquire(MemoryKind.DEVICE, 2L * PairShape.WORD_BYTES * rowWords * shape.height());
    }

    /** The last reference, then the one before it. */
    BufferRange range() {
        return copies.range();
    }

    /** Words of a row of them. */
    int rowWords() {
        return rowWords;
    }

    /** Records that the pair's reference becomes the last one. In the descriptor set that is bound, {@link #range} is binding 3. */
    void record(PairRecording recording) {
        Commands commands = recording.commands();
        commands.bindPipeline(pipelines.pipeline(QualityKernel.LUMA_KEEP, INVOCATIONS));
        commands.push(geometry.put(
                        LumaKeepGeometry.REFERENCE_OFFSET, recording.reference().offsetWords(0))
                .put(LumaKeepGeometry.REFERENCE_STRIDE, recording.reference().strideWords(0))
                .put(LumaKeepGeometry.HEIGHT, layout.height())
                .put(LumaKeepGeometry.ROW_WORDS, rowWords));
        commands.dispatch(Commands.groups(rowWords, INVOCATIONS), layout.height(), 1);
    }

    @Override
    public void close() {
        pool.release(copies);
    }
}
