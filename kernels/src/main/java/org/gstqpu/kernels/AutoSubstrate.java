/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels;

import org.gstqpu.kernels.block.BlockContext;
import org.gstqpu.kernels.filter.FilterContext;
import org.gstqpu.kernels.internal.cpu.CpuFilterContext;
import org.gstqpu.kernels.internal.vulkan.VulkanFilterContext;
import org.gstqpu.kernels.internal.vulkan.VulkanOptions;
import org.gstqpu.kernels.internal.vulkan.device.GpuMeasurement;
import org.gstqpu.kernels.substrate.Substrate;
import org.gstqpu.kernels.substrate.SubstrateRequest;
import org.gstqpu.kernels.substrate.SubstrateUnavailableException;

/** Chooses the substrate for {@link Substrate#AUTO}, by a {@link Calibration}. Holds nothing; any thread. */
final class AutoSubstrate {
    private AutoSubstrate() {}

    /**
     * Opens the faster substrate. Its reason says what was measured, or why nothing was.
     *
     * @throws SubstrateUnavailableException when the user named a device and it cannot be used
     */
    static FilterContext open(SubstrateRequest request) throws SubstrateUnavailableException {
        VulkanFilterContext qpu;
        try {
            qpu = VulkanFilterContext.open(VulkanOptions.of(request.device()));
        } catch (SubstrateUnavailableException e) {
            if (request.device().isPresent()) {
                throw e;
            }
            return cpu(request, e.getMessage());
        }
        if (!qpu.capabilities().type().isGpu()) {
            qpu.close();
            return cpu(request, qpu.deviceName() + " is no GPU, it runs on the CPU");
        }
        Calibration calibration = Calibration.of(Calibration.Scope.of(qpu.capabilities(), request.threads()));
        SubstrateTimes times = calibration.findOrRun(PictureRace.WORK, 1, () -> race(request, qpu));
        if (times.faster() == Substrate.QPU) {
            return timed(request, qpu).because("auto: " + times.explanation());
        }
        qpu.close();
        return cpu(request, times.explanation());
    }

    /** The device, opened again with timestamps if the request asks for them. The race is without, since timestamps cost time. */
    private static VulkanFilterContext timed(SubstrateRequest request, VulkanFilterContext qpu)
            throws SubstrateUnavailableException {
        if (!request.timing()) {
            return qpu;
        }
        qpu.close();
        return VulkanFilterContext.open(VulkanOptions.of(request.device()).measuring(GpuMeasurement.TIMESTAMPS));
    }

    private static SubstrateTimes race(SubstrateRequest request, FilterContext qpu) {
        try (FilterContext cpu = cpu(request, "calibration")) {
            return PictureRace.run(cpu, qpu);
        }
    }

    /**
     * Opens the CPU and the device for blocks, or the CPU alone if there is no device.
     *
     * @throws SubstrateUnavailableException when the user named a device and it cannot be used
     */
    static BlockContext openBlocks(SubstrateRequest request) throws SubstrateUnavailableException {
        VulkanFilterContext qpu;
        try {
            qpu = VulkanFilterContext.open(VulkanOptions.of(request.device()));
        } catch (SubstrateUnavailableException e) {
            if (request.device().isPresent()) {
                throw e;
            }
            return cpu(request, e.getMessage());
        }
        return new AutoBlockContext(
                cpu(request, "the faster one"),
                qpu,
                Calibration.of(Calibration.Scope.of(qpu.capabilities(), request.threads())));
    }

    private static CpuFilterContext cpu(SubstrateRequest request, String why) {
        return new CpuFilterContext(request.threads(), "auto: " + why);
    }
}
