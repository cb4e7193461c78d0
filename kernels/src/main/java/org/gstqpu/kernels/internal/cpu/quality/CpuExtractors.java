/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.cpu.quality;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
        boolean adm = metrics.contains(QualityMetric.ADM);
        for (QualityMetric metric : metrics) {
            // The compiler asks for a case of every metric.
            Optional<CpuExtractor> extractor = switch (metric) {
                case PSNR, SSIM, PSNR_HVS -> Optional.empty();
                case VIF ->
                    Optional.of(new VifExtractor(
                            width, height, format.bitDepth(), true, metrics.contains(QualityMetric.VIF_NEG)));
                case VIF_NEG ->
                    vif
                            ? Optional.empty()
                            : Optional.of(new VifExtractor(width, height, format.bitDepth(), false, true));
                case ADM ->
                    Optional.of(new AdmExtractor(
                            width, height, format.bitDepth(), true, metrics.contains(QualityMetric.ADM_NEG)));
                case ADM_NEG ->
                    adm
                            ? Optional.empty()
                            : Optional.of(new AdmExtractor(width, height, format.bitDepth(), false, true));
                case MOTION -> Optional.of(new MotionExtractor(width, height, format.bitDepth()));
                case FLOAT_VIF -> Optional.of(new FloatVifExtractor(format, width, height));
                case FLOAT_ADM -> Optional.of(new FloatAdmExtractor(format, width, height));
                case FLOAT_MOTION -> Optional.of(new FloatMotionExtractor(format, width, height));
                case MS_SSIM -> Optional.of(new MsSsimExtractor(format, width, height));
                case SSIMULACRA_2 -> Optional.of(new Ssimulacra2Extractor(format, width, height));
            };
            extractor.ifPresent(extractors::add);
        }
        return extractors;
    }
}
