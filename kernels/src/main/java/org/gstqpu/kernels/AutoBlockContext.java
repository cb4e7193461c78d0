/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.gstqpu.kernels.block.BlockCall;
import org.gstqpu.kernels.block.BlockContext;
import org.gstqpu.kernels.block.KernelBuffer;
import org.gstqpu.kernels.block.PreparedCall;
import org.gstqpu.kernels.internal.cpu.CpuFilterContext;
import org.gstqpu.kernels.internal.vulkan.VulkanFilterContext;
import org.gstqpu.kernels.internal.workload.BlockKernel;
import org.gstqpu.kernels.substrate.SubstrateChoice;

/**
 * Owns both substrates and runs each call on the one where calls of its size are the faster. Buffers are the device's, which
 * the CPU works on as well: what that costs it, where the device's memory is slow to read, is part of its times.
 */
final class AutoBlockContext implements BlockContext {
    private final CpuFilterContext cpu;
    private final VulkanFilterContext qpu;
    private final Calibration calibration;
    /** Calls that the device may be working on; never more than were prepared. */
    private final List<AutoPreparedCall> inFlight = new ArrayList<>();

    /** Takes over both contexts. */
    AutoBlockContext(CpuFilterContext cpu, VulkanFilterContext qpu, Calibration calibration) {
        this.cpu = cpu;
        this.qpu = qpu;
        this.calibration = calibration;
    }

    @Override
    public KernelBuffer newBuffer(long sizeBytes) {
        return qpu.newBuffer(sizeBytes);
    }

    @Override
    public PreparedCall prepare(BlockCall call) {
        List<SubstrateChoice> choices = times(call.kernelName()).stream()
                .map(times -> new SubstrateChoice(times.faster(), "auto: " + times.explanation()))
                .toList();
        return new AutoPreparedCall(
                this, cpu.prepare(call), qpu.prepare(call), choices.toArray(SubstrateChoice[]::new));
    }

    /** What decides about a kernel, one a batch size; measured where it never was. */
    private List<SubstrateTimes> times(String kernelName) {
        List<SubstrateTimes> known = new ArrayList<>();
        for (int batch = 0; batch < BlockRaces.batches(); batch++) {
            Optional<SubstrateTimes> times = calibration.find(kernelName, BlockRaces.blocks(batch));
            times.ifPresent(known::add);
        }
        if (known.size() == BlockRaces.batches()) {
            return known;
        }
        List<SubstrateTimes> measured = new BlockRaces(new CpuOnDeviceBuffers(cpu, qpu), qpu).run(kernelName);
        calibration.add(measured);
        return measured;
    }

    /** What decides about every kernel. */
    List<SubstrateTimes> allTimes() {
        List<SubstrateTimes> all = new ArrayList<>();
        for (String kernelName : BlockKernel.kernelNames()) {
            all.addAll(times(kernelName));
        }
        return all;
    }

    /** The device has begun a call. */
    void begun(AutoPreparedCall call) {
        inFlight.add(call);
    }

    /** A call is complete. */
    void ended(AutoPreparedCall call) {
        inFlight.remove(call);
    }

    /** Returns when the device is idle, so that the CPU may work on the same buffers. */
    void awaitDevice() {
        while (!inFlight.isEmpty()) {
            inFlight.get(inFlight.size() - 1).await();
        }
    }

    @Override
    public void close() {
        cpu.close();
        qpu.close();
    }

    /** The CPU as it runs here. */
    private record CpuOnDeviceBuffers(CpuFilterContext cpu, VulkanFilterContext qpu) implements BlockContext {
        @Override
        public KernelBuffer newBuffer(long sizeBytes) {
            return qpu.newBuffer(sizeBytes);
        }

        @Override
        public PreparedCall prepare(BlockCall call) {
            return cpu.prepare(call);
        }

        @Override
        public void close() {
            // Both are the owner's.
        }
    }
}
