/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.compare;

import static org.gstqpu.pipelines.cli.CommandFailedException.problem;
import static org.gstqpu.pipelines.cli.CommandFailedException.unusable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.gstqpu.kernels.picture.PictureComponent;
import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.kernels.quality.MeterContext;
import org.gstqpu.kernels.quality.QualityFeature;
import org.gstqpu.kernels.quality.QualityLog;
import org.gstqpu.kernels.quality.QualityMetric;
import org.gstqpu.kernels.quality.QualitySums;
import org.gstqpu.kernels.quality.VmafModel;
import org.gstqpu.meter.VmafModels;
import org.gstqpu.pipelines.cli.CommandFailedException;
import org.gstqpu.pipelines.cli.Installation;
import org.gstqpu.pipelines.media.ElementChoice;
import org.gstqpu.pipelines.media.ElementStats;
import org.gstqpu.pipelines.media.Ffmpeg;
import org.gstqpu.pipelines.media.FilterPipe;
import org.gstqpu.pipelines.media.I420Picture;
import org.gstqpu.pipelines.media.PictureMeter;
import org.gstqpu.pipelines.media.Y4mReader;

/**
 * Gives the decoded pictures of one video to the element and to ffmpeg's filters. Holds the decoded pictures, and one filtered
 * picture of each filter for the page. Belongs to one thread.
 */
final class Comparison {
    static final String DECODED = "decoded";
    static final String REFERENCE = "reference";

    /** The number of pictures with which a quantiser is picked. */
    private static final int PICKING_PICTURES = 12;

    private final MeterContext context;
    private final Options options;
    private final String input;
    private final Optional<String> reference;
    private final boolean fullRange;
    private final List<I420Picture> decoded;
    private final List<I420Picture> references;
    private final int shownPicture;
    private final Map<String, I420Picture> shown = new LinkedHashMap<>();
    private final List<ComparisonReport.Row> rows = new ArrayList<>();

    /**
     * The options that are the same for all videos of a comparison.
     *
     * @param frames largest number of pictures per video
     * @param substrate substrate of the element; empty if the element chooses
     * @param elements properties of each element that is compared; at least one
     * @param filters ffmpeg's filters
     * @param metrics what is measured beside PSNR, SSIM and PSNR-HVS
     * @param warmUpSeconds warm-up before a speed is measured
     * @param seconds length of the measurement of a speed, 0 for none
     * @param progress receives lines of progress
     */
    record Options(
            int frames,
            Optional<String> substrate,
            List<Map<String, String>> elements,
            List<String> filters,
            Set<QualityMetric> metrics,
            double warmUpSeconds,
            double seconds,
            Consumer<String> progress) {
        static final VmafModel VMAF = VmafModels.builtIn(VmafModels.PLAIN);
        static final VmafModel VMAF_V1 = VmafModels.builtIn(VmafModels.V1);

        /** These options for videos of a size for which not all metrics are defined, or too slow to be measured unasked. */
        Options with(Set<QualityMetric> fewer) {
            return new Options(frames, substrate, elements, filters, fewer, warmUpSeconds, seconds, progress);
        }
    }

