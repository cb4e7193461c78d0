package org.gstqpu.kernels.vulkan;

import java.util.Optional;
import org.gstqpu.kernels.FilterContext;
import org.gstqpu.kernels.SubstrateUnavailableException;

/** Contexts on the best Vulkan device as no user would open them, so that tests reach what that device alone would not. */
public final class VulkanTestContexts {
    static final long TIMEOUT_NANOS = 60_000_000_000L;

    private VulkanTestContexts() {}

    /** With the kernels cut as for a GPU, and no import of host memory, as on a Raspberry Pi. */
    public static FilterContext asOnSmallGpu() throws SubstrateUnavailableException {
        return VulkanFilterContext.open(
                Optional.empty(),
                new DeviceAllowances(false, false),
                Optional.of(new KernelTuning(false)),
                TIMEOUT_NANOS);
    }

    static VulkanFilterContext usual() throws SubstrateUnavailableException {
        return VulkanFilterContext.open(Optional.empty());
    }
}
