/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels;

import java.lang.System.Logger;
import java.util.Optional;
import java.util.function.BiFunction;
import org.gstqpu.kernels.filter.FilterContext;
import org.gstqpu.kernels.internal.cpu.CpuFilterContext;
import org.gstqpu.kernels.internal.race.Calibration;
import org.gstqpu.kernels.internal.race.DeviceRace;
import org.gstqpu.kernels.internal.vulkan.VulkanFilterContext;
import org.gstqpu.kernels.internal.vulkan.work.VulkanOptions;
import org.gstqpu.kernels.substrate.Substrate;
import org.gstqpu.kernels.substrate.SubstrateRequest;
import org.gstqpu.kernels.substrate.SubstrateTimes;
import org.gstqpu.kernels.substrate.SubstrateUnavailableException;

/** Chooses the substrate for {@link Substrate#AUTO}, by a {@link Calibration}. Holds nothing; any thread. */
final class AutoSubstrate {
    private static final Logger LOG = System.getLogger(AutoSubstrate.class.getName());

    private AutoSubstrate() {}

    /**
     * Opens the faster substrate. Its reason says what was measured, or why nothing was.
     *
     * @throws SubstrateUnavailableException when the user named a device and it cannot be used
     */
    static FilterContext open(SubstrateRequest request) throws SubstrateUnavailableException {
        return open(request, AutoSubstrate::calibration, DeviceRace.USUAL_NANOS);
    }

    /**
     * Does the same with another calibration of the device that was opened, which stays this method's.
     *
     * @param raceNanos how long a race is waited for
     */
    static FilterContext open(
            SubstrateRequest request,
            BiFunction<SubstrateRequest, VulkanFilterContext, Calibration> calibrations,
            long raceNanos)
            throws SubstrateUnavailableException {
        try {
            return openFaster(request, calibrations, raceNanos);
        } catch (SubstrateUnavailableException e) {
            return insteadOfDevice(request, e);
        }
    }

    private static FilterContext openFaster(
            SubstrateRequest request,
            BiFunction<SubstrateRequest, VulkanFilterContext, Calibration> calibrations,
            long raceNanos)
            throws SubstrateUnavailableException {
        VulkanFilterContext qpu = VulkanFilterContext.open(VulkanOptions.of(request.device()));
        String measured;
        boolean staysOpen = false;
        try {
            if (!qpu.capabilities().type().isGpu()) {
                return cpu(request, qpu.deviceName() + " is no GPU, it runs on the CPU");
            }
            Calibration calibration = calibrations.apply(request, qpu);
            Optional<SubstrateTimes> times = calibration.find(PictureRace.WORK, 1);
            if (times.isEmpty()) {
                DeviceRace race;
                try {
                    race = new DeviceRace(qpu, () -> race(request, qpu));
                } catch (OutOfMemoryError e) {
                    // So Java says that a limit of threads is reached, too.
                    return cpu(request, qpu.deviceName() + " has not raced the CPU: " + e.getMessage());
                }
                times = race.await(raceNanos, calibration::add);
                if (times.isEmpty()) {
                    staysOpen = true;
                    return cpuBeside(race, request, calibration, PictureRace.unfinished(qpu, raceNanos));
                }
                calibration.add(times.get());
            }
            measured = times.get().explanation();
            if (times.get().faster() != Substrate.QPU) {
                return cpu(request, measured);
            }
            staysOpen = !request.timing();
        } finally {
            if (!staysOpen) {
                qpu.close();
            }
        }
        // Timestamps cost time, so the race was run without.
        return (staysOpen
                        ? qpu
                        : VulkanFilterContext.open(
                                VulkanOptions.of(request.device()).timed()))
                .because(because(measured));
    }

    /** The CPU, while the device is still in its race. */
    private static FilterContext cpuBeside(
            DeviceRace race, SubstrateRequest request, Calibration calibration, SubstrateTimes unfinished) {
        calibration.add(unfinished);
        LOG.log(Logger.Level.WARNING, unfinished::explanation);
        return new CpuFilterContext(request.threads(), because(unfinished.explanation()), race::end);
    }

    private static Calibration calibration(SubstrateRequest request, VulkanFilterContext qpu) {
        return Calibration.of(Calibration.Scope.of(qpu.capabilities(), request.threads()));
    }

    private static SubstrateTimes race(SubstrateRequest request, FilterContext qpu) {
        try (FilterContext cpu = cpu(request, "calibration")) {
            return PictureRace.run(cpu, qpu);
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
        return new CpuFilterContext(request.threads(), because(why));
    }

    private static String because(String why) {
        return "auto: " + why;
    }
}
