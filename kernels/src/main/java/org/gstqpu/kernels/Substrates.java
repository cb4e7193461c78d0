/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels;

import java.util.List;
import org.gstqpu.kernels.block.BlockContext;
import org.gstqpu.kernels.filter.FilterContext;
import org.gstqpu.kernels.internal.cpu.CpuFilterContext;
import org.gstqpu.kernels.internal.vulkan.VulkanFilterContext;
import org.gstqpu.kernels.internal.vulkan.device.GpuMeasurement;
import org.gstqpu.kernels.substrate.Substrate;
import org.gstqpu.kernels.substrate.SubstrateRequest;
import org.gstqpu.kernels.substrate.SubstrateUnavailableException;

/** Where substrates are opened; holds nothing and may be called from any thread. */
public final class Substrates {
    private Substrates() {}

    /**
     * Opens the substrate that a user asks for; the caller closes it.
     *
     * @throws SubstrateUnavailableException when {@link Substrate#QPU} or a device was asked for and cannot be used
     */
    public static FilterContext open(SubstrateRequest request) throws SubstrateUnavailableException {
        return switch (request.substrate()) {
            case CPU -> new CpuFilterContext(request.threads(), "the CPU was asked for");
            case AUTO -> AutoSubstrate.open(request);
            case QPU ->
                request.timing()
                        ? VulkanFilterContext.open(request.device(), GpuMeasurement.TIMESTAMPS)
                        : VulkanFilterContext.open(request.device());
        };
    }

    /**
     * Opens the substrate that a user asks for, for the block library alone; the caller closes it. {@link Substrate#AUTO}
     * opens both and runs each call where calls of its size are the faster, by a calibration that is measured once for each
     * kernel, device and number of threads and kept in the user's cache folder: the first {@link BlockContext#prepare} of a
     * kernel takes some tenths of a second then. {@link org.gstqpu.kernels.block.PreparedCall#choice} says what was chosen
     * and why.
     *
     * @throws SubstrateUnavailableException when {@link Substrate#QPU} or a device was asked for and cannot be used
     */
    public static BlockContext openBlocks(SubstrateRequest request) throws SubstrateUnavailableException {
        return request.substrate() == Substrate.AUTO ? AutoSubstrate.openBlocks(request) : open(request);
    }

    /**
     * The calibration by which {@link Substrate#AUTO} runs blocks: every kernel, every batch size; what was never measured is
     * measured now, which takes some seconds.
     *
     * @return kernel by kernel, the smallest batches first; empty where there is no device to choose
     * @throws SubstrateUnavailableException when a device was asked for and cannot be used
     */
    public static List<SubstrateTimes> blockTimes(SubstrateRequest request) throws SubstrateUnavailableException {
        try (BlockContext context = AutoSubstrate.openBlocks(request)) {
            return context instanceof AutoBlockContext auto ? auto.allTimes() : List.of();
        }
    }
}
