/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.meter;

import com.google.gson.GsonBuilder;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.gstqpu.kernels.Substrates;
import org.gstqpu.kernels.filter.FilterContext;
import org.gstqpu.kernels.metrics.Metrics;
import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.kernels.quality.MeterContext;
import org.gstqpu.kernels.quality.MetricOptions;
import org.gstqpu.kernels.quality.QualityFeature;
import org.gstqpu.kernels.quality.QualityFigures;
import org.gstqpu.kernels.quality.QualityLog;
import org.gstqpu.kernels.quality.QualityMetric;
import org.gstqpu.kernels.quality.SparseMeter;
import org.gstqpu.kernels.quality.VmafModel;
import org.gstqpu.kernels.substrate.DeviceCounters;
import org.gstqpu.kernels.substrate.DeviceException;
import org.gstqpu.kernels.substrate.DeviceFailure;
import org.gstqpu.kernels.substrate.Substrate;
import org.gstqpu.kernels.substrate.SubstrateRequest;
import org.gstqpu.kernels.substrate.SubstrateUnavailableException;
import org.gstqpu.meter.MeterException.Kind;
import org.gstqpu.plugin.PicturePair;
import org.lwjgl.system.MemoryUtil;

/**
 * A started qpumeter: the substrate, the meter for the format of the stream, and the figures so far. Belongs to one thread at a time;
 * {@link #counts} to any; closed
 * by {@link MeterRuntime}. Nothing is allocated in the steady state.
 */
final class MeterElement implements AutoCloseable {
    /** In place of a pair: the figures of all pairs, pooled. */
    static final int POOLED = -1;

    /** What messages tell, in the order of GstQpuMeterFigure, behind the score. */
    private static final List<QualityFeature> TOLD = Stream.of("psnr_y", "ssim_y", "float_ms_ssim")
            .map(label -> QualityFeature.named(label).orElseThrow())
            .toList();

    private final MeterSettings settings;
    private final String score;
    private final Map<String, VmafModel> models = new LinkedHashMap<>();
    private final Set<QualityMetric> metrics = EnumSet.noneOf(QualityMetric.class);
    private final MetricOptions options;
    private final QualityLog log;

    /** Bits a sample, by the first pair that has so many. */
    private final NavigableMap<Integer, Integer> bitDepths = new TreeMap<>();

    private final QualityFigures figures = new QualityFigures();
    private final Opener opener;
    private final Warnings warnings;
    private final PicturePair pair;

    /** The substrate in use; any thread reads its counters. */
    private volatile MeterContext context;

    /** What a device has counted that was given up. */
    private volatile DeviceCounters past = DeviceCounters.NONE;

    private SparseMeter meter;

    /** How a substrate is opened: {@link Metrics#open}. */
    @FunctionalInterface
    interface Opener {
        /** Opens it; the caller closes it. */
        MeterContext open(SubstrateRequest request) throws SubstrateUnavailableException;
    }

    /** Where the user is told of a device that failed: in one line, with the failure for the log. */
    @FunctionalInterface
    interface Warnings {
        void warn(String line, DeviceException failure);
    }

    /**
     * Opens the substrate and reads the models.
     *
     * @throws MeterException for a setting that means nothing, or a substrate that cannot be used
     */
    MeterElement(
            MeterSettings settings,
            Opener opener,
            Function<Supplier<MeterContext>, PicturePair> pairs,
            Warnings warnings)
            throws MeterException {
        this.settings = settings;
        this.opener = opener;
        this.warnings = warnings;
        score = addModel(settings.model(), settings.changes());
        for (String name : settings.further()) {
            add(name.strip());
        }
        metrics.addAll(settings.switchedOn());
        options = options(models);
        requireWritable(settings.results());
        log = new QualityLog(metrics, settings.every());
        context = open(settings.request());
        pair = pairs.apply(() -> context);
    }

    /** Refuses a file of results that could not be written at the end: the figures would be lost. */
    private static void requireWritable(Optional<Path> results) throws MeterException {
        if (results.isEmpty()) {
            return;
        }
        Path file = results.get();
        Path folder = file.toAbsolutePath().getParent();
        if (Files.isDirectory(file)
                || folder == null
                || !Files.isDirectory(folder)
                || !Files.isWritable(Files.exists(file) ? file : folder)) {
            throw unwritable(file, new AccessDeniedException(file.toString()));
        }
    }

    private static MeterException unwritable(Path file, IOException cause) {
        return new MeterException(
                Kind.WRITE,
                "results-filename: " + file + " cannot be written (" + cause
                        + "): name a file in a folder that is there and may be written to, and look at the disk",
                cause);
    }

