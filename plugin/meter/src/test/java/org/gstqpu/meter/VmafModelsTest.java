/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.meter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.gstqpu.kernels.quality.MetricOptions;
import org.gstqpu.kernels.quality.PooledFigures;
import org.gstqpu.kernels.quality.QualityFeature;
import org.gstqpu.kernels.quality.QualityFigures;
import org.gstqpu.kernels.quality.QualityLog;
import org.gstqpu.kernels.quality.QualityMetric;
import org.gstqpu.kernels.quality.VmafModel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Models of VMAF give libvmaf's scores, and what is no model is refused in one line. */
class VmafModelsTest {
    private static final double SAME = 1e-4;

    private static final String SMALL = "{\"model_dict\": {\"model_type\": \"LIBSVMNUSVR\", \"norm_type\": \"none\","
            + " \"feature_names\": [\"VMAF_integer_feature_adm2_score\"], %s"
            + " \"model\": \"svm_type nu_svr\\nkernel_type rbf\\ngamma 0.5\\nrho 1\\nSV\\n3 1:2 \\n-1 \\n\"}}";

    /** Features of some pictures, and what libvmaf says of them, by picture, then by name. */
    private static Map<String, Map<String, Double>> golden(String file) throws Exception {
        Map<String, Map<String, Double>> pictures = new LinkedHashMap<>();
        try (InputStream in = VmafModelsTest.class.getResourceAsStream(file);
                BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (!line.startsWith("#")) {
                    String[] fields = line.split("\t", -1);
                    pictures.computeIfAbsent(fields[0] + " " + fields[1], key -> new LinkedHashMap<>())
                            .put(fields[2], Double.valueOf(fields[3]));
                }
            }
        }
        return pictures;
    }

    @Test
    void scoresAreThoseOfLibvmaf() throws Exception {
        Map<String, Map<String, Double>> golden = golden("scores.tsv");
        assertTrue(golden.size() > 20, "pictures: " + golden.size());
        check(golden, VmafModels.builtIn(VmafModels.PLAIN), "vmaf");
        check(golden, VmafModels.builtIn(VmafModels.NEG), "vmaf_neg");
    }

    @Test
    void scoresOfV1AreThoseOfLibvmaf() throws Exception {
        Map<String, Map<String, Double>> golden = golden("scores_v1.tsv");
        int checked = 0;
        for (String name : VmafModels.builtIn()) {
            VmafModel model = VmafModels.builtIn(name);
            for (Map.Entry<String, Map<String, Double>> picture : golden.entrySet()) {
                Map<String, Double> figures = picture.getValue();
                if (figures.containsKey(model.name())) {
                    double[] values = model.features().stream()
                            .mapToDouble(feature -> figures.get(feature.label()))
                            .toArray();
                    assertEquals(
                            figures.get(model.name()), model.score(values), SAME, name + " of " + picture.getKey());
                    checked++;
                }
            }
        }
        assertTrue(checked > 100, "scores: " + checked);
    }

    /** By the flags disable_clip and enable_transform of libvmaf's tool: of pictures coded a little, and of equal ones. */
    @ParameterizedTest
    @CsvSource({
        "people_mjpeg8 0, UNCLIPPED, 90.876038",
        "people_mjpeg8 0, TRANSFORMED, 100",
        "people_mjpeg8 0, UNCLIPPED TRANSFORMED, 100.351341",
        "people_x36 0, TRANSFORMED, 99.323977",
        "people_same 1, UNCLIPPED, 103.341804",
        "people_same 1, UNCLIPPED TRANSFORMED, 104.796762"
    })
    void modelsAreChangedAsByLibvmaf(String picture, String changes, double expected) throws Exception {
        VmafModel model = VmafModels.builtIn(
                VmafModels.PLAIN,
                Arrays.stream(changes.split(" ", -1)).map(ModelChange::valueOf).collect(Collectors.toSet()));
        Map<String, Double> figures = golden("scores.tsv").get(picture);
        double[] values = model.features().stream()
                .mapToDouble(feature -> figures.get(feature.label()))
                .toArray();
        assertEquals(expected, model.score(values), SAME);
    }

    @Test
    void whereChromaSaysNothingDetailCounts() {
        VmafModel model = VmafModels.builtIn(VmafModels.V1);
        double corrected = model.score(3, 120 * (1 - 0.9), 0.9, 5);
        assertEquals(corrected, model.score(3, 0, 0.9, 5));
        assertNotEquals(corrected, model.score(3, 1e-9, 0.9, 5));
    }

    @Test
    void theModelOfAVideoFollowsFromItsSizeAndRate() {
        assertEquals("vmaf_v1", VmafModels.suiting(1920, 1080, 25));
        assertEquals("vmaf_v1", VmafModels.suiting(2560, 1440, 0));
        assertEquals("vmaf_v1_hfr", VmafModels.suiting(1280, 720, 59.94));
        assertEquals("vmaf_v1_4k", VmafModels.suiting(3840, 1608, 23.976));
        assertEquals("vmaf_v1_4k_hfr", VmafModels.suiting(3840, 2160, 50));
    }

    private static void check(Map<String, Map<String, Double>> golden, VmafModel model, String name) {
        golden.forEach((picture, figures) -> {
            double[] values = model.features().stream()
                    .mapToDouble(feature -> figures.get(feature.label()))
                    .toArray();
            assertEquals(figures.get(name), model.score(values), SAME, name + " of " + picture);
        });
    }

    @Test
    void theModelsNeedTheirMetrics() {
        assertEquals(
                Set.of(QualityMetric.VIF, QualityMetric.ADM, QualityMetric.MOTION),
                VmafModels.builtIn(VmafModels.PLAIN).metrics());
        assertEquals(
                Set.of(QualityMetric.VIF_NEG, QualityMetric.ADM_NEG, QualityMetric.MOTION),
                VmafModels.builtIn(VmafModels.NEG).metrics());
        assertEquals(
                Set.of(
                        QualityMetric.CAMBI,
                        QualityMetric.SPEED_CHROMA_PHONE,
                        QualityMetric.ADM_V1_PHONE,
                        QualityMetric.MOTION_V1_HFR),
                VmafModels.builtIn("vmaf_v1_phone_hfr").metrics());
        assertThrows(IllegalArgumentException.class, () -> VmafModels.builtIn("vmaf_v9"));
    }

    @Test
    void motionOfTheNextPictureCounts() {
        QualityLog log = new QualityLog(Set.of(QualityMetric.VIF, QualityMetric.ADM, QualityMetric.MOTION));
        QualityFigures figures = new QualityFigures();
        for (QualityMetric metric : Set.of(QualityMetric.VIF, QualityMetric.ADM)) {
            metric.features().forEach(feature -> figures.set(feature, 0.7));
        }
        for (double motion : new double[] {0, 9, 4}) {
            figures.set(QualityFeature.INTEGER_MOTION, motion);
            log.add(figures);
        }
        assertEquals(0, log.get(0, QualityFeature.INTEGER_MOTION2));
        assertEquals(4, log.get(1, QualityFeature.INTEGER_MOTION2));
        assertEquals(4, log.get(2, QualityFeature.INTEGER_MOTION2));
        VmafModel model = VmafModels.builtIn(VmafModels.PLAIN);
        assertEquals(model.score(0.7, 4, 0.7, 0.7, 0.7, 0.7), model.score(log, 1));
        PooledFigures pooled = log.pool(model);
        double still = model.score(log, 0);
        double moving = model.score(log, 1);
        assertEquals((still + 2 * moving) / 3, pooled.mean(), 1e-9);
        assertEquals(3 / (1 / (1 + still) + 2 / (1 + moving)) - 1, pooled.harmonicMean(), 1e-9);
        assertEquals(Math.min(still, moving), pooled.min());
        assertEquals(Math.max(still, moving), pooled.max());
        assertEquals(moving, pooled.percentile(50));
        assertEquals(still + (moving - still) / 2, pooled.percentile(25), 1e-9);
    }

    @Test
    void aModelOfOnesOwnIsTaken(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("mine.json");
        Files.writeString(
                file,
                SMALL.formatted("\"score_clip\": [0, 4], \"score_transform\": {\"enabled\": true, \"p0\": 1, \"p1\": 2,"
                        + " \"p2\": null, \"knots\": [[0, 0], [1, 1], [3, 2]], \"out_gte_in\": \"true\"},"));
        VmafModel model = VmafModels.read(file);
        assertEquals("mine", model.name());
        assertEquals(List.of(QualityFeature.INTEGER_ADM2), model.features());
        double sum = 3 - Math.exp(-0.5 * 4) - 1;
        // 1 + 2 x, then the last piece of the curve, which goes on.
        assertEquals(Math.max(1 + (1 + 2 * sum - 1) / 2, sum), model.score(2), 1e-12);
    }

    private static VmafModel withFeatures(String features, String options) throws VmafModelException {
        return VmafModels.read(
                "own",
                new StringReader(SMALL.formatted("\"feature_opts_dicts\": [" + options + "],")
                        .replace("[\"VMAF_integer_feature_adm2_score\"]", "[" + features + "]")
                        .replace("1:2", "1:2 2:1")));
    }

    @Test
    void optionsOfCambiAndSpeedAreRead() throws Exception {
        String cambi = "\"cambi_max_val\": 17, \"cambi_vis_lum_threshold\": 0.06";
        String speed = "{\"speed_max_val\": 45, \"speed_nn_floor\": 0.1, \"speed_sigma_nn\": 0.19,"
                + " \"speed_weight_var_mode\": 5, %s}";
        String both = "\"Cambi_feature_cambi_score\", \"Speed_chroma_feature_speed_chroma_uv_score\"";
        VmafModel model = withFeatures(
                both,
                "{\"enc_bitdepth\": 8, " + cambi + "}, "
                        + speed.formatted("\"speed_kernelscale\": 2.0, \"speed_prescale\": 0.6,"
                                + " \"speed_prescale_method\": \"bilinear\""));
        assertEquals(List.of(QualityFeature.CAMBI, QualityFeature.SPEED_CHROMA_BOTH), model.features());
        assertEquals(new MetricOptions(0, 0, 8, 0, 2, 0.6, MetricOptions.PrescaleMethod.BILINEAR), model.options());
        VmafModel usual = VmafModels.builtIn(VmafModels.V1);
        assertEquals(MetricOptions.USUAL, usual.options());
        assertEquals(MetricOptions.USUAL, VmafModels.builtIn("vmaf_v1_phone").options());
        assertEquals(model.options(), Measurement.options(List.of(model, VmafModels.builtIn(VmafModels.PLAIN))));
        assertTrue(assertThrows(VmafModelException.class, () -> Measurement.options(List.of(usual, model)))
                .getMessage()
                .startsWith("the models vmaf_v1.0.16_3d0h and own ask for different options"));
        String twice = "\"Speed_chroma_feature_speed_chroma_u_score\", \"Speed_chroma_feature_speed_chroma_v_score\"";
        assertEquals(
                "speed_chroma is in it with different options; a model with one of them is taken",
                assertThrows(
                                VmafModelException.class,
                                () -> withFeatures(
                                        twice,
                                        speed.formatted("\"speed_kernelscale\": 2") + ","
                                                + speed.formatted("\"speed_kernelscale\": 3")))
                        .getMessage());
        assertTrue(assertThrows(
                        VmafModelException.class, () -> withFeatures(both, "{\"enc_bitdepth\": 5, " + cambi + "}, {}"))
                .getMessage()
                .contains("enc_bitdepth is 6 to 16, given 5"));
    }

    @Test
    void whatIsNoModelIsRefusedInOneLine() {
        refused("[1]", "no VMAF model");
        refused("{\"model", "no VMAF model: it is not in JSON");
        refused("{\"0\": {}}", "a collection of models");
        refused("{\"model_dict\": {}}", "model_type is missing");
        refused(
                SMALL.formatted("").replace("adm2", "colourfulness"),
                "the feature VMAF_integer_feature_colourfulness_score is not known");
        refused(
                SMALL.formatted("\"feature_opts_dicts\": [{\"adm_csf_mode\": 2}],"),
                "the feature VMAF_integer_feature_adm2_score is not measured with adm_csf_mode 2");
        refused(
                SMALL.formatted("\"feature_opts_dicts\": [{\"adm_enhn_gain_limit\": 1.20, \"adm_colour\": true}],"),
                "is not measured with adm_colour true, adm_enhn_gain_limit 1.2");
        refused(
                SMALL.formatted("\"chroma_correction_parameter\": 120.0,"),
                "a model that corrects chroma has one feature speed_chroma, this one has 0");
        refused(SMALL.formatted("").replace("rbf", "linear"), "kernel_type is linear");
        refused(SMALL.formatted("").replace("none", "a\\n\\u001b[2Jb"), "its norm_type is a??[2Jb, known are");
        refused(SMALL.formatted("").replace("none", "x".repeat(1000)), "xxx...");
        refused(SMALL.formatted("").replace("1:2", "2:2"), "a support vector has number 2");
    }

    @Test
    void numbersThatGiveNoScoreAreRefused() {
        refused(SMALL.formatted("").replace("gamma 0.5", "gamma Infinity"), "gamma, rho");
        refused(SMALL.formatted("").replace("gamma 0.5", "gamma -0.5"), "gamma is above 0");
        refused(SMALL.formatted("").replace("rho 1", "rho NaN"), "gamma, rho");
        refused(SMALL.formatted("").replace("3 1:2", "NaN 1:2"), "a support vector: NaN");
        refused(SMALL.formatted("").replace("3 1:2", "3 1:NaN"), "a support vector: NaN");
        refused(SMALL.formatted("\"score_clip\": [100, 0],"), "cut off below and above, given 100.0 and 0.0");
        refused(SMALL.formatted("\"score_clip\": [NaN, 100],"), "cut off below and above, given NaN");
        refused(SMALL.formatted("\"chroma_correction_parameter\": NaN,"), "correction of chroma: NaN");
        String scaled = SMALL.replace("\"none\"", "\"linear_rescale\"");
        refused(
                scaled.formatted("\"slopes\": [1, NaN], \"intercepts\": [0, 0],"),
                "slope and intercept of a line: NaN");
        refused(scaled.formatted("\"slopes\": [1, 1], \"intercepts\": [0, 1e999],"), "slope and intercept of a line");
        refused(scaled.formatted("\"slopes\": [0, 1], \"intercepts\": [0, 0],"), "the slope of a line is 0.0");
        refused(
                scaled.formatted("\"slopes\": [1, 1e31], \"intercepts\": [0, 0],"),
                "slope and intercept of a line: 1.0E31");
        String curve = "\"score_transform\": {\"enabled\": true, \"p0\": %s, \"knots\": [[0, 0], [1, %s]]},";
        refused(SMALL.formatted(curve.formatted("NaN", "1")), "the polynomial of a score: NaN");
        refused(SMALL.formatted(curve.formatted("0", "Infinity")), "a knot of a curve: Infinity");
        refused(SMALL.formatted("\"feature_opts_dicts\": [{\"adm_min_val\": 1e999999999}],"), "no VMAF model");
    }

    @Test
    void aFileThatNeverEndsIsRefused() {
        String message = assertThrows(VmafModelException.class, () -> VmafModels.read(Path.of("/dev/zero")))
                .getMessage();
        assertEquals("/dev/zero: no VMAF model: it has more than 16 MiB", message);
    }

    private static void refused(String json, String cause) {
        String message = assertThrows(
                        VmafModelException.class, () -> VmafModels.read("small", new StringReader(json)), json)
                .getMessage();
        assertTrue(message.contains(cause) && message.lines().count() == 1, message);
    }
}
