/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.bench.dispatch;

import static org.lwjgl.system.MemoryUtil.memAddress;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.gstqpu.kernels.internal.vulkan.VulkanFilterContext;
import org.gstqpu.kernels.internal.vulkan.device.DeviceCapabilities;
import org.gstqpu.pipelines.bench.DispatchTimes;
import org.gstqpu.pipelines.cli.WrongResultException;

/**
 * Measures the cost of a dispatch of few blocks in every {@link DispatchStage}, and the cost of the last stage in C. Every
 * result is checked and every submission is counted before a time is reported. Belongs to the context's thread.
 */
public final class OverheadBenchmark {
    private static final String KERNEL = "vp9_idct8x8_add_8bit";

    /** Dispatches per turn. The stages and C take turns, so that a change in the machine's load affects all of them alike. */
    private static final int TURN = 4;

    private static final int PAGE_BYTES = 4096;

    private final DispatchLadder ladder;
    private final DeviceCapabilities device;
    private final DispatchWork work;
    private final IdctInputs inputs;
    private final int dispatches;
    private final ByteBuffer destination;

    /**
     * @param work the work of {@link DispatchLadder#vp9Idct8x8}
     * @param inputs inputs of that work, for one pass
     * @param dispatches dispatches per stage after the cold one, 1 or more
     */
    public OverheadBenchmark(VulkanFilterContext context, DispatchWork work, IdctInputs inputs, int dispatches) {
        this.work = work;
        this.inputs = inputs;
        this.dispatches = dispatches;
        ladder = new DispatchLadder(context);
        device = context.capabilities();
        // An import needs whole pages.
        int alignment = Math.toIntExact(Math.max(PAGE_BYTES, ladder.importAlignmentBytes()));
        int bytes = (work.destinationBytes() + alignment - 1) / alignment * alignment;
        destination = ByteBuffer.allocateDirect(bytes + alignment).alignedSlice(alignment);
    }

    /**
     * Measures every stage that the device supports.
     *
     * @param warmUp dispatches per stage before the measurement, for the JVM to compile
     * @param loopInC runs the last stage in C, too; empty for no comparison
     * @throws WrongResultException when a result was wrong or a submission was missing
     */
    public OverheadReport run(int warmUp, Optional<DispatchLoopInC> loopInC) {
        if (warmUp > 0) {
            measure(warmUp, loopInC);
        }
        return measure(dispatches, loopInC);
    }

    private OverheadReport measure(int count, Optional<DispatchLoopInC> loopInC) {
        List<StageMeasurement> stages = new ArrayList<>();
        try {
            // The last stage opens first. Stages that keep buffers then take them from the pool before the others use
            // it.
            DispatchStage[] all = DispatchStage.values();
            for (int i = all.length - 1; i >= 0; i--) {
                if (ladder.offers(all[i])) {
                    stages.add(0, new StageMeasurement(ladder, all[i], work, inputs, destination, count));
                }
            }
            StageMeasurement last = stages.get(stages.size() - 1);
            long[] nanosInC = new long[count];
            for (int done = 0; done < count; done += TURN) {
                int turn = Math.min(TURN, count - done);
                for (StageMeasurement stage : stages) {
                    stage.dispatch(turn);
                }
                if (loopInC.isPresent()) {
                    loopInC.get().dispatch(last.handles(), memAddress(destination), done, nanosInC, done, turn);
                }
            }
            OverheadReport report = new OverheadReport(
                    device.name(),
                    device.driver(),
                    KERNEL,
                    DispatchLadder.BLOCKS,
                    count,
                    stages.stream().map(StageMeasurement::result).toList(),
                    null,
                    null);
            return loopInC.isPresent() ? report.with(DispatchTimes.of(0, nanosInC)) : report;
        } finally {
            stages.forEach(StageMeasurement::close);
        }
    }
}
