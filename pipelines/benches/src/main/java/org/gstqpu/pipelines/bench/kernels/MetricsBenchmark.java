/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.bench.kernels;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.gstqpu.kernels.internal.vulkan.device.VulkanCounters;
import org.gstqpu.kernels.internal.vulkan.device.VulkanCounters.Counted;
import org.gstqpu.kernels.internal.vulkan.quality.VulkanMeterContext;
import org.gstqpu.kernels.internal.vulkan.work.DevicePicture;
import org.gstqpu.kernels.picture.HostMemory;
import org.gstqpu.kernels.picture.Picture;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.kernels.quality.MeterContext;
import org.gstqpu.kernels.quality.QualityFeature;
import org.gstqpu.kernels.quality.QualityFigures;
import org.gstqpu.kernels.quality.QualityLog;
import org.gstqpu.kernels.quality.QualityMeter;
import org.gstqpu.kernels.quality.QualityMetric;
import org.gstqpu.meter.VmafModels;
import org.gstqpu.pipelines.bench.DispatchTimes;
import org.gstqpu.pipelines.cli.VideoSize;
import org.gstqpu.pipelines.cli.WrongResultException;

/**
 * Measures the metrics on the CPU and on the device, with pictures in the device's own memory and in that of the process, and libvmaf's
 * tool beside them where it is installed. The figures of the substrates are compared before a time is taken. Belongs to the context's thread.
 */
public final class MetricsBenchmark {
    private static final int WARM_UP = 5;

    /** A device that had nothing to do takes part of a second to come to its full clock. */
    private static final long WARM_UP_NANOS = 500_000_000L;

    /** Pairs that take turns, so that there is motion. */
    private static final int PAIRS = 2;

    /** A case is ended after so long, when it has this many pairs. */
    private static final long CASE_NANOS = 2_000_000_000L;

    private static final int FEWEST = 3;

    private static final double SAME = 1e-4;
    private static final double SAME_SSIMULACRA2 = 0.01;

    /** What libvmaf's tool calls the metrics that it has, too. */
    private static final Map<QualityMetric, String> EXTRACTORS = Map.ofEntries(
            Map.entry(QualityMetric.VIF, "vif"),
            Map.entry(QualityMetric.VIF_NEG, "vif=vif_enhn_gain_limit=1.0"),
            Map.entry(QualityMetric.ADM, "adm"),
            Map.entry(QualityMetric.ADM_NEG, "adm=adm_enhn_gain_limit=1.0"),
            Map.entry(QualityMetric.MOTION, "motion"),
            Map.entry(QualityMetric.FLOAT_VIF, "float_vif"),
            Map.entry(QualityMetric.FLOAT_ADM, "float_adm"),
            Map.entry(QualityMetric.FLOAT_MOTION, "float_motion"),
            Map.entry(QualityMetric.MS_SSIM, "float_ms_ssim"),
            Map.entry(
                    QualityMetric.ADM_V1,
                    "adm=adm_csf_mode=2:adm_dlm_weight=0.7:adm_enhn_gain_limit=1.0:adm_min_val=0.5:adm_noise_weight=0.02"),
            Map.entry(QualityMetric.MOTION_V1, "motion=motion_max_val=18.0"),
            Map.entry(
                    QualityMetric.CAMBI,
                    "cambi=cambi_high_res_speedup=1080:cambi_max_val=17.0:cambi_vis_lum_threshold=0.06"),
            Map.entry(
                    QualityMetric.SPEED_CHROMA,
                    "speed_chroma=speed_max_val=45.0:speed_nn_floor=0.1:speed_sigma_nn=0.19:speed_weight_var_mode=5"));

    private final VulkanMeterContext context;
    private final VulkanCounters counters;
    private final MeterContext cpu;
    private final int threads;
    private final int pairs;
    private final Optional<String> libvmaf = VmafTool.version();

    /**
     * @param threads threads of {@code cpu}
     * @param pairs most pairs a case, 1 or more
     */
    public MetricsBenchmark(VulkanMeterContext context, MeterContext cpu, int threads, int pairs) {
        this.context = context;
        counters = context.runtime().device().counters();
        this.cpu = cpu;
        this.threads = threads;
        this.pairs = pairs;
    }

