/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.quality;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.gstqpu.kernels.internal.quality.MetricFamily;
import org.gstqpu.kernels.quality.MetricOptions;
import org.gstqpu.kernels.quality.QualityMetric;

/** Makes the extractors that some metrics need. */
final class DeviceExtractors {
    private DeviceExtractors() {}

    /**
     * The extractors of all these metrics.
     *
     * @param memory what owns their buffers
     * @throws org.gstqpu.kernels.substrate.DeviceException when the device has not the memory
     */
    static List<DeviceExtractor> of(
            Set<QualityMetric> metrics, MetricOptions options, ExtractorMemory memory, PairShape shape) {
        List<DeviceExtractor> extractors = new ArrayList<>();
        MetricFamily.of(metrics).forEach((family, wanted) -> add(family, wanted, options, memory, shape, extractors));
        return extractors;
    }

    private static void add(
            MetricFamily family,
            Set<QualityMetric> wanted,
            MetricOptions options,
            ExtractorMemory memory,
            PairShape shape,
            List<DeviceExtractor> to) {
        switch (family) {
            case SIMILARITY -> to.add(new SimilarityExtractor(shape));
            case HVS -> to.add(new HvsExtractor(memory, shape));
            case VIF ->
                to.add(new VifExtractor(
                        memory, shape, wanted.contains(QualityMetric.VIF), wanted.contains(QualityMetric.VIF_NEG)));
            case ADM -> to.add(new AdmExtractor(memory, shape, wanted));
            case MOTION -> to.add(new MotionExtractor(memory, shape, wanted));
            case FLOAT_VIF -> to.add(FloatVifExtractor.of(memory, shape));
            case FLOAT_ADM -> to.add(new FloatAdmExtractor(memory, shape));
            case FLOAT_MOTION -> to.add(new FloatMotionExtractor(memory, shape));
            case MS_SSIM -> to.add(MsSsimExtractor.of(memory, shape));
            case SSIMULACRA_2 -> to.add(new Ssimulacra2Extractor(memory, shape));
            case CAMBI -> to.add(new CambiExtractor(memory, shape, options));
            case SPEED_CHROMA -> wanted.forEach(metric -> to.add(new SpeedExtractor(memory, shape, metric, options)));
            case XPSNR -> to.add(new XpsnrExtractor(memory, shape, wanted));
        }
    }
}