    /**
     * Decodes the video and its reference.
     *
     * @param context measures quality
     * @param folder folder for temporary files
     * @throws CommandFailedException when a video cannot be decoded, or the reference has another size
     */
    Comparison(MeterContext context, Options options, Path input, Optional<Path> reference, Path folder) {
        this.context = context;
        this.input = input.toString();
        this.reference = reference.map(Path::toString);
        try {
            Path file = folder.resolve("decoded.y4m");
            Ffmpeg.decode(input, options.frames(), Optional.empty(), file);
            fullRange = isFullRange(input, file);
            decoded = read(input, file);
            if (reference.isPresent()) {
                // Quality is measured on the decoder's samples as they are, so the reference is converted to their
                // range.
                Ffmpeg.decode(reference.get(), options.frames(), Optional.of(fullRange ? "pc" : "tv"), file);
                references = read(reference.get(), file);
            } else {
                references = List.of();
            }
            Files.delete(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (reference.isPresent()) {
            checkReference();
        }
        shownPicture = decoded.size() / 2;
        this.options = options.with(measurable(options.metrics()));
    }

    /** Those of the metrics that are defined for this video. */
    private Set<QualityMetric> measurable(Set<QualityMetric> wanted) {
        Set<QualityMetric> defined = EnumSet.noneOf(QualityMetric.class);
        defined.addAll(wanted);
        defined.retainAll(QualityMetric.definedFor(
                PixelFormat.I420, decoded.get(0).width(), decoded.get(0).height()));
        return defined;
    }

    private static boolean isFullRange(Path video, Path y4m) throws IOException {
        if (Files.size(y4m) == 0) {
            throw unusable(video + " has no pictures; give another");
        }
        try (Y4mReader reader = Y4mReader.open(y4m)) {
            return reader.isFullRange();
        }
    }

    private static List<I420Picture> read(Path video, Path y4m) throws IOException {
        List<I420Picture> pictures = new ArrayList<>();
        try (Y4mReader reader = Y4mReader.open(y4m)) {
            while (reader.hasNext()) {
                I420Picture next = reader.newPicture();
                reader.read(next);
                pictures.add(next);
            }
        }
        if (pictures.isEmpty()) {
            throw unusable(video + " has no pictures; give another");
        }
        return pictures;
    }

    private void checkReference() {
        I420Picture first = decoded.get(0);
        I420Picture wanted = references.get(0);
        if (!first.isSizeOf(wanted)) {
            throw unusable(reference.get() + " is " + wanted.width() + "x" + wanted.height() + " and " + input + " "
                    + first.width() + "x" + first.height() + "; give the reference of that size");
        }
        if (references.size() < decoded.size()) {
            throw unusable(reference.get() + " has " + references.size() + " pictures and " + input + " has "
                    + decoded.size() + "; give the whole reference, or --frames " + references.size());
        }
    }

    /** Sums up the figures of one filter while its pictures come. */
    private final class Tally implements FilterPipe.Results, AutoCloseable {
        private final PictureMeter meter;

        /** Measures what people rate; null where that is not measured. */
        private final PictureMeter rater;

        private final QualityLog rated = new QualityLog(options.metrics());
        private final QualitySums one = new QualitySums();
        private final QualitySums toReference = new QualitySums();
        private final QualitySums toInput = new QualitySums();
        private final GridSteps steps = new GridSteps();
        private final List<Double> perPicture = new ArrayList<>();
        private I420Picture shownHere;

        /**
         * @param rates true if the metrics of the options are measured, too
         */
        Tally(boolean rates) {
            int width = decoded.get(0).width();
            int height = decoded.get(0).height();
            meter = new PictureMeter(context, width, height);
            rater = rates && !references.isEmpty() && !options.metrics().isEmpty()
                    ? new PictureMeter(context, width, height, options.metrics())
                    : null;
        }

        @Override
        public void take(int index, I420Picture picture) {
            meter.measure(decoded.get(index), picture, toInput);
            steps.add(picture);
            if (references.isEmpty()) {
                GridSteps here = new GridSteps();
                here.add(picture);
                perPicture.add(finite(here.ratio()));
            } else {
                one.clear();
                meter.measure(references.get(index), picture, one);
                toReference.add(one);
                perPicture.add(finite(one.psnr(PictureComponent.Y)));
                if (rater != null) {
                    rater.measure(references.get(index), picture, rated);
                }
            }
            if (index == shownPicture) {
                shownHere = picture.copy();
            }
        }

        double psnr() {
            return toReference.psnr(PictureComponent.Y);
        }

        boolean isUnchanged() {
            return toInput.squaredError(PictureComponent.Y) == 0
                    && toInput.squaredError(PictureComponent.CB) == 0
                    && toInput.squaredError(PictureComponent.CR) == 0;
        }

        ComparisonReport.Row row(String name, Optional<Double> speed, String note, Optional<ElementChoice> chosen) {
            List<Double> vmafV1 = scores(Options.VMAF_V1);
            List<Double> cambi = rated(QualityFeature.CAMBI);
            List<Double> vmaf = scores(Options.VMAF);
            List<Double> msSsim = rated(QualityFeature.FLOAT_MS_SSIM);
            List<Double> ssimulacra2 = rated(QualityFeature.SSIMULACRA2);
            return new ComparisonReport.Row(
                    name,
                    null,
                    isUnchanged(),
                    finite(psnr()),
                    finite(toReference.ssim(PictureComponent.Y)),
                    finite(toReference.psnrHvs()),
                    mean(vmafV1),
                    mean(cambi),
                    mean(vmaf),
                    mean(msSsim),
                    mean(ssimulacra2),
                    finite(toInput.psnr(PictureComponent.Y)),
                    finite(steps.ratio()),
                    speed.orElse(null),
                    note,
                    chosen.orElse(null),
                    // Not List.copyOf, which allows no null: a PSNR is null if no sample differs.
                    Collections.unmodifiableList(new ArrayList<>(perPicture)),
                    vmafV1,
                    cambi,
                    vmaf,
                    msSsim,
                    ssimulacra2);
        }

        private List<Double> scores(VmafModel model) {
            List<Double> scores = new ArrayList<>();
            if (rater != null && options.metrics().containsAll(model.metrics())) {
                for (int i = 0; i < rated.pictures(); i++) {
                    scores.add(model.score(rated, i));
                }
            }
            return List.copyOf(scores);
        }

        /** A figure of each picture; null where it is not defined. Empty if it was not measured. */
        private List<Double> rated(QualityFeature feature) {
            List<Double> figures = new ArrayList<>();
            if (rater != null && rated.has(feature)) {
                for (int i = 0; i < rated.pictures(); i++) {
                    figures.add(finite(rated.get(i, feature)));
                }
            }
            return Collections.unmodifiableList(figures);
        }

        @Override
        public void close() {
            meter.close();
            if (rater != null) {
                rater.close();
            }
        }
    }

    private static Double mean(List<Double> values) {
        return values.isEmpty() || values.stream().anyMatch(Objects::isNull)
                ? null
                : values.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
    }

    private static Double finite(double value) {
        return Double.isFinite(value) ? value : null;
    }

    /**
     * Runs all filters.
     *
     * @param folder folder for temporary files
     * @throws CommandFailedException when the element fails, or does not run on the substrate that was asked for
     */
    ComparisonReport.Video run(Installation installation, Path folder) {
        say(input + ": " + decoded.size() + " pictures of " + decoded.get(0).width() + "x"
                + decoded.get(0).height());
        if (!references.isEmpty()) {
            shown.put(REFERENCE, references.get(shownPicture));
        }
        try (Tally tally = new Tally(true)) {
            for (int i = 0; i < decoded.size(); i++) {
                tally.take(i, decoded.get(i));
            }
            add(DECODED, tally, Optional.empty(), "", Optional.empty());
        }
        for (Map<String, String> properties : options.elements()) {
            runElement(installation, properties, folder.resolve("element.log"));
        }
        for (String filter : options.filters()) {
            try {
                runFfmpeg(filter);
            } catch (CommandFailedException e) {
                rows.add(ComparisonReport.Row.missing(
                        filter,
                        e.getMessage().contains("No such filter")
                                ? "this ffmpeg does not have that filter; Debian's has those of the default list"
                                : e.getMessage()));
            }
        }
        return new ComparisonReport.Video(
                input,
                reference.orElse(null),
                decoded.get(0).width(),
                decoded.get(0).height(),
                decoded.size(),
                List.copyOf(rows));
    }

    private void runElement(Installation installation, Map<String, String> properties, Path log) {
        ComparedFilter element = ComparedFilter.element(installation, options.substrate(), properties, log.toString());
        say("  " + element.name());
        try (Tally tally = new Tally(true)) {
            Optional<Double> speed = element.pipe().run(decoded, tally, options.warmUpSeconds(), options.seconds());
            ElementStats stats = ElementStats.find(Files.readString(log))
                    .orElseThrow(() -> problem("the element printed no statistics; see GST_DEBUG=qpuloopfilter:4"));
            Files.delete(log);
            boolean onDevice = stats.substrate().equals("qpu");
            if (options.substrate().isPresent()
                    && !options.substrate().get().equals("auto")
                    && !options.substrate().get().equals(stats.substrate())) {
                throw problem("the element ran on " + stats.substrate() + ", which was not asked for");
            }
            if (onDevice && stats.submits() == 0 && !tally.isUnchanged()) {
                throw problem("the element reports substrate qpu, but submitted nothing to " + stats.device());
            }
            ElementChoice chosen = ElementChoice.of(stats);
            add(
                    element.name(),
                    tally,
                    speed,
                    "on " + stats.device() + "; " + chosen.runs() + "; " + chosen.strengths(),
                    Optional.of(chosen));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void runFfmpeg(String filter) {
        ComparedFilter compared = ComparedFilter.ffmpeg(filter);
        String name = filter;
        String note = "";
        if (ComparedFilter.isWithoutQuantiser(filter)) {
            if (references.isEmpty()) {
                note = "does nothing without a quantiser, and decoded pictures come without one: give one, such as "
                        + ComparedFilter.withQuantiser(filter, 12).name();
            } else {
                int quantiser = pickQuantiser(filter);
                compared = ComparedFilter.withQuantiser(filter, quantiser);
                name = compared.name();
                note = "of " + ComparedFilter.QUANTISERS.size()
                        + " quantisers, the one whose result is closest to the reference";
            }
        }
        say("  " + name);
        try (Tally tally = new Tally(true)) {
            Optional<Double> speed = compared.pipe().run(decoded, tally, options.warmUpSeconds(), options.seconds());
            add(name, tally, speed, note, Optional.empty());
        }
    }

    /** The quantiser with which the first pictures are closest to the reference. */
    private int pickQuantiser(String filter) {
        List<I420Picture> first = decoded.subList(0, Math.min(PICKING_PICTURES, decoded.size()));
        int best = 0;
        double bestPsnr = Double.NEGATIVE_INFINITY;
        for (int quantiser : ComparedFilter.QUANTISERS) {
            try (Tally tally = new Tally(false)) {
                ComparedFilter.withQuantiser(filter, quantiser).pipe().run(first, tally, 0, 0);
                if (tally.psnr() > bestPsnr) {
                    bestPsnr = tally.psnr();
                    best = quantiser;
                }
            }
        }
        return best;
    }

    private void add(String name, Tally tally, Optional<Double> speed, String note, Optional<ElementChoice> chosen) {
        shown.put(name, tally.shownHere);
        rows.add(tally.row(name, speed, note, chosen));
    }

    private void say(String line) {
        options.progress().accept(line);
    }

    /** The same picture in each version, by name: of the reference if there is one, as decoded, and of each filter. */
    Map<String, I420Picture> shown() {
        return shown;
    }

    /** The number of the picture in {@link #shown}, from 0. */
    int shownPicture() {
        return shownPicture;
    }

    boolean isFullRange() {
        return fullRange;
    }
}
