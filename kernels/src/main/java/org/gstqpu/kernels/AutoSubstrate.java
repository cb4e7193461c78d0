/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels;

import java.util.function.BiFunction;
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
        return open(request, AutoSubstrate::times);
    }

    /** Does the same by other times. They are taken on the device that was opened, which stays this method's. */
    static FilterContext open(
            SubstrateRequest request, BiFunction<SubstrateRequest, VulkanFilterContext, SubstrateTimes> times)
            throws SubstrateUnavailableException {
        try {
            return openFaster(request, times);
        } catch (SubstrateUnavailableException e) {
            return insteadOfDevice(request, e);
        }
    }

    private static FilterContext openFaster(
            SubstrateRequest request, BiFunction<SubstrateRequest, VulkanFilterContext, SubstrateTimes> times)
            throws SubstrateUnavailableException {
        VulkanFilterContext qpu = VulkanFilterContext.open(VulkanOptions.of(request.device()));
        String measured;
        boolean serves = false;
        try {
            if (!qpu.capabilities().type().isGpu()) {
                return cpu(request, qpu.deviceName() + " is no GPU, it runs on the CPU");
            }
            SubstrateTimes found = times.apply(request, qpu);
            measured = found.explanation();
            if (found.faster() != Substrate.QPU) {
                return cpu(request, measured);
            }
            serves = !request.timing();
        } finally {
            if (!serves) {
                qpu.close();
            }
        }
        // Timestamps cost time, so the race was run without.
        return (serves
                        ? qpu
                        : VulkanFilterContext.open(
                                VulkanOptions.of(request.device()).measuring(GpuMeasurement.TIMESTAMPS)))
                .because("auto: " + measured);
    }

    private static SubstrateTimes times(SubstrateRequest request, VulkanFilterContext qpu) {
        return calibration(request, qpu).findOrRun(PictureRace.WORK, 1, () -> race(request, qpu));
    }

    private static Calibration calibration(SubstrateRequest request, VulkanFilterContext qpu) {
        return Calibration.of(Calibration.Scope.of(qpu.capabilities(), request.threads()));
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
        return openBlocks(request, AutoSubstrate::calibration);
    }

    /** Does the same with another calibration of the device that was opened. */
    static BlockContext openBlocks(
            SubstrateRequest request, BiFunction<SubstrateRequest, VulkanFilterContext, Calibration> calibrations)
            throws SubstrateUnavailableException {
        VulkanFilterContext qpu;
        try {
            qpu = VulkanFilterContext.open(VulkanOptions.of(request.device()));
        } catch (SubstrateUnavailableException e) {
            return insteadOfDevice(request, e);
        }
        boolean serves = false;
        try {
            Calibration calibration = calibrations.apply(request, qpu);
            BlockContext both = new AutoBlockContext(cpu(request, "the faster one"), qpu, calibration);
            serves = true;
            return both;
        } finally {
            if (!serves) {
                qpu.close();
            }
        }
    }

    /** Opens the CPU, unless the user named the device that cannot be used. */
    private static CpuFilterContext insteadOfDevice(SubstrateRequest request, SubstrateUnavailableException why)
            throws SubstrateUnavailableException {
        if (request.device().isPresent()) {
            throw why;
        }
        return cpu(request, why.getMessage());
    }

    private static CpuFilterContext cpu(SubstrateRequest request, String why) {
        return new CpuFilterContext(request.threads(), "auto: " + why);
    }
}