    /** Adds the model of the property model-filename; returns the name of its score. */
    private String addModel(String text, Set<ModelChange> changes) throws MeterException {
        String name = VmafModels.scoreOf(text).orElse(text);
        try {
            VmafModel model = VmafModels.builtIn().contains(name)
                    ? VmafModels.builtIn(name, changes)
                    : VmafModels.read(Path.of(text), changes);
            String label = VmafModels.builtIn().contains(name) ? name : model.name();
            models.put(label, model);
            metrics.addAll(model.metrics());
            return label;
        } catch (IOException e) {
            throw new MeterException(
                    Kind.SETTINGS,
                    "model-filename is " + text + ", which is neither a file that can be read nor one of "
                            + String.join(", ", VmafModels.builtIn()),
                    e);
        } catch (VmafModelException e) {
            throw new MeterException(Kind.SETTINGS, "model-filename: " + e.getMessage(), e);
        }
    }

    private static MetricOptions options(Map<String, VmafModel> models) throws MeterException {
        try {
            return Measurement.options(models.values());
        } catch (VmafModelException e) {
            throw new MeterException(Kind.SETTINGS, "model-filename: " + e.getMessage(), e);
        }
    }

    /** Adds a name of the property metrics. */
    private void add(String name) throws MeterException {
        if (VmafModels.builtIn().contains(name)) {
            if (!name.equals(score)) {
                addModel(name, Set.of());
            }
            return;
        }
        metrics.add(Arrays.stream(QualityMetric.values())
                .filter(metric -> metric.label().equals(name.toLowerCase(Locale.ROOT)))
                .findFirst()
                .orElseThrow(() -> new MeterException(
                        Kind.SETTINGS,
                        "metrics takes some of " + String.join(", ", VmafModels.builtIn()) + ", "
                                + Arrays.stream(QualityMetric.values())
                                        .map(QualityMetric::label)
                                        .collect(Collectors.joining(", "))
                                + ", given " + name)));
    }

    private MeterContext open(SubstrateRequest request) throws MeterException {
        try {
            Substrate substrate = request.substrate();
            if (substrate == Substrate.AUTO) {
                try (FilterContext faster = Substrates.open(request)) {
                    substrate = faster.substrate();
                }
            }
            return opener.open(new SubstrateRequest(substrate, request.device(), request.threads()));
        } catch (SubstrateUnavailableException e) {
            throw new MeterException(Kind.NOT_FOUND, e.getMessage(), e);
        }
    }

    /**
     * The pictures are of these streams from now on: see {@link PicturePair#setFormat}.
     *
     * @throws MeterException if a metric is not defined for them
     */
    void setFormat(long reference, long distorted) throws MeterException {
        pair.setFormat(reference, distorted);
        PixelFormat format = pair.format();
        int width = pair.width();
        int height = pair.height();
        String undefined = metrics.stream()
                .filter(metric -> !metric.isDefinedFor(format, width, height, options))
                .map(metric -> metric.label() + " (from " + metric.needs(format, options) + ")")
                .collect(Collectors.joining(", "));
        if (!undefined.isEmpty()) {
            throw new MeterException(
                    Kind.FORMAT,
                    "Not defined for pictures of " + format + " " + width + "x" + height + ": " + undefined
                            + "; choose another model-filename, or leave out what needs them");
        }
        bitDepths.put(log.pictures(), format.bitDepth());
        closeMeter();
        try {
            meter = newMeter();
        } catch (DeviceException e) {
            goOnOnCpu(e);
        }
    }

    private SparseMeter newMeter() {
        synchronized (pair.lock()) {
            return new SparseMeter(
                    context, pair.format(), pair.width(), pair.height(), metrics, options, settings.every());
        }
    }

    /**
     * Puts the CPU in the place of a device that has failed: a meter is no reason for a video to stop.
     *
     * @throws DeviceException {@code failure}, if the CPU cannot take its place
     */
    private void goOnOnCpu(DeviceException failure) {
        if (context.substrate() == Substrate.CPU) {
            throw failure;
        }
        MeterContext device = context;
        try {
            context = opener.open(new SubstrateRequest(
                    Substrate.CPU, Optional.empty(), settings.request().threads()));
        } catch (SubstrateUnavailableException e) {
            failure.addSuppressed(e);
            throw failure;
        }
        past = past.plus(device.counters());
        pair.forgetImports();
        try (device) {
            closeMeter();
        } catch (DeviceException e) {
            failure.addSuppressed(e);
        }
        meter = newMeter();
        warnings.warn(
                device.deviceName() + " failed: " + failure.getMessage()
                        + ". The CPU measures in its place, from pair " + log.pictures()
                        + " on, whose motion counts as that of a first picture",
                failure);
    }

    /**
     * Measures a pair.
     *
     * @param reference a GstBuffer that the caller keeps during the call
     * @param distorted another, or the same
     * @throws MeterException if a buffer does not hold a picture, or would be copied and must not be
     */
    void measure(long reference, long distorted, boolean begins) throws MeterException {
        if (begins) {
            meter.restart();
        }
        try {
            measure(reference, distorted);
        } catch (DeviceException e) {
            goOnOnCpu(e);
            measure(reference, distorted);
        }
        log.add(figures);
    }

