/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.bench.dispatch;

import static org.lwjgl.system.MemoryUtil.memAddress;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.gstqpu.kernels.internal.vulkan.device.VulkanCalls;
import org.gstqpu.pipelines.bench.DispatchTimes;
import org.gstqpu.pipelines.cli.WrongResultException;

/**
 * Owns the {@link CommandReplay} of one {@link CommandMode} and one number of executes. Replays it, checks each result and sums
 * up the times. Belongs to the thread of the ladder.
 */
final class ReplayMeasurement implements AutoCloseable {
    /** Measurements of the growth of memory, of which the median counts: the JVM's own memory sometimes grows, too. */
    private static final int GROWTHS = 3;

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final DispatchLadder ladder;
    private final CommandMode mode;
    private final int executes;
    private final IdctInputs inputs;
    private final ByteBuffer destination;
    private final CommandReplay replay;
    private final long residentBytes;
    private final long[] nanos;
    private int done;
    private long cpuNanos;
    private VulkanCalls calls = new VulkanCalls(0, 0, 0, 0, 0, 0);

    /**
     * The size of a measurement.
     *
     * @param executes how often a primary command buffer contains the work
     * @param primaries primary command buffers per measurement of memory; {@value #GROWTHS} times as many are made
     * @param replays measured submissions
     */
    record Counts(int executes, int primaries, int replays) {}

    /**
     * Makes the command buffers and replays each of them once.
     *
     * @param inputs inputs for {@code counts.executes()} passes
     * @throws WrongResultException when a result is wrong
     */
    ReplayMeasurement(
            DispatchLadder ladder,
            CommandMode mode,
            DispatchWork work,
            IdctInputs inputs,
            ByteBuffer destination,
            Counts counts) {
        this.ladder = ladder;
        this.mode = mode;
        executes = counts.executes();
        this.inputs = inputs;
        this.destination = destination;
        nanos = new long[counts.replays()];
        replay = ladder.openReplay(mode, work, memAddress(destination), executes);
        long[] growths = new long[GROWTHS];
        try {
            // What the driver allocates at its first submission must not count for the command buffers.
            addAndReplay(1);
            for (int i = 0; i < GROWTHS; i++) {
                long before = ResidentMemory.bytes();
                addAndReplay(counts.primaries());
                growths[i] = ResidentMemory.bytes() - before;
            }
        } catch (RuntimeException e) {
            replay.close();
            throw e;
        }
        Arrays.sort(growths);
        residentBytes = growths[GROWTHS / 2];
    }

    private void addAndReplay(int primaries) {
        replay.addPrimaries(primaries);
        for (int i = 0; i < primaries; i++) {
            inputs.reset(i, destination);
            replay.replay(inputs.addresses(i));
            inputs.check(i, destination);
        }
    }

    /**
     * Makes the next {@code count} replays.
     *
     * @throws WrongResultException when a result is wrong or a submission is missing
     */
    void replay(int count) {
        VulkanCalls before = ladder.calls();
        for (int i = 0; i < count; i++) {
            int number = done + 1;
            inputs.reset(number, destination);
            long cpuBefore = THREADS.getCurrentThreadCpuTime();
            long begin = System.nanoTime();
            replay.replay(inputs.addresses(number));
            nanos[done] = System.nanoTime() - begin;
            cpuNanos += THREADS.getCurrentThreadCpuTime() - cpuBefore;
            inputs.check(number, destination);
            done++;
        }
        VulkanCalls made = ladder.calls().since(before);
        if (made.submits() != count) {
            throw new WrongResultException(
                    mode.title() + ": " + count + " replays, but " + made.submits() + " submissions");
        }
        calls = calls.plus(made);
    }

    /** The figures of all replays, which must have been made. */
    CommandsReport.Case result() {
        if (done != nanos.length) {
            throw new IllegalStateException(mode + ": " + done + " of " + nanos.length + " replays were made");
        }
        return new CommandsReport.Case(
                executes,
                mode.title(),
                cpuNanos / done,
                DispatchTimes.of(0, nanos).p50Nanos(),
                residentBytes,
                perReplay(calls.creates()),
                perReplay(calls.allocations()),
                perReplay(calls.descriptorWrites()),
                perReplay(calls.submits()),
                perReplay(calls.reRecords()));
    }

    private double perReplay(long total) {
        return (double) total / nanos.length;
    }

    @Override
    public void close() {
        replay.close();
    }
}
