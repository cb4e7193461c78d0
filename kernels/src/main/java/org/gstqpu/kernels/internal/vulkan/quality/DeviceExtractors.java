/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.quality;

import java.util.ArrayList;
import java.util.List;
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
            if (metrics.contains(QualityMetric.PSNR) || metrics.contains(QualityMetric.SSIM)) {
                extractors.add(new SimilarityExtractor(runtime, shape));
            }
            if (metrics.contains(QualityMetric.PSNR_HVS)) {
                extractors.add(new HvsExtractor(runtime, shape));
            }
            boolean vif = metrics.contains(QualityMetric.VIF);
            boolean vifNeg = metrics.contains(QualityMetric.VIF_NEG);
            if (vif || vifNeg) {
                extractors.add(new VifExtractor(runtime, shape, vif, vifNeg));
            }
            boolean adm = metrics.contains(QualityMetric.ADM);
            boolean admNeg = metrics.contains(QualityMetric.ADM_NEG);
            if (adm || admNeg) {
                extractors.add(new AdmExtractor(runtime, shape, adm, admNeg));
            }
            if (metrics.contains(QualityMetric.MOTION)) {
                extractors.add(new MotionExtractor(runtime, shape));
            }
            if (metrics.contains(QualityMetric.FLOAT_VIF)) {
                extractors.add(new FloatVifExtractor(runtime, shape));
            }
            if (metrics.contains(QualityMetric.FLOAT_ADM)) {
                extractors.add(new FloatAdmExtractor(runtime, shape));
            }
            if (metrics.contains(QualityMetric.FLOAT_MOTION)) {
                extractors.add(new FloatMotionExtractor(runtime, shape));
            }
            if (metrics.contains(QualityMetric.MS_SSIM)) {
                extractors.add(new MsSsimExtractor(runtime, shape));
            }
            if (metrics.contains(QualityMetric.SSIMULACRA_2)) {
                extractors.add(new Ssimulacra2Extractor(runtime, shape));
            }
        } catch (DeviceException e) {
            extractors.forEach(DeviceExtractor::close);
            throw e;
        }
        return extractors;
    }
}
