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
 * Measures what it costs to submit the same work again and again in every {@link CommandMode}, and what memory that takes.
 * Every result is checked and every submission counted before a figure is reported. Belongs to the context's thread.
 */
final class CommandsBenchmark {
    private static final String KERNEL = "vp9_idct8x8_add_8bit";

    /** The modes take turns of so many replays, so that all see the machine in the same state. */
    private static final int TURN = 4;

    /** So small that twenty passes do not drive every sample to black or white, which would look alike. */
    private static final int COEFFICIENT_LIMIT = 15;

    private final VulkanFilterContext context;
    private final BlockContext cpu;
    private final DispatchLadder ladder;
    private final DispatchWork work;
    private final ByteBuffer destination;

    /**
     * @param work VP9 IDCT, see {@link DispatchLadder#vp9Idct8x8}
     * @param cpu computes the results to compare with
     */
    CommandsBenchmark(VulkanFilterContext context, DispatchWork work, BlockContext cpu) {
        this.context = context;
        this.cpu = cpu;
        this.work = work;
        ladder = new DispatchLadder(context);
        destination = ByteBuffer.allocateDirect(work.destinationBytes());
    }

    /**
     * Measures every number of executes in every mode.
     *
     * @param executes how often the work stands in a primary command buffer, each 1 or more
     * @param primaries primary command buffers of a case, 1 or more
     * @param replays submissions of a case that count, 1 or more
     * @param warmUp submissions in each mode before those that count, for the JVM to compile what they run
     * @throws WrongResultException when a result was wrong or a submission missing
     */
    CommandsReport run(List<Integer> executes, int primaries, int replays, int warmUp) {
        // All stay open to the end: memory that one gave back would hide what the next one takes.
        List<ReplayMeasurement> open = new ArrayList<>();
        try {
            if (warmUp > 0) {
                replay(open, executes.get(0), 1, warmUp);
            }
            List<CommandsReport.Case> cases = new ArrayList<>();
            for (int count : executes) {
                cases.addAll(replay(open, count, primaries, replays));
            }
            return new CommandsReport(
                    context.deviceName(), context.capabilities().driver(), KERNEL, primaries, replays, cases);
        } finally {
            open.forEach(ReplayMeasurement::close);
        }
    }

    private List<CommandsReport.Case> replay(List<ReplayMeasurement> open, int executes, int primaries, int replays) {
        IdctInputs inputs = new IdctInputs(cpu, COEFFICIENT_LIMIT, executes);
        List<ReplayMeasurement> modes = new ArrayList<>();
        for (CommandMode mode : CommandMode.values()) {
            ReplayMeasurement made =
                    new ReplayMeasurement(ladder, mode, work, inputs, destination, executes, primaries, replays);
            open.add(made);
            modes.add(made);
        }
        for (int done = 0; done < replays; done += TURN) {
            for (ReplayMeasurement mode : modes) {
                mode.replay(Math.min(TURN, replays - done));
            }
        }
        return modes.stream().map(ReplayMeasurement::result).toList();
    }
}
