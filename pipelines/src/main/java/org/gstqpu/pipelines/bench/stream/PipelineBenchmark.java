/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.bench.stream;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.gstqpu.pipelines.bench.Medians;
import org.gstqpu.pipelines.bench.stream.PipelineCase.Origin;
import org.gstqpu.pipelines.bench.stream.PipelineMeter.PipelineFailedException;
import org.gstqpu.pipelines.bench.stream.PipelineMeter.Reading;
import org.gstqpu.pipelines.bench.stream.PipelineMeter.Window;
import org.gstqpu.pipelines.cli.ChildProcess;
import org.gstqpu.pipelines.cli.CommandFailedException;
import org.gstqpu.pipelines.cli.ExitStatus;
import org.gstqpu.pipelines.cli.VideoSize;
import org.gstqpu.pipelines.cli.WrongResultException;

/**
 * Measures whole pipelines: one case for each way in which the element reaches a picture, and cases with GStreamer's own Vulkan
 * elements. The cases take turns. Before and after each measurement, the pictures are compared with those of the CPU; GStreamer's
 * are compared with those of videoconvert. The element's statistics must show the path that the case is named after. Used by one
 * thread.
 */
final class PipelineBenchmark {
    private static final String UDMABUF = "/dev/udmabuf";

    /**
     * Largest allowed mean difference between GStreamer's conversion to RGB by Vulkan and that by the CPU. The two round
     * differently and use different positions of chroma samples.
     */
    private static final double RGB_TOLERANCE = 4;

    private static final Window REFERENCE = new Window(0, 0, 1);

    private final PipelineMeter meter;
    private final Path folder;
    private final Window window;
    private final List<PipelineCase> cases;
    private final Consumer<String> progress;

    /** A case at one size, with the readings of its rounds. */
    private static final class Entry {
        private final PipelineCase measured;
        private final List<Reading> readings = new ArrayList<>();
        private String missing;

        Entry(PipelineCase measured) {
            this.measured = measured;
        }
    }

    /**
     * @param folder keeps the test pictures; pictures of an earlier run are used again
     * @param filter the element under test with its properties except {@code substrate}, as gst-launch-1.0 takes it
     * @param progress receives lines of progress
     */
    PipelineBenchmark(PipelineMeter meter, Path folder, Window window, String filter, Consumer<String> progress) {
        this.meter = meter;
        this.folder = folder;
        this.window = window;
        this.progress = progress;
        cases = PipelineCase.all(filter);
    }

    /**
     * Measures every case at every size.
     *
     * @throws WrongResultException when a picture was wrong, or was filtered on another substrate than asked for
     */
    PipelineReport run(List<VideoSize> sizes, int rounds) {
        List<PipelineReport.Case> results = new ArrayList<>();
        String device = null;
        for (VideoSize size : sizes) {
            TestPictures pictures = TestPictures.in(folder, size);
            Map<String, PictureFile> references = references(pictures);
            List<Entry> entries = cases.stream().map(Entry::new).toList();
            for (int round = 0; round < rounds; round++) {
                for (Entry entry : entries) {
                    if (entry.missing == null) {
                        progress.accept(size.name() + ", round " + (round + 1) + " of " + rounds + ": "
                                + entry.measured.name());
                        measure(entry, pictures, references);
                    }
                }
            }
            for (Entry entry : entries) {
                results.add(result(entry, pictures));
                if (entry.measured.onDevice() && !entry.readings.isEmpty()) {
                    device = entry.readings.get(0).end().orElseThrow().device();
                }
            }
        }
        return new PipelineReport(device, rounds, window.seconds(), results);
    }

