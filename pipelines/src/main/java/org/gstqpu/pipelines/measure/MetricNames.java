/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.measure;

import java.io.IOException;
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
import org.gstqpu.kernels.quality.QualityMetric;
import org.gstqpu.kernels.quality.VmafModel;
import org.gstqpu.pipelines.cli.CommandFailedException;
import org.gstqpu.pipelines.cli.ExitStatus;

/**
 * What a command line asks for: metrics, and models of VMAF that are computed from them. Immutable.
 *
 * @param metrics the metrics, with those that the models need
 * @param models the models, by the name of their score
 * @param named true if the user named them, so that one that is not defined for a video is an error
 */
record MetricNames(Set<QualityMetric> metrics, Map<String, VmafModel> models, boolean named) {
    /** What people look at first. */
    static final String DEFAULT = "vmaf,psnr,ssim,ms_ssim,ssimulacra2";

    private static final String ALL = "all";
    private static final Map<String, String> MODELS = Map.of("vmaf", VmafModels.PLAIN, "vmaf_neg", VmafModels.NEG);

    /**
     * Reads names.
     *
     * @param names names with commas between them, or {@code all}; empty for {@link #DEFAULT}
     * @param files files of further models
     * @throws CommandFailedException for a name that is none, or a file that is no model
     */
    static MetricNames of(Optional<String> names, List<Path> files) {
        Set<QualityMetric> metrics = EnumSet.noneOf(QualityMetric.class);
        Map<String, VmafModel> models = new LinkedHashMap<>();
        List<String> wanted = names.map(text -> text.equals(ALL)
                        ? Stream.concat(Stream.of("vmaf", "vmaf_neg"), metricNames())
                                .toList()
                        : List.of(text.split(",", -1)))
                .orElse(List.of(DEFAULT.split(",", -1)));
        for (String name : wanted) {
            if (MODELS.containsKey(name)) {
                models.put(name, VmafModels.builtIn(MODELS.get(name)));
            } else {
                metrics.add(metric(name));
            }
        }
        for (Path file : files) {
            VmafModel model = read(file);
            models.put(model.name(), model);
        }
        models.values().forEach(model -> metrics.addAll(model.metrics()));
        boolean named = names.isPresent() && !names.get().equals(ALL);
        return new MetricNames(metrics, models, named);
    }

    private static Stream<String> metricNames() {
        return Arrays.stream(QualityMetric.values()).map(QualityMetric::label);
    }

    private static QualityMetric metric(String name) {
        return Arrays.stream(QualityMetric.values())
                .filter(metric -> metric.label().equals(name.toLowerCase(Locale.ROOT)))
                .findFirst()
                .orElseThrow(() -> new CommandFailedException(
                        ExitStatus.UNUSABLE_INPUT,
                        "--metrics takes all, or some of vmaf, vmaf_neg, "
                                + metricNames().collect(Collectors.joining(", ")) + ", given " + name));
    }

    private static VmafModel read(Path file) {
        try {
            return VmafModels.read(file);
        } catch (VmafModelException e) {
            throw new CommandFailedException(ExitStatus.UNUSABLE_INPUT, e.getMessage(), e);
        } catch (IOException e) {
            throw new CommandFailedException(
                    ExitStatus.UNUSABLE_INPUT, file + ": the model cannot be read (" + e.getMessage() + ")", e);
        }
    }

    /**
     * What of it is defined for such pictures.
     *
     * @param defined the metrics that are defined
     * @throws CommandFailedException if the user named one that is not, or none is left
     */
    MetricNames definedOf(Set<QualityMetric> defined, String shape) {
        Set<QualityMetric> left = EnumSet.copyOf(metrics);
        left.retainAll(defined);
        Map<String, VmafModel> models = new LinkedHashMap<>(this.models);
        models.values().removeIf(model -> !left.containsAll(model.metrics()));
        String missing = inWords(metrics.stream().filter(metric -> !defined.contains(metric)));
        if (left.isEmpty() || (named && !missing.isEmpty())) {
            throw new CommandFailedException(
                    ExitStatus.UNUSABLE_INPUT,
                    "not defined for pictures of " + shape + ": " + missing + "; leave out what needs them");
        }
        return new MetricNames(left, models, named);
    }

    /** What is not defined, in words, if some of these is missing in {@code defined}. */
    Optional<String> leftOutOf(MetricNames defined) {
        if (defined.metrics.containsAll(metrics)) {
            return Optional.empty();
        }
        List<String> scores = models.keySet().stream()
                .filter(name -> !defined.models.containsKey(name))
                .toList();
        return Optional.of("these are not defined: "
                + inWords(metrics.stream().filter(metric -> !defined.metrics.contains(metric)))
                + (scores.isEmpty() ? "" : "; so there is no " + String.join(", ", scores)));
    }

    private static String inWords(Stream<QualityMetric> metrics) {
        return metrics.map(metric -> metric.label() + " (from " + metric.smallestSide() + "x" + metric.smallestSide()
                        + (metric.needsChroma() ? ", with chroma" : "") + ")")
                .collect(Collectors.joining(", "));
    }
}