    /** What is measured together, by name: the features of VMAF, of VMAF and NEG, and of VMAF v1, each metric, and all. */
    static Map<String, Set<QualityMetric>> choices() {
        Map<String, Set<QualityMetric>> choices = new LinkedHashMap<>();
        Set<QualityMetric> vmaf = VmafModels.builtIn(VmafModels.PLAIN).metrics();
        Set<QualityMetric> both = EnumSet.copyOf(vmaf);
        both.addAll(VmafModels.builtIn(VmafModels.NEG).metrics());
        choices.put(VmafModels.PLAIN, vmaf);
        choices.put(VmafModels.PLAIN + "+" + VmafModels.NEG, both);
        choices.put(VmafModels.V1, VmafModels.builtIn(VmafModels.V1).metrics());
        for (QualityMetric metric : QualityMetric.values()) {
            choices.put(metric.label(), EnumSet.of(metric));
        }
        choices.put("all", EnumSet.allOf(QualityMetric.class));
        return choices;
    }

    /**
     * Measures some of the {@link #choices}.
     *
     * @throws WrongResultException when figures differ, or a pair took more or fewer submissions than one
     */
    public MetricsReport run(List<VideoSize> sizes, Map<String, Set<QualityMetric>> choices) {
        List<MetricsReport.Case> cases = new ArrayList<>();
        for (VideoSize size : sizes) {
            try (Bench bench = new Bench(size)) {
                choices.forEach((name, metrics) -> cases.add(bench.measure(name, metrics)));
            }
        }
        return new MetricsReport(
                context.deviceName(),
                context.runtime().device().capabilities().driver(),
                threads,
                libvmaf.orElse(null),
                cases);
    }

    /** The times of some pairs, and what the device did for each. */
    private record Times(long p50Nanos, Long gpuP50Nanos, double submits, double dispatches) {}

    /** The pictures of one size, which it owns. */
    private final class Bench implements AutoCloseable {
        private final PictureLayout layout;
        private final List<Picture> references = new ArrayList<>();
        private final List<Picture> measured = new ArrayList<>();
        private final List<DevicePicture> owned = new ArrayList<>();
        private final List<Picture> deviceReferences = new ArrayList<>();
        private final List<Picture> deviceMeasured = new ArrayList<>();
        private final Optional<VmafTool> tool;

        Bench(VideoSize size) {
            layout = PictureLayout.packed(PixelFormat.I420, size.width(), size.height(), 1);
            List<ByteBuffer> referenceBytes = new ArrayList<>();
            List<ByteBuffer> measuredBytes = new ArrayList<>();
            for (int i = 0; i < PAIRS; i++) {
                ByteBuffer reference = ByteBuffer.allocateDirect(Math.toIntExact(layout.sizeBytes()));
                ByteBuffer picture = ByteBuffer.allocateDirect(reference.capacity());
                draw(reference, picture, i);
                referenceBytes.add(reference);
                measuredBytes.add(picture);
                references.add(Picture.of(HostMemory.of(reference), layout));
                measured.add(Picture.of(HostMemory.of(picture), layout));
                deviceReferences.add(onDevice(reference));
                deviceMeasured.add(onDevice(picture));
            }
            tool = libvmaf.map(
                    version -> new VmafTool(referenceBytes, measuredBytes, size.width(), size.height(), threads));
        }

        private Picture onDevice(ByteBuffer bytes) {
            DevicePicture picture = new DevicePicture(context.runtime(), bytes.capacity());
            owned.add(picture);
            picture.write(bytes);
            return Picture.of(picture, layout);
        }

        /** Waves with noise that move, and of them what is left after a coarse quantiser with some noise of its own. */
        private void draw(ByteBuffer reference, ByteBuffer picture, int number) {
            Random random = new Random(number);
            for (int plane = 0; plane < PixelFormat.I420.planes(); plane++) {
                int stride = layout.strideBytes(plane);
                for (int y = 0; y < layout.rows(plane); y++) {
                    int at = Math.toIntExact(layout.offsetBytes(plane) + (long) y * stride);
                    for (int x = 0; x < layout.rowBytes(plane); x++) {
                        double wave = Math.sin((x + 3 * number) / 9.0) * Math.cos(y / 13.0);
                        int level = 120 + (int) (60 * wave) + random.nextInt(12);
                        reference.put(at + x, (byte) level);
                        picture.put(at + x, (byte) (level / 9 * 9 + random.nextInt(5)));
                    }
                }
            }
        }