    /** The expected pictures of each kind of case: the unchanged ones, those filtered by the CPU, and those converted by the CPU. */
    private Map<String, PictureFile> references(TestPictures pictures) {
        int bytes = pictures.size().pictureBytes();
        Map<String, PictureFile> references = new LinkedHashMap<>();
        references.put("NV12", new PictureFile(pictures.nv12(), bytes));
        references.put("I420", new PictureFile(pictures.i420(), bytes));
        PipelineCase onCpu = cases.stream()
                .filter(one -> one.path() == PipelineCase.Path.CPU)
                .findFirst()
                .orElseThrow();
        for (String format : List.of("NV12", "I420")) {
            PictureFile filtered = reference(pictures, format, "filtered", onCpu.elements(), bytes);
            if (filtered.differs(0, references.get(format), 0, 0).isEmpty()) {
                throw new WrongResultException(
                        "the filter does not change the test picture: there is nothing to measure");
            }
            references.put(format + " filtered", filtered);
        }
        references.put(
                "RGBA",
                reference(
                        pictures,
                        "NV12",
                        "rgba",
                        List.of("videoconvert", "!", "video/x-raw,format=RGBA"),
                        pictures.size().width() * pictures.size().height() * 4));
        return references;
    }

    private PictureFile reference(
            TestPictures pictures, String format, String what, List<String> elements, int pictureBytes) {
        Path file = folder.resolve("reference-" + what + "-" + format + ".raw");
        List<String> pipeline = new ArrayList<>(List.of("appsrc", "name=source", "!"));
        elements.forEach(element -> pipeline.addAll(List.of(element.split(" "))));
        pipeline.addAll(List.of("!", "fakesink", "name=sink"));
        List<String> options = new ArrayList<>(pictures.asSource(format, "system"));
        options.addAll(List.of("--first", file + "," + TestPictures.COUNT));
        try {
            meter.measure(REFERENCE, options, pipeline);
        } catch (PipelineFailedException e) {
            throw new CommandFailedException(
                    ExitStatus.PROBLEM, "the pictures to compare with cannot be made: " + e.getMessage(), e);
        }
        return new PictureFile(file, pictureBytes);
    }

    private static List<String> pipeline(PipelineCase measured, TestPictures pictures) {
        List<String> pipeline = new ArrayList<>(
                measured.origin() == Origin.DECODER
                        ? List.of(
                                "multifilesrc",
                                "location=" + pictures.stream(),
                                "loop=true",
                                "caps=video/x-h264,stream-format=byte-stream,framerate=30/1",
                                "!",
                                "h264parse",
                                "!",
                                "avdec_h264")
                        : List.of("appsrc", "name=source"));
        if (!measured.elements().isEmpty()) {
            pipeline.add("!");
            measured.elements().forEach(element -> pipeline.addAll(List.of(element.split(" "))));
        }
        pipeline.addAll(List.of("!", "fakesink", "name=sink"));
        return pipeline;
    }

    private void measure(Entry entry, TestPictures pictures, Map<String, PictureFile> references) {
        PipelineCase measured = entry.measured;
        Optional<String> lacking = lacking(measured);
        if (lacking.isPresent()) {
            entry.missing = lacking.get();
            return;
        }
        Path first = folder.resolve("first.raw");
        Path last = folder.resolve("last.raw");
        List<String> options = new ArrayList<>(
                switch (measured.origin()) {
                    case MEMORY -> pictures.asSource("NV12", "system");
                    case DMABUF -> pictures.asSource("NV12", "dmabuf");
                    case DECODER -> List.<String>of();
                });
        options.addAll(List.of("--first", first + ",2", "--last", last.toString()));
        PipelineMeter own = measured.path() == PipelineCase.Path.COPIES
                ? meter.with("GST_QPU_JVM_OPTIONS", "-Dorg.gstqpu.copies=true")
                : meter;
        Reading reading;
        try {
            reading = own.measure(window, options, pipeline(measured, pictures));
        } catch (PipelineFailedException e) {
            if (e.crashed() && measured.path() != PipelineCase.Path.FOREIGN) {
                throw new CommandFailedException(ExitStatus.PROBLEM, e.getMessage(), e);
            }
            // GStreamer's own elements may crash on this driver. There is then nothing to compare with.
            entry.missing = e.getMessage();
            return;
        }
        if (measured.path() != PipelineCase.Path.NONE && measured.path() != PipelineCase.Path.FOREIGN) {
            Optional<String> other = measured.otherPath(reading);
            if (other.isPresent()) {
                entry.missing = other.get();
                return;
            }
        }
        check(measured, first, last, reading.last(), references);
        entry.readings.add(reading);
    }

