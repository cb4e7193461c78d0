/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.measure;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.gstqpu.kernels.quality.PooledFigures;
import org.gstqpu.kernels.quality.QualityFeature;
import org.gstqpu.kernels.quality.QualityLog;
import org.gstqpu.kernels.quality.QualityMetric;
import org.gstqpu.kernels.quality.VmafModel;

/**
 * What was measured of one video. Figures are those of libvmaf's log: the PSNR of equal pictures is not infinite, but what libvmaf
 * says for it, 60 dB with 8 bits a sample and 72 dB with 10.
 *
 * @param distorted the video
 * @param reference what it was compared with
 * @param bitDepth bits a sample
 * @param shift pictures of the reference, or if negative of the video, that were left out at the beginning
 * @param framesPerSecond how fast it was measured
 * @param log the figures of its pictures
 * @param models models of VMAF that are evaluated, by the name of their score
 */
record MeasuredVideo(
        String distorted,
        String reference,
        int bitDepth,
        int shift,
        double framesPerSecond,
        QualityLog log,
        Map<String, VmafModel> models) {
    /** Names of the figures: scores first, then features in their order. */
    List<String> names() {
        List<String> names = new ArrayList<>(models.keySet());
        log.features().forEach(feature -> names.add(feature.label()));
        return names;
    }

    /** The figures of a picture by name; NaN for a component that the pictures do not have. */
    Map<String, Double> figures(int picture) {
        Map<String, Double> figures = new LinkedHashMap<>();
        models.forEach((name, model) -> figures.put(name, model.score(log, picture)));
        for (QualityFeature feature : log.features()) {
            double value = log.get(picture, feature);
            figures.put(
                    feature.label(),
                    feature.metric() == QualityMetric.PSNR ? Math.min(value, 6 * bitDepth + 12) : value);
        }
        return figures;
    }

    /** The figures of all pictures by name. */
    Map<String, PooledFigures> pooled() {
        Map<String, double[]> columns = new LinkedHashMap<>();
        names().forEach(name -> columns.put(name, new double[log.pictures()]));
        for (int i = 0; i < log.pictures(); i++) {
            int picture = i;
            figures(i).forEach((name, value) -> columns.get(name)[picture] = value);
        }
        Map<String, PooledFigures> pooled = new LinkedHashMap<>();
        columns.forEach((name, values) -> pooled.put(name, new PooledFigures(values)));
        return pooled;
    }
}
