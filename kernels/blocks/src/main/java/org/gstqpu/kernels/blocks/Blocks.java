/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.blocks;

import java.util.List;
import java.util.function.BiFunction;
import org.gstqpu.kernels.block.BlockContext;
import org.gstqpu.kernels.internal.cpu.block.CpuBlockContext;
import org.gstqpu.kernels.internal.race.Calibration;
import org.gstqpu.kernels.internal.vulkan.block.VulkanBlockContext;
import org.gstqpu.kernels.internal.vulkan.work.VulkanOptions;
import org.gstqpu.kernels.substrate.Substrate;
import org.gstqpu.kernels.substrate.SubstrateRequest;
import org.gstqpu.kernels.substrate.SubstrateTimes;
import org.gstqpu.kernels.substrate.SubstrateUnavailableException;

/** The entrance of the block library: opens substrates. Holds nothing; any thread may call it. */
public final class Blocks {
    private Blocks() {}

    /**
     * Opens a substrate that runs block calls. The caller closes it.
     *
     * <p>{@link Substrate#AUTO} opens the CPU and the device, and runs each call where calls of its size are faster. The first
     * {@link BlockContext#prepare} of a kernel measures that in some tenths of a second, once for each device, driver, Java, number
     * of threads and version of this library; the user's cache folder keeps the times. {@link
     * org.gstqpu.kernels.block.PreparedCall#choice} says what was chosen and why.
     *
     * @throws SubstrateUnavailableException when {@link Substrate#QPU} or a device was asked for and cannot be used
     */
    public static BlockContext open(SubstrateRequest request) throws SubstrateUnavailableException {
        return switch (request.substrate()) {
            case CPU -> new CpuBlockContext(request.threads(), "the CPU was asked for");
            case AUTO -> openFaster(request, Blocks::calibration);
            case QPU -> VulkanBlockContext.open(VulkanOptions.of(request.device()));
        };
    }

    /**
     * The times by which {@link Substrate#AUTO} runs blocks: those of every kernel, for every batch size. Times that were never
     * measured are measured now, which takes some seconds.
     *
     * @return kernel by kernel, the smallest batches first; empty if there is no device
     * @throws SubstrateUnavailableException when a device was asked for and cannot be used
     */
    public static List<SubstrateTimes> times(SubstrateRequest request) throws SubstrateUnavailableException {
        try (BlockContext context = openFaster(request, Blocks::calibration)) {
            return context instanceof AutoBlockContext auto ? auto.allTimes() : List.of();
        }
    }

    /** Opens the CPU and the device, or the CPU alone if there is no device, with a calibration of the device that was opened. */
    static BlockContext openFaster(
            SubstrateRequest request, BiFunction<SubstrateRequest, VulkanBlockContext, Calibration> calibrations)
            throws SubstrateUnavailableException {
        VulkanBlockContext qpu;
        try {
            qpu = VulkanBlockContext.open(VulkanOptions.of(request.device()));
        } catch (SubstrateUnavailableException e) {
            if (request.device().isPresent()) {
                throw e;
            }
            return new CpuBlockContext(request.threads(), "auto: " + e.getMessage());
        }
        boolean serves = false;
        try {
            Calibration calibration = calibrations.apply(request, qpu);
            BlockContext both = new AutoBlockContext(
                    new CpuBlockContext(request.threads(), "auto: the faster one"), qpu, calibration);
            serves = true;
            return both;
        } finally {
            if (!serves) {
                qpu.close();
            }
        }
    }

    private static Calibration calibration(SubstrateRequest request, VulkanBlockContext qpu) {
        return Calibration.of(Calibration.Scope.of(qpu.runtime().device().capabilities(), request.threads()));
    }
}
