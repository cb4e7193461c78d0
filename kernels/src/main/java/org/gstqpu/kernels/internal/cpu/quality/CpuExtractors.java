/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.cpu.quality;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.kernels.quality.QualityMetric;

/** Makes the extractors that some metrics need. */
public final class CpuExtractors {
    private CpuExtractors() {}

    /**
     * The extractors of all these metrics but {@link QualityMetric#PSNR}, {@link QualityMetric#SSIM} and {@link
     * QualityMetric#PSNR_HVS}, which have none.
     */
    public static List<CpuExtractor> of(Set<QualityMetric> metrics, PixelFormat format, int width, int height) {
        List<CpuExtractor> extractors = new ArrayList<>();
        boolean vif = metrics.contains(QualityMetric.VIF);
        boolean vifNeg = metrics.contains(QualityMetric.VIF_NEG);
        if (vif || vifNeg) {
            extractors.add(new VifExtractor(width, height, format.bitDepth(), vif, vifNeg));
        }
        boolean adm = metrics.contains(QualityMetric.ADM);
        boolean admNeg = metrics.contains(QualityMetric.ADM_NEG);
        if (adm || admNeg) {
            extractors.add(new AdmExtractor(width, height, format.bitDepth(), adm, admNeg));
        }
        if (metrics.contains(QualityMetric.MOTION)) {
            extractors.add(new MotionExtractor(width, height, format.bitDepth()));
        }
        if (metrics.contains(QualityMetric.SSIMULACRA_2)) {
            extractors.add(new Ssimulacra2Extractor(format, width, height));
        }
        if (metrics.contains(QualityMetric.FLOAT_VIF)) {
            extractors.add(new FloatVifExtractor(format, width, height));
        }
        if (metrics.contains(QualityMetric.MS_SSIM)) {
            extractors.add(new MsSsimExtractor(format, width, height));
        }
        if (metrics.contains(QualityMetric.FLOAT_ADM)) {
            extractors.add(new FloatAdmExtractor(format, width, height));
        }
        if (metrics.contains(QualityMetric.FLOAT_MOTION)) {
            extractors.add(new FloatMotionExtractor(format, width, height));
        }
        return extractors;
    }
}
