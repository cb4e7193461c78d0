/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.measure;

import com.google.gson.GsonBuilder;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.gstqpu.kernels.quality.PooledFigures;
import org.gstqpu.kernels.quality.QualityFeature;
import org.gstqpu.kernels.quality.QualityMetric;
import org.gstqpu.pipelines.cli.TextTable;

/** What was measured, as a table, as CSV, and as JSON in the form of libvmaf's log. Stateless. */
final class MeasureText {
    /** What the table shows of each video, in this order, where it was measured. */
    private static final List<String> SHOWN = List.of(
            "vmaf",
            "vmaf_neg",
            QualityMetric.CAMBI.label(),
            "psnr_y",
            "ssim_y",
            "float_ms_ssim",
            "ssimulacra2",
            "psnr_hvs_unmasked_y",
            "xpsnr_weighted",
            "xpsnr_minimum",
            "xpsnr_hfr_weighted",
            "xpsnr_hfr_minimum");

    private MeasureText() {}

    /** A row for each video: the means of its main figures, and the least of the first. */
    static void printTable(PrintWriter out, List<MeasuredVideo> videos) {
        List<String> names = new ArrayList<>();
        for (MeasuredVideo video : videos) {
            video.measured().models().keySet().stream()
                    .filter(name -> !names.contains(name))
                    .forEach(names::add);
        }
        // Its name in logs has all its options.
        String cambi = videos.get(0).measured().options().label(QualityFeature.CAMBI);
        SHOWN.stream()
                .map(name -> name.equals(QualityMetric.CAMBI.label()) ? cambi : name)
                .filter(name -> !names.contains(name))
                .filter(name -> videos.stream()
                        .anyMatch(video -> video.measured().names().contains(name)))
                .forEach(names::add);
        if (names.isEmpty()) {
            names.addAll(videos.get(0).measured().names());
        }
        List<String> heading = new ArrayList<>(List.of("video", "pictures"));
        names.forEach(name -> heading.add(name.equals(cambi) ? QualityMetric.CAMBI.label() : name));
        heading.add("least " + names.get(0));
        TextTable table = new TextTable(heading.toArray(String[]::new));
        for (MeasuredVideo video : videos) {
            Map<String, PooledFigures> pooled = video.measured().pooled();
            List<String> row = new ArrayList<>(List.of(
                    video.distorted(), Integer.toString(video.measured().log().measured())));
            names.forEach(name -> row.add(figure(pooled.get(name), PooledFigures::mean)));
            row.add(figure(pooled.get(names.get(0)), PooledFigures::min));
            table.row(row.toArray(String[]::new));
        }
        table.print(out);
    }

    private static String figure(PooledFigures pooled, ToDoubleFunction<PooledFigures> which) {
        return pooled == null ? "-" : String.format(Locale.ROOT, "%.3f", which.applyAsDouble(pooled));
    }

    /** A line for each picture. */
    static void printCsv(PrintWriter out, List<MeasuredVideo> videos) {
        List<String> names = videos.get(0).measured().names();
        out.println("video,frame," + String.join(",", names));
        for (MeasuredVideo video : videos) {
            for (int picture : video.measured().log().numbers().toArray()) {
                out.println(quoted(video.distorted()) + "," + picture + ","
                        + video.measured().csv(picture, names));
            }
        }
        out.flush();
    }

    private static String quoted(String name) {
        return name.matches("[^,\"\n]*") ? name : '"' + name.replace("\"", "\"\"") + '"';
    }

    /** An object a video under "videos", each as libvmaf's log: frames with metrics, and pooled metrics. */
    static void printJson(PrintWriter out, List<MeasuredVideo> videos) {
        List<Object> all = new ArrayList<>();
        for (MeasuredVideo video : videos) {
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("distorted", video.distorted());
            one.put("reference", video.reference());
            one.put("shift", video.shift());
            one.put("reference_only", video.originalOnly());
            one.put("distorted_only", video.madeOnly());
            one.put("fps", Math.round(video.framesPerSecond() * 100) / 100.0);
            one.putAll(video.measured().json());
            all.add(one);
        }
        out.println(new GsonBuilder()
                .setPrettyPrinting()
                .disableHtmlEscaping()
                .create()
                .toJson(Map.of("videos", all)));
        out.flush();
    }
}
