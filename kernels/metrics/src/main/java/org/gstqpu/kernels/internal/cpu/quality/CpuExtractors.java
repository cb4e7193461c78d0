/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.cpu.quality;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.gstqpu.kernels.internal.quality.MetricFamily;
import org.gstqpu.kernels.internal.quality.XpsnrShape;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.kernels.quality.MetricOptions;
import org.gstqpu.kernels.quality.QualityMetric;

/** Makes the extractors that some metrics need. */
public final class CpuExtractors {
    private CpuExtractors() {}

    /**
     * The extractors of all these metrics but {@link QualityMetric#PSNR}, {@link QualityMetric#SSIM} and {@link
     * QualityMetric#PSNR_HVS}, which have none.
     */
    public static List<CpuExtractor> of(
            Set<QualityMetric> metrics, MetricOptions options, PixelFormat format, int width, int height) {
        List<CpuExtractor> extractors = new ArrayList<>();
        MetricFamily.of(metrics).forEach((family, wanted) -> {
            switch (family) {
                case SIMILARITY, HVS -> {}
                case VIF ->
                    extractors.add(new VifExtractor(
                            width,
                            height,
                            format.bitDepth(),
                            wanted.contains(QualityMetric.VIF),
                            wanted.contains(QualityMetric.VIF_NEG)));
                case ADM -> extractors.add(new AdmExtractor(width, height, format.bitDepth(), wanted));
                case MOTION -> extractors.add(new MotionExtractor(width, height, format.bitDepth(), wanted));
                case FLOAT_VIF -> extractors.add(new FloatVifExtractor(format, width, height));
                case FLOAT_ADM -> extractors.add(new FloatAdmExtractor(format, width, height));
                case FLOAT_MOTION -> extractors.add(new FloatMotionExtractor(format, width, height));
                case MS_SSIM -> extractors.add(new MsSsimExtractor(format, width, height));
                case SSIMULACRA_2 -> extractors.add(new Ssimulacra2Extractor(format, width, height));
                case CAMBI -> extractors.add(new CambiExtractor(options, format, width, height));
                case SPEED_CHROMA ->
                    wanted.forEach(
                            metric -> extractors.add(new SpeedExtractor(metric, options, format, width, height)));
                case XPSNR ->
                    extractors.add(
                            new XpsnrExtractor(new XpsnrShape(PictureLayout.packed(format, width, height, 1)), wanted));
            }
        });
        return extractors;
    }
}
