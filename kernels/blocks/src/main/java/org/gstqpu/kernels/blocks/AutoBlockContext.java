/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.blocks;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.gstqpu.kernels.block.BlockCall;
import org.gstqpu.kernels.block.BlockContext;
import org.gstqpu.kernels.block.KernelBuffer;
import org.gstqpu.kernels.block.PreparedCall;
import org.gstqpu.kernels.internal.cpu.block.CpuBlockContext;
import org.gstqpu.kernels.internal.race.Calibration;
import org.gstqpu.kernels.internal.vulkan.block.VulkanBlockContext;
import org.gstqpu.kernels.internal.workload.BlockKernel;
import org.gstqpu.kernels.substrate.SubstrateChoice;
import org.gstqpu.kernels.substrate.SubstrateTimes;

/**
 * Owns the CPU and a device, and runs each call on the one that is faster for calls of this size. Belongs to one thread at a time.
 *
 * <p>All buffers lie in the device's memory, and the CPU works on them there. Where the CPU reads that memory slowly, the CPU's
 * times include the cost.
 */
final class AutoBlockContext implements BlockContext {
    private final CpuBlockContext cpu;
    private final VulkanBlockContext qpu;
    private final Calibration calibration;
    /** Calls that the device may still be working on. */
    private final List<AutoPreparedCall> inFlight = new ArrayList<>();

    /** Takes over both contexts and closes them. */
    AutoBlockContext(CpuBlockContext cpu, VulkanBlockContext qpu, Calibration calibration) {
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

    /** Times of a kernel, one for each batch size, the smallest first. Runs the races if any is missing. */
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

    /** Times of every kernel. Runs the races that are missing. */
    List<SubstrateTimes> allTimes() {
        List<SubstrateTimes> all = new ArrayList<>();
        for (String kernelName : BlockKernel.kernelNames()) {
            all.addAll(times(kernelName));
        }
        return all;
    }

    /** Notes that the device has begun a call. */
    void begun(AutoPreparedCall call) {
        inFlight.add(call);
    }

    /** Notes that a call is complete. */
    void ended(AutoPreparedCall call) {
        inFlight.remove(call);
    }

    /** Returns when the device is idle. The CPU may then work on the same buffers. */
    void awaitDevice() {
        while (!inFlight.isEmpty()) {
            inFlight.get(inFlight.size() - 1).await();
        }
    }

    @Override
    public long submits() {
        return qpu.submits();
    }

    @Override
    public void close() {
        cpu.close();
        qpu.close();
    }

    /** The CPU on the device's buffers, as it is raced. */
    private record CpuOnDeviceBuffers(CpuBlockContext cpu, VulkanBlockContext qpu) implements BlockContext {
        @Override
        public KernelBuffer newBuffer(long sizeBytes) {
            return qpu.newBuffer(sizeBytes);
        }

        @Override
        public PreparedCall prepare(BlockCall call) {
            return cpu.prepare(call);
        }

        @Override
        public long submits() {
            return qpu.submits();
        }

        @Override
        public void close() {
            // The AutoBlockContext closes both.
        }
    }
}
