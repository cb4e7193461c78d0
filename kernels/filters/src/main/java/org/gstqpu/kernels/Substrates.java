/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels;

import org.gstqpu.kernels.filter.FilterContext;
import org.gstqpu.kernels.internal.cpu.CpuFilterContext;
import org.gstqpu.kernels.internal.vulkan.VulkanFilterContext;
import org.gstqpu.kernels.internal.vulkan.work.VulkanOptions;
import org.gstqpu.kernels.substrate.Substrate;
import org.gstqpu.kernels.substrate.SubstrateRequest;
import org.gstqpu.kernels.substrate.SubstrateUnavailableException;

/** The entrance of the filters: opens substrates. Holds nothing; any thread may call it. */
public final class Substrates {
    private Substrates() {}

    /**
     * Opens a substrate that filters pictures. The caller closes it.
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
                yield VulkanFilterContext.open(request.timing() ? options.timed() : options);
            }
        };
    }
}
