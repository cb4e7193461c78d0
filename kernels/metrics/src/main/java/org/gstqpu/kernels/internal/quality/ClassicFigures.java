/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.quality;

import java.util.Set;
import org.gstqpu.kernels.picture.PictureComponent;
import org.gstqpu.kernels.quality.QualityFeature;
import org.gstqpu.kernels.quality.QualityFigures;
import org.gstqpu.kernels.quality.QualityMetric;
import org.gstqpu.kernels.quality.QualitySums;

/** The figures of a picture that follow from its {@link QualitySums}: PSNR, SSIM and PSNR-HVS. */
public final class ClassicFigures {
    private ClassicFigures() {}

    /** Sets the figures of those metrics from the figures' own sums. */
    public static void put(Set<QualityMetric> metrics, QualityFigures figures) {
        QualitySums sums = figures.sums();
        if (metrics.contains(QualityMetric.PSNR)) {
            figures.set(QualityFeature.PSNR_Y, sums.psnr(PictureComponent.Y));
            figures.set(QualityFeature.PSNR_CB, sums.psnr(PictureComponent.CB));
            figures.set(QualityFeature.PSNR_CR, sums.psnr(PictureComponent.CR));
        }
        if (metrics.contains(QualityMetric.SSIM)) {
            figures.set(QualityFeature.SSIM_Y, sums.ssim(PictureComponent.Y));
            figures.set(QualityFeature.SSIM_CB, sums.ssim(PictureComponent.CB));
            figures.set(QualityFeature.SSIM_CR, sums.ssim(PictureComponent.CR));
        }
        if (metrics.contains(QualityMetric.PSNR_HVS)) {
            figures.set(QualityFeature.PSNR_HVS_UNMASKED_Y, sums.psnrHvs());
        }
    }
}
