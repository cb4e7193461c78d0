/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.cpu.quality;

import java.util.Arrays;
import org.gstqpu.kernels.internal.quality.Cambi;

/**
 * Finds the contrast of each sample from a histogram of the window around it. Owns the histograms of a row's windows, which go down the
 * picture row by row.
 */
final class BandHistograms {
    private final Cambi cambi;
    private final int radius;

    /** The least sample that has a bin, and the number of bins. */
    private final int least;

    private final int bins;

    /** For each bin, how many samples of each window of the row. */
    private final short[] histograms;

    BandHistograms(Cambi cambi) {
        this.cambi = cambi;
        radius = cambi.windowRadius();
        // Samples that a step leads to, up or down.
        least = Math.max(cambi.darkestOf(Cambi.STEPS - 1) - Cambi.STEPS, 0);
        bins = cambi.brightestOf(Cambi.STEPS - 1) + Cambi.STEPS + 1 - least;
        histograms = new short[bins * cambi.width(0)];
    }

    /**
     * Sets the contrasts of a scale.
     *
     * @param counts 1 where a sample counts, else 0
     */
    void contrasts(short[] samples, byte[] counts, int width, int height, float[] contrasts) {
        Arrays.fill(histograms, 0, bins * width, (short) 0);
        for (int y = 0; y < Math.min(radius, height); y++) {
            for (int x = 0; x < width; x++) {
                add(bin(samples, counts, y * width + x), x, width, 1);
            }
        }
        for (int y = 0; y < height; y++) {
            int entering = y + radius < height ? (y + radius) * width : -1;
            int leaving = y > radius ? (y - radius - 1) * width : -1;
            for (int x = 0; x < width; x++) {
                int in = entering < 0 ? -1 : bin(samples, counts, entering + x);
                int out = leaving < 0 ? -1 : bin(samples, counts, leaving + x);
                if (in != out) {
                    add(in, x, width, 1);
                    add(out, x, width, -1);
                }
            }
            for (int x = 0; x < width; x++) {
                int at = y * width + x;
                contrasts[at] = counts[at] == 0 ? 0 : contrast(samples[at], x, width);
            }
        }
    }

    /** The bin of a sample; -1 for one that does not count, or that no step leads to. */
    private int bin(short[] samples, byte[] counts, int at) {
        int bin = samples[at] - least;
        return counts[at] != 0 && bin >= 0 && bin < bins ? bin : -1;
    }

    /** Adds a sample to all windows that hold its column, or takes it away. */
    private void add(int bin, int x, int width, int count) {
        if (bin >= 0) {
            int end = bin * width + Math.min(x + radius + 1, width);
            for (int i = bin * width + Math.max(x - radius, 0); i < end; i++) {
                histograms[i] += (short) count;
            }
        }
    }

    private float contrast(int sample, int x, int width) {
        int bin = sample - least;
        if (bin < 0 || bin >= bins) {
            return 0;
        }
        int own = histograms[bin * width + x];
        float contrast = 0;
        for (int step = 0; step < Cambi.STEPS; step++) {
            if (sample <= cambi.brightestOf(step) && sample >= cambi.darkestOf(step)) {
                int brighter = histograms[(bin + step + 1) * width + x];
                int darker = bin > step ? histograms[(bin - step - 1) * width + x] : 0;
                contrast = Math.max(contrast, cambi.contrast(step, own, Math.max(brighter, darker)));
            }
        }
        return contrast;
    }
}
