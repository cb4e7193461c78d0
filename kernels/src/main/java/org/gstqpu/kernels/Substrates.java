package org.gstqpu.kernels;

import org.gstqpu.kernels.cpu.CpuFilterContext;

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
            case AUTO -> new CpuFilterContext(request.threads(), "auto: no Vulkan kernels in this build");
            case QPU ->
                throw new SubstrateUnavailableException(
                        "this build has no Vulkan kernels; use substrate=cpu or substrate=auto");
        };
    }
}
