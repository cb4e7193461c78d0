/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.cpu.quality;

import org.gstqpu.kernels.quality.QualityFigures;

/**
 * Takes the figures of one metric, or of metrics that share their filters, from a pair of pictures. Owns its working memory, which it
 * gets when it is made. Belongs to one thread at a time; the extractors of a meter run beside each other.
 */
public interface CpuExtractor {
    /**
     * Measures a pair. Allocates nothing.
     *
     * @param pair the samples, which are only read
     * @param figures receives this extractor's figures
     */
    void extract(PairSamples pair, QualityFigures figures);
}
