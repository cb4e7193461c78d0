/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.metrics;

import org.gstqpu.kernels.internal.cpu.quality.CpuMeterContext;
import org.gstqpu.kernels.internal.vulkan.quality.VulkanMeterContext;
import org.gstqpu.kernels.internal.vulkan.work.VulkanOptions;
import org.gstqpu.kernels.quality.MeterContext;
import org.gstqpu.kernels.substrate.Substrate;
import org.gstqpu.kernels.substrate.SubstrateRequest;
import org.gstqpu.kernels.substrate.SubstrateUnavailableException;

/** The entrance of the metrics: opens substrates. Holds nothing; any thread may call it. */
public final class Metrics {
    private Metrics() {}

    /**
     * Opens a substrate that measures pictures. Both give the same figures. The caller closes it.
     *
     * @throws IllegalArgumentException for {@link Substrate#AUTO}, which nothing decides for metrics
     * @throws SubstrateUnavailableException when {@link Substrate#QPU} was asked for and cannot be used
     */
    public static MeterContext open(SubstrateRequest request) throws SubstrateUnavailableException {
        return switch (request.substrate()) {
            case CPU -> new CpuMeterContext(request.threads());
            case QPU -> VulkanMeterContext.open(VulkanOptions.of(request.device()));
            case AUTO -> throw new IllegalArgumentException("metrics run on cpu or qpu, given auto");
        };
    }
}
