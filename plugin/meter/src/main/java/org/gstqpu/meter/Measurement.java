/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.meter;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntUnaryOperator;
import java.util.stream.Collectors;
import org.gstqpu.kernels.quality.MetricOptions;
import org.gstqpu.kernels.quality.PooledFigures;
import org.gstqpu.kernels.quality.QualityFeature;
import org.gstqpu.kernels.quality.QualityLog;
import org.gstqpu.kernels.quality.QualityMetric;
import org.gstqpu.kernels.quality.VmafModel;

/**
 * What was measured of a video, by name. Figures are those of libvmaf's log: the PSNR of equal pictures is not infinite, but what
 * libvmaf says for it, 60 dB with 8 bits a sample and 72 dB with 10. The XPSNR of equal pictures is infinite, as FFmpeg says. Belongs
 * to one thread at a time, as the log does.
 *
 * @param bitDepth bits a sample of a picture, by its number: a stream may change them
 * @param log the figures of its pictures
 * @param models models of VMAF that are evaluated, by the name of their score
 * @param options with which CAMBI and SpEED were measured
 */
public record Measurement(
        IntUnaryOperator bitDepth, QualityLog log, Map<String, VmafModel> models, MetricOptions options) {
    /**
     * The options with which models are measured.
     *
     * @throws VmafModelException when they differ
     */
    public static MetricOptions options(Collection<VmafModel> models) throws VmafModelException {
        List<VmafModel> concerned = models.stream()
                .filter(model -> model.metrics().stream().anyMatch(QualityMetric::takesOptions))
                .toList();
        for (VmafModel model : concerned) {
            if (!model.options().equals(concerned.get(0).options())) {
                throw new VmafModelException("the models " + concerned.get(0).name() + " and " + model.name()
                        + " ask for different options of CAMBI or SpEED; measure with one of them at a time");
            }
        }
        return concerned.isEmpty() ? MetricOptions.USUAL : concerned.get(0).options();
    }

    /** Names of the figures: scores first, then features in their order. */
    public List<String> names() {
        List<String> names = new ArrayList<>(models.keySet());
        log.features().forEach(feature -> names.add(options.label(feature)));
        return names;
    }

    /**
     * A figure of a picture; NaN for a component that the pictures do not have.
     *
     * @throws IllegalArgumentException when the log does not have this feature
     */
    public double figure(int picture, QualityFeature feature) {
        double value = log.get(picture, feature);
        return feature.metric() == QualityMetric.PSNR ? Math.min(value, 6 * bitDepth.applyAsInt(picture) + 12) : value;
    }

    /** The figures of a picture by name, in the order of {@link #names}. */
    public Map<String, Double> figures(int picture) {
        Map<String, Double> figures = new LinkedHashMap<>();
        models.forEach((name, model) -> figures.put(name, model.score(log, picture)));
        log.features().forEach(feature -> figures.put(options.label(feature), figure(picture, feature)));
        return figures;
    }

    /** The figures of all pictures that were measured, by name. */
    public Map<String, PooledFigures> pooled() {
        Map<String, PooledFigures> pooled = new LinkedHashMap<>();
        models.forEach((name, model) -> pooled.put(name, log.pool(model)));
        for (QualityFeature feature : log.features()) {
            pooled.put(options.label(feature), pool(feature));
        }
        return pooled;
    }

    /**
     * A figure of all pictures.
     *
     * @throws IllegalArgumentException when the log does not have this feature, or has no picture
     */
    public PooledFigures pool(QualityFeature feature) {
        return feature.metric() == QualityMetric.PSNR
                ? new PooledFigures(log.numbers()
                        .mapToDouble(picture -> figure(picture, feature))
                        .toArray())
                : log.pool(feature);
    }

    /** The members of libvmaf's log in JSON: frames that were measured, with metrics, pooled metrics, and no aggregate metrics. */
    public Map<String, Object> json() {
        List<Object> frames = new ArrayList<>();
        for (int picture : log.numbers().toArray()) {
            Map<String, Object> frame = new LinkedHashMap<>();
            frame.put("frameNum", picture);
            frame.put("metrics", finite(figures(picture)));
            frames.add(frame);
        }
        Map<String, Object> pooled = new LinkedHashMap<>();
        pooled().forEach((name, figures) -> pooled.put(name, poolings(figures)));
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("frames", frames);
        members.put("pooled_metrics", pooled);
        members.put("aggregate_metrics", Map.of());
        return members;
    }

    /** The figures of all pictures by libvmaf's names of how they are pooled, without those that are no number. */
    static Map<String, Double> poolings(PooledFigures figures) {
        Map<String, Double> of = new LinkedHashMap<>();
        of.put("min", figures.min());
        of.put("max", figures.max());
        of.put("mean", figures.mean());
        of.put("harmonic_mean", figures.harmonicMean());
        return finite(of);
    }

    /** JSON has no infinity: a figure that is none is left out. */
    static Map<String, Double> finite(Map<String, Double> figures) {
        Map<String, Double> all = new LinkedHashMap<>();
        figures.forEach((name, value) -> {
            if (Double.isFinite(value)) {
                all.put(name, Math.round(value * 1e6) / 1e6);
            }
        });
        return all;
    }

    /** The figures of a picture with commas between them, in the order of these names; nothing for one that is none. */
    public String csv(int picture, List<String> names) {
        Map<String, Double> figures = figures(picture);
        return names.stream().map(name -> decimals(figures.get(name))).collect(Collectors.joining(","));
    }

    private static String decimals(Double value) {
        return value == null || !Double.isFinite(value) ? "" : String.format(Locale.ROOT, "%.6f", value);
    }
}
