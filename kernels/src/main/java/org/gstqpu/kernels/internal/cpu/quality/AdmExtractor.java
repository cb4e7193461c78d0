/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.cpu.quality;

import org.gstqpu.kernels.internal.quality.AdmScale;
import org.gstqpu.kernels.internal.quality.AdmSums;
import org.gstqpu.kernels.quality.QualityFigures;

/** The additive detail metric in integers: for each scale a wavelet transform, then one way down its rows. */
final class AdmExtractor implements CpuExtractor {
    private final boolean plain;
    private final boolean limited;
    private final AdmSums sums;
    private final AdmWavelet[] wavelets = new AdmWavelet[AdmScale.SCALES];
    private final AdmDetail[] details = new AdmDetail[AdmScale.SCALES];

    AdmExtractor(int width, int height, int bitDepth, boolean plain, boolean limited) {
        this.plain = plain;
        this.limited = limited;
        sums = new AdmSums(bitDepth, width, height);
        for (int scale = 0; scale < AdmScale.SCALES; scale++) {
            wavelets[scale] = new AdmWavelet(sums.scale(scale));
            details[scale] = new AdmDetail(sums.scale(scale), plain, limited);
        }
    }

    @Override
    public void extract(PairSamples pair, QualityFigures figures) {
        sums.clear();
        int[] reference = pair.reference().luma();
        int[] picture = pair.picture().luma();
        for (int scale = 0; scale < AdmScale.SCALES; scale++) {
            AdmWavelet wavelet = wavelets[scale];
            wavelet.transform(reference, wavelet.reference);
            wavelet.transform(picture, wavelet.picture);
            details[scale].addRows(wavelet.reference, wavelet.picture, sums);
            reference = wavelet.reference.low;
            picture = wavelet.picture.low;
        }
        sums.put(plain, limited, figures);
    }
}