        MetricsReport.Case measure(String name, Set<QualityMetric> metrics) {
            try (QualityMeter onCpu = newMeter(cpu, metrics);
                    QualityMeter onDevice = newMeter(context, metrics)) {
                QualityLog wanted = log(onCpu, references, measured);
                check(name, wanted, log(onDevice, deviceReferences, deviceMeasured));
                Times ofCpu = times(onCpu, references, measured);
                Times ofDevice = times(onDevice, deviceReferences, deviceMeasured);
                if (ofDevice.submits != 1) {
                    throw new WrongResultException(name + ": a pair took " + ofDevice.submits + " submissions");
                }
                Times staged = times(onDevice, references, measured);
                onDevice.restart();
                check(name, wanted, log(onDevice, references, measured));
                Long plain = null;
                Long inAssembler = null;
                if (tool.isPresent() && EXTRACTORS.keySet().containsAll(metrics)) {
                    List<String> extractors =
                            metrics.stream().map(EXTRACTORS::get).toList();
                    inAssembler = tool.get().pairNanos(extractors, true);
                    plain = tool.get().pairNanos(extractors, false);
                }
                return new MetricsReport.Case(
                        name,
                        layout.width(),
                        layout.height(),
                        ofCpu.p50Nanos,
                        ofDevice.p50Nanos,
                        ofDevice.gpuP50Nanos,
                        staged.p50Nanos,
                        ofDevice.submits,
                        ofDevice.dispatches,
                        inAssembler,
                        plain);
            }
        }

        private QualityMeter newMeter(MeterContext on, Set<QualityMetric> metrics) {
            return on.newMeter(PixelFormat.I420, layout.width(), layout.height(), metrics);
        }

        private QualityLog log(QualityMeter meter, List<Picture> from, List<Picture> of) {
            QualityLog log = new QualityLog(meter.metrics());
            QualityFigures figures = new QualityFigures();
            for (int i = 0; i < PAIRS; i++) {
                meter.measure(from.get(i), of.get(i), figures);
                log.add(figures);
            }
            return log;
        }

        private Times times(QualityMeter meter, List<Picture> from, List<Picture> of) {
            QualityFigures figures = new QualityFigures();
            long begin = System.nanoTime();
            int warmUp = Math.min(WARM_UP, pairs);
            for (int i = 0; i < warmUp || (pairs >= WARM_UP && System.nanoTime() - begin < WARM_UP_NANOS); i++) {
                meter.measure(from.get(i % PAIRS), of.get(i % PAIRS), figures);
                if (System.nanoTime() - begin >= CASE_NANOS) {
                    break;
                }
            }
            long submits = counters.get(Counted.SUBMITS);
            long dispatches = counters.get(Counted.DISPATCHES);
            long timed = counters.get(Counted.MEASURED_SUBMITS);
            long[] nanos = new long[pairs];
            long[] gpuNanos = new long[pairs];
            int count = 0;
            begin = System.nanoTime();
            while (count < pairs && (count < FEWEST || System.nanoTime() - begin < CASE_NANOS)) {
                long gpuBegin = counters.get(Counted.GPU_NANOS);
                long start = System.nanoTime();
                meter.measure(from.get(count % PAIRS), of.get(count % PAIRS), figures);
                nanos[count] = System.nanoTime() - start;
                gpuNanos[count] = counters.get(Counted.GPU_NANOS) - gpuBegin;
                count++;
            }
            boolean byTimestamps = counters.get(Counted.MEASURED_SUBMITS) - timed == count;
            return new Times(
                    DispatchTimes.of(0, Arrays.copyOf(nanos, count)).p50Nanos(),
                    byTimestamps
                            ? DispatchTimes.of(0, Arrays.copyOf(gpuNanos, count))
                                    .p50Nanos()
                            : null,
                    (double) (counters.get(Counted.SUBMITS) - submits) / count,
                    (double) (counters.get(Counted.DISPATCHES) - dispatches) / count);
        }

        @Override
        public void close() {
            tool.ifPresent(VmafTool::close);
            owned.forEach(DevicePicture::close);
        }
    }

    /** Compares the figures of the device with those of the CPU. */
    private static void check(String name, QualityLog wanted, QualityLog got) {
        for (QualityFeature feature : wanted.features()) {
            double same = feature.label().startsWith("integer_")
                    ? 0
                    : feature == QualityFeature.SSIMULACRA2 ? SAME_SSIMULACRA2 : SAME;
            for (int i = 0; i < wanted.pictures(); i++) {
                double byCpu = wanted.get(i, feature);
                double byDevice = got.get(i, feature);
                if (!(Math.abs(byCpu - byDevice) <= same)) {
                    throw new WrongResultException(name + ": " + feature.label() + " of picture " + i + " is "
                            + byDevice + " on the device and " + byCpu + " on the CPU");
                }
            }
        }
    }
}
