/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.quality;

import org.gstqpu.kernels.internal.vulkan.device.MemoryKind;
import org.gstqpu.kernels.internal.vulkan.memory.BufferRange;
import org.gstqpu.kernels.internal.vulkan.memory.DeviceBuffer;
import org.gstqpu.kernels.internal.vulkan.memory.RowWords;
import org.gstqpu.kernels.internal.vulkan.quality.layout.LumaKeepGeometry;
import org.gstqpu.kernels.internal.vulkan.work.Commands;
import org.gstqpu.kernels.internal.vulkan.work.PushConstants;
import org.gstqpu.kernels.picture.PictureLayout;

/**
 * Owns copies of the luma of the last reference and of the one before it, rows of whole words one behind the other. What they hold
 * before two references came has no meaning. Belongs to the context's thread.
 */
final class KeptReferences {
    private static final int INVOCATIONS = 128;

    private final PictureLayout layout;
    private final int rowWords;
    private final DeviceBuffer copies;
    private final PushConstants geometry = new PushConstants(LumaKeepGeometry.BYTES);

    KeptReferences(ExtractorMemory memory, PairShape shape) {
        layout = shape.layout();
        rowWords = RowWords.words(shape.format(), 0, shape.width());
        copies = memory.acquire(MemoryKind.DEVICE, 2L * rowWords * shape.height());
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
        Commands commands = recording.kernel(QualityKernel.LUMA_KEEP, INVOCATIONS);
        commands.push(recording
                .withReference(geometry, 0)
                .put(LumaKeepGeometry.HEIGHT, layout.height())
                .put(LumaKeepGeometry.ROW_WORDS, rowWords));
        commands.dispatch(Commands.groups(rowWords, INVOCATIONS), layout.height(), 1);
    }
}