    /** What this machine lacks for a case, with the cure; empty if it lacks nothing. */
    private Optional<String> lacking(PipelineCase measured) {
        if (measured.origin() == Origin.DMABUF && !Files.isWritable(Path.of(UDMABUF))) {
            return Optional.of(
                    "this user cannot open " + UDMABUF + ": modprobe udmabuf, and join the group that owns it");
        }
        Map<String, String> packages = new LinkedHashMap<>();
        if (measured.origin() == Origin.DECODER) {
            packages.put("h264parse", "gstreamer1.0-plugins-bad");
            packages.put("avdec_h264", "gstreamer1.0-libav");
        }
        if (measured.path() == PipelineCase.Path.FOREIGN) {
            for (String element : List.of("vulkanupload", "vulkancolorconvert", "vulkandownload")) {
                packages.put(element, "gstreamer1.0-plugins-bad");
            }
        }
        for (Map.Entry<String, String> one : packages.entrySet()) {
            if (!exists(one.getKey())) {
                return Optional.of("no element " + one.getKey() + ": apt install " + one.getValue());
            }
        }
        return Optional.empty();
    }

    private boolean exists(String element) {
        return new ChildProcess(List.of("gst-inspect-1.0", "--exists", element), meter.environment())
                        .run(60)
                        .orElseThrow(() -> new CommandFailedException(
                                ExitStatus.UNAVAILABLE, "there is no gst-inspect-1.0: apt install gstreamer1.0-tools"))
                        .status()
                == 0;
    }

    private static void check(
            PipelineCase measured, Path first, Path last, long lastIndex, Map<String, PictureFile> references) {
        String format = measured.origin() == Origin.DECODER ? "I420" : "NV12";
        PictureFile expected = switch (measured.path()) {
            case NONE -> references.get(format);
            case FOREIGN -> references.get("RGBA");
            default -> references.get(format + " filtered");
        };
        double tolerance = measured.path() == PipelineCase.Path.FOREIGN ? RGB_TOLERANCE : 0;
        PictureFile begin = new PictureFile(first, expected.pictureBytes());
        for (int i = 0; i < 2; i++) {
            fail(measured, "at the begin", begin.differs(i, expected, i, tolerance));
        }
        fail(
                measured,
                "after the measurement",
                new PictureFile(last, expected.pictureBytes())
                        .differs(0, expected, (int) (lastIndex % TestPictures.COUNT), tolerance));
    }

    private static void fail(PipelineCase measured, String when, Optional<String> difference) {
        if (difference.isPresent()) {
            throw new WrongResultException(measured.name() + ", " + when + ": " + difference.get());
        }
    }

    private static PipelineReport.Case result(Entry entry, TestPictures pictures) {
        String pipeline = String.join(" ", pipeline(entry.measured, pictures));
        String size = pictures.size().name();
        if (entry.missing != null) {
            return new PipelineReport.Case(
                    size, entry.measured.name(), pipeline, null, null, null, null, entry.missing);
        }
        Reading any = entry.readings.get(0);
        boolean counted = any.end().isPresent();
        return new PipelineReport.Case(
                size,
                entry.measured.name(),
                pipeline,
                Medians.of(entry.readings, Reading::picturesPerSecond),
                Medians.of(entry.readings, Reading::cpuSecondsPerPicture),
                counted ? perPicture(any, "submits") : null,
                counted ? perPicture(any, "copies") : null,
                null);
    }

    private static double perPicture(Reading reading, String field) {
        return (double) reading.end().orElseThrow().since(reading.begin().orElseThrow(), field) / reading.pictures();
    }
}
