package org.gstqpu.kernels;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.gstqpu.kernels.cpu.CpuFilterContext;
import org.gstqpu.kernels.vulkan.VulkanFilterContext;

/** Decides for users who leave the substrate to us; holds what calibrations of this process found. Any thread. */
final class AutoSubstrate {
    private record Race(String device, int threads) {}

    private static final Map<Race, SubstrateCalibration> DONE = new ConcurrentHashMap<>();

    private AutoSubstrate() {}

    /**
     * Opens the faster substrate; its reason says what was measured, or why there was nothing to measure.
     *
     * @throws SubstrateUnavailableException when the user named a device and it cannot be used
     */
    static FilterContext open(SubstrateRequest request) throws SubstrateUnavailableException {
        VulkanFilterContext qpu;
        try {
            qpu = VulkanFilterContext.open(request.device());
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
        SubstrateCalibration result = DONE.computeIfAbsent(
                new Race(qpu.capabilities().summary(), request.threads()), race -> race(request, qpu));
        if (result.qpuIsFaster()) {
            return qpu.because("auto: " + result.explanation());
        }
        qpu.close();
        return cpu(request, result.explanation());
    }

    private static SubstrateCalibration race(SubstrateRequest request, FilterContext qpu) {
        try (FilterContext cpu = cpu(request, "calibration")) {
            return SubstrateCalibration.measure(cpu, qpu);
        }
    }

    private static FilterContext cpu(SubstrateRequest request, String why) {
        return new CpuFilterContext(request.threads(), "auto: " + why);
    }
}
