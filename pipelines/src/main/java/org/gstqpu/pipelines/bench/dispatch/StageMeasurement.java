/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.bench.dispatch;

import static org.lwjgl.system.MemoryUtil.memAddress;

import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import org.gstqpu.kernels.internal.vulkan.device.VulkanCalls;
import org.gstqpu.pipelines.bench.DispatchTimes;
import org.gstqpu.pipelines.cli.WrongResultException;

/**
 * Owns the {@link StagedDispatch} of one stage. Runs it, checks each result and sums up the times. Belongs to the thread of the
 * ladder.
 */
final class StageMeasurement implements AutoCloseable {
    private static final com.sun.management.ThreadMXBean THREADS =
            (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final DispatchLadder ladder;
    private final DispatchStage stage;
    private final IdctInputs inputs;
    private final ByteBuffer destination;
    private final StagedDispatch staged;
    private final long coldNanos;
    private final long[] nanos;
    private int done;
    private VulkanCalls calls = new VulkanCalls(0, 0, 0, 0, 0, 0);
    private long javaBytes;

    /**
     * Makes the objects of the stage and runs the cold dispatch.
     *
     * @param dispatches dispatches that will follow
     * @throws WrongResultException when the result of the cold dispatch is wrong
     */
    StageMeasurement(
            DispatchLadder ladder,
            DispatchStage stage,
            DispatchWork work,
            IdctInputs inputs,
            ByteBuffer destination,
            int dispatches) {
        this.ladder = ladder;
        this.stage = stage;
        this.inputs = inputs;
        this.destination = destination;
        nanos = new long[dispatches];
        inputs.reset(0, destination);
        long begin = System.nanoTime();
        staged = ladder.open(stage, work, memAddress(destination));
        try {
            staged.dispatch(inputs.addresses(0));
            coldNanos = System.nanoTime() - begin;
            inputs.check(0, destination);
        } catch (RuntimeException e) {
            staged.close();
            throw e;
        }
    }

    /** The raw Vulkan objects of the dispatch. The stage must be one that keeps them. */
    DispatchHandles handles() {
        return staged.handles()
                .orElseThrow(() -> new IllegalStateException(stage + " keeps no objects from dispatch to dispatch"));
    }

    /**
     * Runs the next {@code count} dispatches.
     *
     * @throws WrongResultException when a result is wrong or a submission is missing
     */
    void dispatch(int count) {
        VulkanCalls before = ladder.calls();
        for (int i = 0; i < count; i++) {
            dispatch();
        }
        VulkanCalls made = ladder.calls().since(before);
        if (made.submits() != count) {
            throw new WrongResultException(
                    stage.title() + ": " + count + " dispatches, but " + made.submits() + " submissions");
        }
        calls = calls.plus(made);
    }

    private void dispatch() {
        int number = done + 1;
        long[] addresses = inputs.addresses(number);
        inputs.reset(number, destination);
        long bytesBefore = THREADS.getCurrentThreadAllocatedBytes();
        long begin = System.nanoTime();
        staged.dispatch(addresses);
        nanos[done] = System.nanoTime() - begin;
        javaBytes += THREADS.getCurrentThreadAllocatedBytes() - bytesBefore;
        inputs.check(number, destination);
        done++;
    }

    /** The figures of all dispatches, which must have been run. */
    OverheadReport.Stage result() {
        if (done != nanos.length) {
            throw new IllegalStateException(stage + ": " + done + " of " + nanos.length + " dispatches were made");
        }
        DispatchTimes times = DispatchTimes.of(coldNanos, nanos);
        return new OverheadReport.Stage(
                stage.title(),
                times.coldNanos(),
                times.p50Nanos(),
                times.p90Nanos(),
                times.meanNanos(),
                perDispatch(calls.creates()),
                perDispatch(calls.allocations()),
                perDispatch(calls.descriptorWrites()),
                perDispatch(calls.submits()),
                perDispatch(calls.waits()),
                perDispatch(javaBytes));
    }

    private double perDispatch(long total) {
        return (double) total / nanos.length;
    }

    @Override
    public void close() {
        staged.close();
    }
}
