/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.quality;

/**
 * What is made of the {@linkplain QualityMetric#XPSNR XPSNR} of components, in dB, and of pictures. Stateless; any thread may call it.
 */
public final class Xpsnr {
    /** FFmpeg takes differences of second order from so many pictures a second. */
    private static final double HIGH_RATE_FROM = 32;

    private static final double LUMA = 4;

    private Xpsnr() {}

    /**
     * {@link QualityMetric#XPSNR} or, for high frame rates, {@link QualityMetric#XPSNR_HFR}: the one that FFmpeg computes.
     *
     * @param rate pictures a second; 0 if that is not known
     */
    public static QualityMetric suiting(double rate) {
        return rate < HIGH_RATE_FROM ? QualityMetric.XPSNR : QualityMetric.XPSNR_HFR;
    }

    /**
     * The mean in which luma counts four times, as Av1an has it. That of luma if there is no chroma, so that the others are NaN;
     * infinite if any of them is.
     */
    public static double weighted(double y, double cb, double cr) {
        return Double.isNaN(cb) ? y : (LUMA * y + cb + cr) / (LUMA + 2);
    }

    /** The least, as FFmpeg's summary and ab-av1 have it. That of luma if there is no chroma, so that the others are NaN. */
    public static double minimum(double y, double cb, double cr) {
        return Double.isNaN(cb) ? y : Math.min(y, Math.min(cb, cr));
    }

    /** The mean of the pictures of a log, as FFmpeg has it: of a component from the mean amplitude of its errors. */
    static double mean(QualityLog log, QualityFeature feature) {
        return switch (feature) {
            case XPSNR_WEIGHTED ->
                weighted(
                        amplitudeMean(log, QualityFeature.XPSNR_Y),
                        amplitudeMean(log, QualityFeature.XPSNR_CB),
                        amplitudeMean(log, QualityFeature.XPSNR_CR));
            case XPSNR_MINIMUM ->
                minimum(
                        amplitudeMean(log, QualityFeature.XPSNR_Y),
                        amplitudeMean(log, QualityFeature.XPSNR_CB),
                        amplitudeMean(log, QualityFeature.XPSNR_CR));
            case XPSNR_HFR_WEIGHTED ->
                weighted(
                        amplitudeMean(log, QualityFeature.XPSNR_HFR_Y),
                        amplitudeMean(log, QualityFeature.XPSNR_HFR_CB),
                        amplitudeMean(log, QualityFeature.XPSNR_HFR_CR));
            case XPSNR_HFR_MINIMUM ->
                minimum(
                        amplitudeMean(log, QualityFeature.XPSNR_HFR_Y),
                        amplitudeMean(log, QualityFeature.XPSNR_HFR_CB),
                        amplitudeMean(log, QualityFeature.XPSNR_HFR_CR));
            default -> amplitudeMean(log, feature);
        };
    }

    private static double amplitudeMean(QualityLog log, QualityFeature feature) {
        double sum = log.numbers()
                .mapToDouble(picture -> Math.pow(10, -log.get(picture, feature) / 20))
                .reduce(0, Double::sum);
        return -20 * Math.log10(sum / log.measured());
    }
}