    private void measure(long reference, long distorted) throws MeterException {
        boolean onDevice = context.substrate() == Substrate.QPU;
        try {
            Optional<String> problem = pair.hold(reference, distorted, onDevice);
            if (problem.isPresent()) {
                throw new MeterException(Kind.FORMAT, problem.get());
            }
            if (settings.requireZeroCopy() && onDevice) {
                requireZeroCopy();
            }
            synchronized (pair.lock()) {
                meter.measure(log.pictures(), pair.reference(), pair.distorted(), figures);
            }
        } catch (DeviceException e) {
            if (e.failure() == DeviceFailure.TIMED_OUT) {
                pair.keepForEver();
            }
            throw e;
        } finally {
            pair.release();
        }
    }

    private void requireZeroCopy() throws MeterException {
        Optional<String> obstacle = pair.copyReason();
        if (obstacle.isPresent()) {
            throw new MeterException(
                    Kind.DEVICE_FAILED,
                    "require-zero-copy is set and the picture would be copied: " + obstacle.get()
                            + "; set require-zero-copy=false to allow the copy");
        }
    }

    /** Writes what has been counted to an address, in the order of GstQpuMeterCount; any thread, until it is closed. */
    void counts(long to) {
        PicturePair.Counts held = pair.counts();
        DeviceCounters counted = past.plus(context.counters());
        long[] counts = {
            counted.submits(),
            counted.bytesCopied() + held.mergedBytes(),
            counted.copies() + held.merged(),
            counted.reRecords(),
            held.dmabufImports(),
            held.hostImports(),
            held.importHits(),
            counted.fencesImported(),
            counted.cpuWaits(),
            counted.gathered()
        };
        for (int i = 0; i < counts.length; i++) {
            MemoryUtil.memPutLong(to + (long) i * Long.BYTES, counts[i]);
        }
    }

    /** Writes what messages tell of a pair, or of {@link #POOLED}, to an address. */
    void figures(int pair, long to) {
        Measurement measured = measurement();
        VmafModel model = models.get(score);
        write(to, 0, pair == POOLED ? settings.pool().applyAsDouble(log.pool(model)) : model.score(log, pair));
        for (int i = 0; i < TOLD.size(); i++) {
            QualityFeature feature = TOLD.get(i);
            boolean wanted = settings.switchedOn().contains(feature.metric());
            write(to, i + 1, wanted ? told(measured, pair, feature) : Double.NaN);
        }
    }

    private double told(Measurement measured, int pair, QualityFeature feature) {
        return pair == POOLED ? settings.pool().applyAsDouble(measured.pool(feature)) : measured.figure(pair, feature);
    }

    private static void write(long to, int number, double value) {
        MemoryUtil.memPutDouble(to + (long) number * Double.BYTES, value);
    }

    private Measurement measurement() {
        return new Measurement(picture -> bitDepths.floorEntry(picture).getValue(), log, models, options);
    }

    /**
     * Writes the file of results, if there is to be one.
     *
     * @param referenceOnly pictures of the reference that had no counterpart
     * @param distortedOnly pictures of the distorted video that had none
     * @throws MeterException if it cannot be written
     */
    void report(long referenceOnly, long distortedOnly) throws MeterException {
        if (settings.results().isEmpty()) {
            return;
        }
        Path file = settings.results().get();
        try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(file))) {
            Map<String, Long> counts = new LinkedHashMap<>();
            counts.put("pairs", (long) log.pictures());
            counts.put("reference_only", referenceOnly);
            counts.put("distorted_only", distortedOnly);
            switch (settings.format()) {
                case CSV -> printCsv(out);
                case XML -> XmlLog.write(out, measurement(), pair.width(), pair.height(), counts);
                case JSON -> printJson(out, counts);
            }
            if (out.checkError()) {
                throw new IOException("the disk may be full");
            }
        } catch (IOException e) {
            throw unwritable(file, e);
        }
    }

    private void printJson(PrintWriter out, Map<String, Long> counts) {
        Map<String, Object> members = new LinkedHashMap<>(measurement().json());
        members.putAll(counts);
        out.println(new GsonBuilder()
                .setPrettyPrinting()
                .disableHtmlEscaping()
                .create()
                .toJson(members));
    }

    private void printCsv(PrintWriter out) {
        Measurement measured = measurement();
        List<String> names = measured.names();
        out.println("frame," + String.join(",", names));
        for (int picture : log.numbers().toArray()) {
            out.println(picture + "," + measured.csv(picture, names));
        }
    }

    private void closeMeter() {
        if (meter != null) {
            SparseMeter closed = meter;
            meter = null;
            synchronized (pair.lock()) {
                closed.close();
            }
        }
    }

    @Override
    public void close() {
        // Each part is closed even if closing the part before it failed.
        MeterContext last = context;
        try (last;
                pair) {
            closeMeter();
        }
    }
}
