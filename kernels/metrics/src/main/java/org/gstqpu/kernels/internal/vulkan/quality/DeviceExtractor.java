/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.quality;

import java.util.List;
import org.gstqpu.kernels.internal.vulkan.memory.BufferRange;
import org.gstqpu.kernels.quality.QualityFigures;

/**
 * Takes the figures of one metric, or of metrics that share their filters, from a pair of pictures. It has working memory on the device
 * until the meter's {@link ExtractorMemory} is closed, records its dispatches once for each pair of places where pictures lie, and turns its result words into figures. Belongs to
 * the context's thread.
 *
 * <p>The dispatches of all extractors of a meter are one submission. They are recorded in stages: first stage 0 of every extractor,
 * then a barrier, then stage 1 of every extractor, and so on. So dispatches of one stage run beside each other, those of other
 * extractors too, and see what earlier stages wrote. What a submission leaves in an extractor's memory is there for the next one.
 */
interface DeviceExtractor {
    /** Words of 4 bytes for its results. The device writes them, the CPU reads them. */
    int resultWords();

    /** Stages that this extractor takes, at least 1. */
    int stages();

    /**
     * Buffers of this extractor's own, for each descriptor set that it needs. In every set, binding 0 is the reference, 1 the picture,
     * 2 the results; the buffers of the set are bindings 3 and on, at most four.
     */
    List<List<BufferRange>> sets();

    /** Records the dispatches of one stage. No barrier is needed before or after them. */
    void record(int stage, PairRecording recording);

    /**
     * Sets this extractor's figures. Allocates nothing.
     *
     * @param results address of this extractor's result words
     * @param first true if no reference came before that of this pair
     */
    void read(long results, boolean first, QualityFigures figures);
}
