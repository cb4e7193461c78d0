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
import org.gstqpu.kernels.internal.vulkan.VulkanOptions;
import org.gstqpu.kernels.internal.vulkan.device.GpuMeasurement;
import org.gstqpu.kernels.substrate.Substrate;
import org.gstqpu.kernels.substrate.SubstrateRequest;
import org.gstqpu.kernels.substrate.SubstrateUnavailableException;

/** The entrance of the library: opens substrates. Holds nothing; any thread may call it. */
public final class Substrates {
    private Substrates() {}

    /**
     * Opens a substrate, for pictures and for blocks. The caller closes it.
     *
     * <p>{@link Substrate#AUTO} opens the device if the device is a GPU that filters a picture faster than the CPU, else the CPU.
     * A short race decides that. It is run once for each device, driver, Java, number of threads and version of this library; the
     * user's cache folder keeps the result. {@link FilterContext#reason} says what was measured.
     *
     * @throws SubstrateUnavailableException when {@link Substrate#QPU} or a device was asked for and cannot be used
     */
    public static FilterContext open(SubstrateRequest request) throws SubstrateUnavailableException {
        return switch (request.substrate()) {
            case CPU -> new CpuFilterContext(request.threads(), "the CPU was asked for");
            case AUTO -> AutoSubstrate.open(request);
            case QPU -> {
                VulkanOptions options = VulkanOptions.of(request.device());
                yield VulkanFilterContext.open(
                        request.timing() ? options.measuring(GpuMeasurement.TIMESTAMPS) : options);
            }
        };
    }

    /**
     * Opens a substrate for blocks alone. The caller closes it.
     *
     * <p>{@link Substrate#AUTO} opens the CPU and the device, and runs each call where calls of its size are faster. The first
     * {@link BlockContext#prepare} of a kernel measures that in some tenths of a second, once for each device, driver, Java, number
     * of threads and version of this library; the user's cache folder keeps the times. {@link
     * org.gstqpu.kernels.block.PreparedCall#choice} says what was chosen and why.
     *
     * @throws SubstrateUnavailableException when {@link Substrate#QPU} or a device was asked for and cannot be used
     */
    public static BlockContext openBlocks(SubstrateRequest request) throws SubstrateUnavailableException {
        return request.substrate() == Substrate.AUTO ? AutoSubstrate.openBlocks(request) : open(request);
    }

    /**
     * The times by which {@link Substrate#AUTO} runs blocks: those of every kernel, for every batch size. Times that were never
     * measured are measured now, which takes some seconds.
     *
     * @return kernel by kernel, the smallest batches first; empty if there is no device
     * @throws SubstrateUnavailableException when a device was asked for and cannot be used
     */
    public static List<SubstrateTimes> blockTimes(SubstrateRequest request) throws SubstrateUnavailableException {
        try (BlockContext context = AutoSubstrate.openBlocks(request)) {
            return context instanceof AutoBlockContext auto ? auto.allTimes() : List.of();
        }
    }
}
