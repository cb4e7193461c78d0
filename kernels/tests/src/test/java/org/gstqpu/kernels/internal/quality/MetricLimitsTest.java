/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.quality;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.EnumSet;
import org.gstqpu.kernels.picture.PictureComponent;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.kernels.quality.MetricOptions;
import org.gstqpu.kernels.quality.QualityFeature;
import org.gstqpu.kernels.quality.QualityFigures;
import org.gstqpu.kernels.quality.QualityMetric;
import org.junit.jupiter.api.Test;

/** Limits of the metrics that no picture of the golden pairs comes to. */
class MetricLimitsTest {
    private static final int SIDE = 640;

    private final QualityFigures figures = new QualityFigures();

    @Test
    void cambiIsAtMost17() {
        double[] sums = new double[Cambi.SCALES];
        Arrays.fill(sums, 1e12);
        new Cambi(MetricOptions.USUAL, Byte.SIZE, SIDE, SIDE).put(sums, figures);
        assertEquals(17, figures.get(QualityFeature.CAMBI));
    }

    private static boolean isHalved(int speedUp, int width, int height) {
        return new Cambi(MetricOptions.USUAL.with("cambi_high_res_speedup", "" + speedUp), Byte.SIZE, width, height)
                .isHalved();
    }

    @Test
    void cambiIsSpedUpFromAsManySamplesAsItsOptionSays() {
        assertTrue(isHalved(1080, 1920, 1080));
        assertFalse(isHalved(1080, 1919, 1080));
        assertTrue(isHalved(1440, 2560, 1440));
        assertFalse(isHalved(1440, 2560, 1439));
        assertTrue(isHalved(2160, 3840, 2160));
        assertFalse(isHalved(2160, 3839, 2160));
        assertFalse(isHalved(0, 3840, 2160));
    }

    /** Of planes whose blocks all have these entropies, and the variance 1. */
    private double speed(float reference, float picture) {
        SpeedFigures speed =
                new SpeedFigures(QualityMetric.SPEED_CHROMA, MetricOptions.USUAL, PixelFormat.I420, SIDE, SIDE);
        for (int plane = 0; plane < SpeedFigures.PLANES; plane++) {
            Arrays.fill(speed.entropies(plane), plane % 2 == 0 ? reference : picture);
            Arrays.fill(speed.variances(plane), 1);
            speed.setTells(plane, true);
        }
        speed.put(figures);
        assertEquals(figures.get(QualityFeature.SPEED_CHROMA_CB), figures.get(QualityFeature.SPEED_CHROMA_CR));
        assertEquals(figures.get(QualityFeature.SPEED_CHROMA_CB), figures.get(QualityFeature.SPEED_CHROMA_BOTH));
        return figures.get(QualityFeature.SPEED_CHROMA_BOTH);
    }

    @Test
    void speedIsAtMost45() {
        assertEquals(45, speed(1000, 0));
        assertEquals(44.5, speed(1000, 1000 - 44.5f), 1e-3);
    }

    /** As libvmaf's speed_nn_floor of 0.1 and speed_sigma_nn of 0.19 say: the entropy of 25 samples of noise of 1.1 times 0.19. */
    @Test
    void blocksOfNoMoreThanTheEyesNoiseTellNothing() {
        float noise = (float) (25 * Math.log(1.1 * 0.19 * 2 * Math.PI * Math.E) / Math.log(2));
        assertEquals(0, speed(noise - 0.01f, noise - 1));
        assertEquals(0, speed(noise - 1, noise - 0.01f));
        assertEquals(1, speed(noise + 0.01f, noise - 0.99f), 1e-3);
        assertEquals(1, speed(noise - 0.99f, noise + 0.01f), 1e-3);
    }

    @Test
    void sharesOfAdmAreRoundedOnce() {
        assertEquals(Math.rint(0x1p32 / 30), AdmScale.THIRTIETH);
        assertEquals(Math.rint(0x1p32 / 15), AdmScale.FIFTEENTH);
    }

    /** Where everything that is seen was added. */
    @Test
    void adm3IsAtLeastHalf() {
        EnumSet<QualityMetric> metrics = EnumSet.of(QualityMetric.ADM_V1);
        AdmSums sums = new AdmSums(AdmView.of(metrics).get(0), metrics, Byte.SIZE, SIDE, SIDE);
        for (int scale = 0; scale < AdmScale.SCALES; scale++) {
            for (int band = 0; band < AdmScale.BANDS; band++) {
                sums.addRow(scale, AdmSums.SECOND + band, 1L << 60);
                sums.addRow(scale, AdmSums.REFERENCE + band, 1L << 50);
            }
        }
        sums.put(figures);
        assertTrue(figures.get(QualityFeature.INTEGER_AIM_V1) > 1);
        assertEquals(0.5, figures.get(QualityFeature.INTEGER_ADM3_V1));
    }

    private static XpsnrShape shape(int width, int height) {
        return new XpsnrShape(PictureLayout.packed(PixelFormat.GRAY8, width, height, 1));
    }

    /** Its vectors need them; what is left of a block's sum is dropped. Of 1160 rows, a block has 68 columns. */
    @Test
    void xpsnrFindsDetailInGroupsOfMoreThan12Columns() {
        assertEquals(68, shape(2054, 1160).block());
        assertFalse(shape(2054, 1160).hasSpatialDetail(30));
        assertTrue(shape(2055, 1160).hasSpatialDetail(30));
        assertTrue(shape(2048 - 68 + 14, 1160).hasSpatialDetail(29), "not in groups");
    }

    /** Of pictures with an error in one block that alone has no detail, so that it weighs more than those around it. */
    private double xpsnr(int width, int height) {
        XpsnrShape shape = shape(width, height);
        XpsnrSums sums = new XpsnrSums(shape);
        int block = shape.columns() + 3;
        for (int i = 0; i < shape.columns() * shape.rows(); i++) {
            sums.addSpatial(i, i == block ? 0 : 100L * shape.block() * shape.block());
        }
        sums.addError(PictureComponent.Y, block, 1 << 20);
        sums.put(EnumSet.of(QualityMetric.XPSNR), figures);
        return figures.get(QualityFeature.XPSNR_Y);
    }

    @Test
    void xpsnrSmoothsWeightsOfPicturesUpTo640x480() {
        assertTrue(xpsnr(640, 480) > xpsnr(641, 480) + 10);
        assertEquals(xpsnr(640, 480), xpsnr(639, 480), 0.1);
        assertEquals(xpsnr(641, 480), xpsnr(640, 481), 0.1);
    }
}
