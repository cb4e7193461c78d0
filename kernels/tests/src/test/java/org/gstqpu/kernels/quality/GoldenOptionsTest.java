/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.quality;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.gstqpu.kernels.TestSubstrates;
import org.gstqpu.kernels.picture.PixelFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** CAMBI and SpEED with the options of their users are libvmaf's, names included. */
class GoldenOptionsTest {
    /** SpEED is computed in single precision. */
    private static final double SAME = 1e-4;

    private static MetricOptions options(String text) {
        MetricOptions options = MetricOptions.USUAL;
        for (String option : text.split(",", -1)) {
            String[] parts = option.split("=", 2);
            options = options.with(parts[0], parts[1]);
        }
        return options;
    }

    @ParameterizedTest
    @MethodSource("org.gstqpu.kernels.TestSubstrates#all")
    void figuresAreThoseOfLibvmaf(TestSubstrates.Choice choice) throws Exception {
        List<String> wrong = new ArrayList<>();
        try (var context = choice.openMeters()) {
            for (GoldenPair pair : GoldenPair.options()) {
                MetricOptions options = options(pair.name().split(" ", 2)[1]);
                QualityMetric metric =
                        pair.expected().get(0).size() > 1 ? QualityMetric.SPEED_CHROMA : QualityMetric.CAMBI;
                QualityLog log = GoldenMetricsTest.measure(context, pair, EnumSet.of(metric), options);
                assertEquals(
                        pair.expected().get(0).keySet(),
                        metric.features().stream().map(options::label).collect(Collectors.toSet()));
                for (int i = 0; i < pair.expected().size(); i++) {
                    for (QualityFeature feature : metric.features()) {
                        double wanted = pair.expected().get(i).get(options.label(feature));
                        double got = log.get(i, feature);
                        boolean same = metric == QualityMetric.SPEED_CHROMA
                                ? Math.abs(got - wanted) <= SAME
                                : String.format(Locale.ROOT, "%.6f", got)
                                        .equals(String.format(Locale.ROOT, "%.6f", wanted));
                        if (!same) {
                            wrong.add(pair + ", picture " + i + ", " + feature + ": " + wanted + " wanted, got " + got);
                        }
                    }
                }
            }
        }
        assertEquals(List.of(), wrong, choice.toString());
    }

    @ParameterizedTest
    @CsvSource({
        "enc_width, 179, enc_width is 180 to 7680",
        "enc_height, 7681, enc_height is 150 to 7680",
        "enc_bitdepth, 5, enc_bitdepth is 6 to 16",
        "enc_bitdepth, ten, enc_bitdepth is a number",
        "cambi_high_res_speedup, 720, '0, 1080, 1440 or 2160'",
        "speed_kernelscale, 2.1, '2, 2.4, 3'",
        "speed_prescale, 0.09, 0.1 to 4",
        "speed_prescale, NaN, 0.1 to 4",
        "speed_prescale_method, area, 'nearest, bilinear, bicubic or lanczos4'",
        "enc_depth, 8, there is no option enc_depth"
    })
    void otherValuesAreRefused(String name, String value, String told) {
        String message = assertThrows(IllegalArgumentException.class, () -> MetricOptions.USUAL.with(name, value))
                .getMessage();
        assertTrue(message.contains(told), message);
    }

    @ParameterizedTest
    @CsvSource({
        "'enc_width=215,enc_height=215', CAMBI, 400, 400, false",
        "'enc_width=216,enc_height=215', CAMBI, 400, 400, true",
        "'enc_width=401,enc_height=180', CAMBI, 400, 400, true",
        "speed_prescale=0.5, SPEED_CHROMA, 159, 159, true",
        "speed_prescale=0.5, SPEED_CHROMA, 158, 159, false",
        "speed_prescale=2, SPEED_CHROMA, 40, 40, true",
        "speed_prescale=2, SPEED_CHROMA, 40, 39, false",
        "speed_prescale=2, SPEED_CHROMA_PHONE, 40, 40, false"
    })
    void sizesThatAreDefinedDependOnOptions(String options, QualityMetric metric, int width, int height, boolean is) {
        assertEquals(is, metric.isDefinedFor(PixelFormat.Y444, width, height, options(options)));
    }

    @Test
    void otherFiguresKeepTheirNames() {
        MetricOptions options = options("enc_bitdepth=8,speed_kernelscale=2,speed_prescale=0.5");
        assertEquals("psnr_y", options.label(QualityFeature.PSNR_Y));
        assertEquals(
                "speed_chroma_u_ks_2_mxv_45_nnf_0.1_ps_0.6_psm_bilinear_snn_0.19_wvm_5",
                options.label(QualityFeature.SPEED_CHROMA_CB_PHONE));
    }
}
