/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.quality;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.gstqpu.kernels.internal.vulkan.work.DeviceRuntime;
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
    static List<DeviceExtractor> of(Set<QualityMetric> metrics, DeviceRuntime runtime, PairShape shape) {
        List<DeviceExtractor> extractors = new ArrayList<>();
        try {
            for (QualityMetric metric : metrics) {
                one(metric, metrics, runtime, shape).ifPresent(extractors::add);
            }
        } catch (DeviceException e) {
            extractors.forEach(DeviceExtractor::close);
            throw e;
        }
        return extractors;
    }

    /** The extractor of a metric; empty if it shares that of another one of the metrics. The compiler asks for a case of every metric. */
    private static Optional<DeviceExtractor> one(
            QualityMetric metric, Set<QualityMetric> all, DeviceRuntime runtime, PairShape shape) {
        return switch (metric) {
            case PSNR -> Optional.of(new SimilarityExtractor(runtime, shape));
            case SSIM ->
                all.contains(QualityMetric.PSNR)
                        ? Optional.empty()
                        : Optional.of(new SimilarityExtractor(runtime, shape));
            case PSNR_HVS -> Optional.of(new HvsExtractor(runtime, shape));
            case VIF -> Optional.of(new VifExtractor(runtime, shape, true, all.contains(QualityMetric.VIF_NEG)));
            case VIF_NEG ->
                all.contains(QualityMetric.VIF)
                        ? Optional.empty()
                        : Optional.of(new VifExtractor(runtime, shape, false, true));
            case ADM -> Optional.of(new AdmExtractor(runtime, shape, true, all.contains(QualityMetric.ADM_NEG)));
            case ADM_NEG ->
                all.contains(QualityMetric.ADM)
                        ? Optional.empty()
                        : Optional.of(new AdmExtractor(runtime, shape, false, true));
            case MOTION -> Optional.of(new MotionExtractor(runtime, shape));
            case FLOAT_VIF -> Optional.of(new FloatVifExtractor(runtime, shape));
            case FLOAT_ADM -> Optional.of(new FloatAdmExtractor(runtime, shape));
            case FLOAT_MOTION -> Optional.of(new FloatMotionExtractor(runtime, shape));
            case MS_SSIM -> Optional.of(new MsSsimExtractor(runtime, shape));
            case SSIMULACRA_2 -> Optional.of(new Ssimulacra2Extractor(runtime, shape));
        };
    }
}
