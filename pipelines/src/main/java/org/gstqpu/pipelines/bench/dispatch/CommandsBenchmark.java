/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.bench.dispatch;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.gstqpu.kernels.block.BlockContext;
import org.gstqpu.kernels.internal.vulkan.VulkanFilterContext;
import org.gstqpu.pipelines.cli.WrongResultException;

/**
 * Measures the time and the memory that it costs to submit the same work repeatedly, in every {@link CommandMode}. Every
 * result is checked and every submission is counted before a figure is reported. Belongs to the context's thread.
 */
final class CommandsBenchmark {
    private static final String KERNEL = "vp9_idct8x8_add_8bit";

    /** Replays per turn. The modes take turns, so that a change in the machine's load affects all of them alike. */
    private static final int TURN = 4;

    /**
     * Largest absolute coefficient. With larger ones, twenty passes would drive every sample to 0 or 255, and the check could
     * not tell one number of passes from another.
     */
    private static final int COEFFICIENT_LIMIT = 15;

    private final VulkanFilterContext context;
    private final BlockContext cpu;
    private final DispatchLadder ladder;
    private final DispatchWork work;
    private final ByteBuffer destination;

    /**
     * @param work the work of {@link DispatchLadder#vp9Idct8x8}
     * @param cpu computes the expected results
     */
    CommandsBenchmark(VulkanFilterContext context, DispatchWork work, BlockContext cpu) {
        this.context = context;
        this.cpu = cpu;
        this.work = work;
        ladder = new DispatchLadder(context);
        destination = ByteBuffer.allocateDirect(work.destinationBytes());
    }

    /**
     * Measures each value of {@code executes} in each mode.
     *
     * @param executes how often a primary command buffer contains the work, each 1 or more
     * @param primaries primary command buffers per case, 1 or more
     * @param replays measured submissions per case, 1 or more
     * @param warmUp submissions per mode before the measurement, for the JVM to compile
     * @throws WrongResultException when a result was wrong or a submission was missing
     */
    CommandsReport run(List<Integer> executes, int primaries, int replays, int warmUp) {
        // All stay open to the end. If one freed its memory, the next one would take that, and its own growth would not
        // show.
        List<ReplayMeasurement> open = new ArrayList<>();
        try {
            if (warmUp > 0) {
                replay(open, new ReplayMeasurement.Counts(executes.get(0), 1, warmUp));
            }
            List<CommandsReport.Case> cases = new ArrayList<>();
            for (int count : executes) {
                cases.addAll(replay(open, new ReplayMeasurement.Counts(count, primaries, replays)));
            }
            return new CommandsReport(
                    context.deviceName(), context.capabilities().driver(), KERNEL, primaries, replays, cases);
        } finally {
            open.forEach(ReplayMeasurement::close);
        }
    }

    private List<CommandsReport.Case> replay(List<ReplayMeasurement> open, ReplayMeasurement.Counts counts) {
        IdctInputs inputs = new IdctInputs(cpu, COEFFICIENT_LIMIT, counts.executes());
        List<ReplayMeasurement> modes = new ArrayList<>();
        for (CommandMode mode : CommandMode.values()) {
            ReplayMeasurement made = new ReplayMeasurement(ladder, mode, work, inputs, destination, counts);
            open.add(made);
            modes.add(made);
        }
        for (int done = 0; done < counts.replays(); done += TURN) {
            for (ReplayMeasurement mode : modes) {
                mode.replay(Math.min(TURN, counts.replays() - done));
            }
        }
        return modes.stream().map(ReplayMeasurement::result).toList();
    }
}
