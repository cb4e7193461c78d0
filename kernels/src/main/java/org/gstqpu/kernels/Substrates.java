package org.gstqpu.kernels;

import org.gstqpu.kernels.cpu.CpuFilterContext;
import org.gstqpu.kernels.vulkan.VulkanFilterContext;

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
            case QPU -> VulkanFilterContext.open(request.device());
        };
    }
}
