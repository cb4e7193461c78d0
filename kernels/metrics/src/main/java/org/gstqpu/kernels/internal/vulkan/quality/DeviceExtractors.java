/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.quality;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.gstqpu.kernels.internal.quality.MetricFamily;
import org.gstqpu.kernels.internal.vulkan.work.DeviceRuntime;
import org.gstqpu.kernels.quality.MetricOptions;
import org.gstqpu.kernels.quality.QualityMetric;
import org.gstqpu.kernels.substrate.DeviceException;

/** Makes the extractors that some metrics need. */
final class DeviceExtractors {
    private DeviceExtractors() {}

    /**
     * The extractors of all these metrics, which the caller closes.
     *
     * @throws DeviceException when the device has not the memory; nothing is left behind
     */
    static List<DeviceExtractor> of(
            Set<QualityMetric> metrics, MetricOptions options, DeviceRuntime runtime, PairShape shape) {
        List<DeviceExtractor> extractors = new ArrayList<>();
        try {
            MetricFamily.of(metrics)
                    .forEach((family, wanted) -> add(family, wanted, options, runtime, shape, extractors));
        } catch (DeviceException e) {
            extractors.forEach(DeviceExtractor::close);
            throw e;
        }
        return extractors;
    }

    private static void add(
            MetricFamily family,
            Set<QualityMetric> wanted,
            MetricOptions options,
            DeviceRuntime runtime,
            PairShape shape,
            List<DeviceExtractor> to) {
        switch (family) {
            case SIMILARITY -> to.add(new SimilarityExtractor(runtime, shape));
            case HVS -> to.add(new HvsExtractor(runtime, shape));
            case VIF ->
                to.add(new VifExtractor(
                        runtime, shape, wanted.contains(QualityMetric.VIF), wanted.contains(QualityMetric.VIF_NEG)));
            case ADM -> to.add(new AdmExtractor(runtime, shape, wanted));
            case MOTION -> to.add(new MotionExtractor(runtime, shape, wanted));
            case FLOAT_VIF -> to.add(new FloatVifExtractor(runtime, shape));
            case FLOAT_ADM -> to.add(new FloatAdmExtractor(runtime, shape));
            case FLOAT_MOTION -> to.add(new FloatMotionExtractor(runtime, shape));
            case MS_SSIM -> to.add(new MsSsimExtractor(runtime, shape));
            case SSIMULACRA_2 -> to.add(new Ssimulacra2Extractor(runtime, shape));
            case CAMBI -> to.add(new CambiExtractor(runtime, shape, options));
            case SPEED_CHROMA -> wanted.forEach(metric -> to.add(new SpeedExtractor(runtime, shape, metric, options)));
            case XPSNR -> to.add(new XpsnrExtractor(runtime, shape, wanted));
        }
    }
}
