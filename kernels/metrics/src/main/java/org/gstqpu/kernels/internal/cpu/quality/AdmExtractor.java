/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.cpu.quality;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.gstqpu.kernels.internal.quality.AdmScale;
import org.gstqpu.kernels.internal.quality.AdmSums;
import org.gstqpu.kernels.internal.quality.AdmView;
import org.gstqpu.kernels.quality.QualityFigures;
import org.gstqpu.kernels.quality.QualityMetric;

/** The additive detail metric in integers: for each scale a wavelet transform, then one way down its rows for each view. */
public final class AdmExtractor implements CpuExtractor {
    private final AdmSums[] views;
    private final AdmWavelet[] wavelets = new AdmWavelet[AdmScale.SCALES];

    /** One for each view and scale. */
    private final AdmDetail[][] details;

    public AdmExtractor(int width, int height, int bitDepth, Set<QualityMetric> metrics) {
        List<AdmSums> sums = new ArrayList<>();
        for (AdmView view : AdmView.of(metrics)) {
            sums.add(new AdmSums(view, metrics, bitDepth, width, height));
        }
        views = sums.toArray(AdmSums[]::new);
        details = new AdmDetail[views.length][AdmScale.SCALES];
        for (int scale = 0; scale < AdmScale.SCALES; scale++) {
            wavelets[scale] = new AdmWavelet(views[0].scale(scale));
            for (int i = 0; i < views.length; i++) {
                details[i][scale] = new AdmDetail(views[i], scale);
            }
        }
    }

    @Override
    public void extract(PairSamples pair, QualityFigures figures) {
        int[] reference = pair.reference().luma();
        int[] picture = pair.picture().luma();
        for (int scale = 0; scale < AdmScale.SCALES; scale++) {
            AdmWavelet wavelet = wavelets[scale];
            wavelet.transform(reference, wavelet.reference);
            wavelet.transform(picture, wavelet.picture);
            reference = wavelet.reference.low;
            picture = wavelet.picture.low;
        }
        for (int i = 0; i < views.length; i++) {
            views[i].clear();
            for (int scale = 0; scale < AdmScale.SCALES; scale++) {
                details[i][scale].addRows(wavelets[scale].reference, wavelets[scale].picture);
            }
            views[i].put(figures);
        }
    }
}
