/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.measure;

import static org.gstqpu.pipelines.cli.CommandFailedException.unusable;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.kernels.quality.MetricOptions;
import org.gstqpu.kernels.quality.QualityMetric;
import org.gstqpu.kernels.quality.VmafModel;
import org.gstqpu.meter.Measurement;
import org.gstqpu.meter.VmafModelException;
import org.gstqpu.meter.VmafModels;
import org.gstqpu.pipelines.cli.CommandFailedException;

/**
 * What a command line asks for: metrics, and models of VMAF that are computed from them. Immutable.
 *
 * @param metrics the metrics, with those that the models need
 * @param models the models, by the name of their score
 * @param options of CAMBI and SpEED
 * @param named true if the user named them, so that one that is not defined for a video is an error
 */
record MetricNames(Set<QualityMetric> metrics, Map<String, VmafModel> models, MetricOptions options, boolean named) {
    /** What people look at first. */
    static final String DEFAULT = "vmaf_v1,vmaf,vmaf_neg,psnr,ssim,ms_ssim,ssimulacra2";

    private static final String ALL = "all";

    /**
     * Reads names.
     *
     * @param names names with commas between them, or {@code all}; empty for {@link #DEFAULT}
     * @param files files of further models
     * @param chosen values of options by their names; none for what the models ask for
     * @param v1 the score of VMAF v1 that suits the video, for {@link #DEFAULT}
     * @param xpsnr what {@code xpsnr} means for the video
     * @throws CommandFailedException for a name that is none, or a file that is no model
     */
    static MetricNames of(
            Optional<String> names, List<Path> files, Map<String, String> chosen, String v1, QualityMetric xpsnr) {
        Set<QualityMetric> metrics = EnumSet.noneOf(QualityMetric.class);
        Map<String, VmafModel> models = new LinkedHashMap<>();
        List<String> wanted = names.map(text -> text.equals(ALL)
                        ? Stream.concat(VmafModels.builtIn().stream(), metricNames())
                                .toList()
                        : List.of(text.split(",", -1)))
                .orElse(List.of(DEFAULT.replace(VmafModels.V1, v1).split(",", -1)));
        for (String name : wanted) {
            if (VmafModels.builtIn().contains(name)) {
                models.put(name, VmafModels.builtIn(name));
            } else {
                QualityMetric metric = metric(name);
                metrics.add(metric == QualityMetric.XPSNR ? xpsnr : metric);
            }
        }
        for (Path file : files) {
            VmafModel model = read(file);
            models.put(model.name(), model);
        }
        models.values().forEach(model -> metrics.addAll(model.metrics()));
        boolean named = names.isPresent() && !names.get().equals(ALL);
        return new MetricNames(metrics, models, options(models, chosen), named);
    }

    private static MetricOptions options(Map<String, VmafModel> models, Map<String, String> chosen) {
        try {
            if (chosen.isEmpty()) {
                return Measurement.options(models.values());
            }
            MetricOptions options = MetricOptions.USUAL;
            for (Map.Entry<String, String> entry : chosen.entrySet()) {
                options = options.with(entry.getKey(), entry.getValue());
            }
            if ((options.encWidth() == 0) != (options.encHeight() == 0)) {
                throw new IllegalArgumentException("enc_width and enc_height are given together");
            }
            return options;
        } catch (VmafModelException e) {
            throw unusable(e.getMessage(), e);
        } catch (IllegalArgumentException e) {
            throw unusable("--option: " + e.getMessage(), e);
        }
    }

    private static Stream<String> metricNames() {
        return Arrays.stream(QualityMetric.values()).map(QualityMetric::label);
    }

    private static QualityMetric metric(String name) {
        return Arrays.stream(QualityMetric.values())
                .filter(metric -> metric.label().equals(name.toLowerCase(Locale.ROOT)))
                .findFirst()
                .orElseThrow(() -> unusable("--metrics takes all, or some of "
                        + String.join(", ", VmafModels.builtIn())
                        + ", "
                        + metricNames().collect(Collectors.joining(", "))
                        + ", given "
                        + name));
    }

    private static VmafModel read(Path file) {
        try {
            return VmafModels.read(file);
        } catch (VmafModelException e) {
            throw unusable(e.getMessage(), e);
        } catch (NoSuchFileException e) {
            throw unusable(file + ": no such file of a model", e);
        } catch (IOException e) {
            throw unusable(file + ": the model cannot be read (" + e.getMessage() + ")", e);
        }
    }

    /**
     * What of it is defined for such pictures.
     *
     * @throws CommandFailedException if the user named one that is not, or none is left
     */
    MetricNames definedOf(PictureLayout layout, String shape) {
        Set<QualityMetric> left = EnumSet.copyOf(metrics);
        left.removeIf(metric -> !metric.isDefinedFor(layout.format(), layout.width(), layout.height(), options));
        Map<String, VmafModel> models = new LinkedHashMap<>(this.models);
        models.values().removeIf(model -> !left.containsAll(model.metrics()));
        String missing = inWords(metrics.stream().filter(metric -> !left.contains(metric)), layout.format());
        if (left.isEmpty() || (named && !missing.isEmpty())) {
            throw unusable("not defined for pictures of " + shape + ": " + missing + "; leave out what needs them");
        }
        return new MetricNames(left, models, options, named);
    }

    /** What is not defined, in words, if some of these is missing in {@code defined}. */
    Optional<String> leftOutOf(MetricNames defined, PixelFormat format) {
        if (defined.metrics.containsAll(metrics)) {
            return Optional.empty();
        }
        List<String> scores = models.keySet().stream()
                .filter(name -> !defined.models.containsKey(name))
                .toList();
        return Optional.of("these are not defined: "
                + inWords(metrics.stream().filter(metric -> !defined.metrics.contains(metric)), format)
                + (scores.isEmpty() ? "" : "; so there is no " + String.join(", ", scores)));
    }

    private String inWords(Stream<QualityMetric> metrics, PixelFormat format) {
        return metrics.map(metric -> metric.label() + " (from " + metric.needs(format, options) + ")")
                .collect(Collectors.joining(", "));
    }
}
