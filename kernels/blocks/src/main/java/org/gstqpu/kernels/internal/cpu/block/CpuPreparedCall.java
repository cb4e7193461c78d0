/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.cpu.block;

import java.util.concurrent.atomic.AtomicInteger;
import org.gstqpu.kernels.block.BlockCall;
import org.gstqpu.kernels.block.EdgeSchedule;
import org.gstqpu.kernels.block.PreparedCall;
import org.gstqpu.kernels.block.ScheduledEdges;
import org.gstqpu.kernels.internal.cpu.work.PictureJob;
import org.gstqpu.kernels.internal.cpu.work.WorkerPool;
import org.gstqpu.kernels.substrate.SubstrateChoice;

/**
 * Owns one prepared block call. The context's workers take the call's records in chunks, in order; {@link #submit}
 * returns when all records are done. Belongs to its context's thread.
 */
final class CpuPreparedCall implements PreparedCall, PictureJob {
    private static final int CHUNK_RECORDS = 16;

    /** With fewer records than this, waking the worker threads takes longer than the work. */
    private static final int SHARED_RECORDS = 128;

    private final WorkerPool pool;
    private final BlockCall call;
    private final BlockBatch batch;
    private final SubstrateChoice choice;
    private final AtomicInteger next = new AtomicInteger();
    private int end;
    private boolean closed;

    CpuPreparedCall(WorkerPool pool, BlockCall call, BlockBatch batch, SubstrateChoice choice) {
        this.pool = pool;
        this.call = call;
        this.batch = batch;
        this.choice = choice;
    }

    @Override
    public BlockCall call() {
        return call;
    }

    @Override
    public SubstrateChoice choice(int count) {
        return choice;
    }

    @Override
    public void submit(int count) {
        if (closed) {
            throw new IllegalStateException("the prepared call is closed");
        }
        if (call instanceof ScheduledEdges scheduled) {
            scheduled.checkRecords(count);
            EdgeSchedule schedule = scheduled.schedule();
            for (int level = 0; level < schedule.levels(); level++) {
                run(schedule.levelStart(level), schedule.levelStart(level + 1));
            }
            return;
        }
        if (count < 0 || count > call.capacity()) {
            throw new IllegalArgumentException(
                    call.kernelName() + " runs 0 to " + call.capacity() + " records, given " + count);
        }
        run(0, count);
    }

    private void run(int firstRecord, int endRecord) {
        if (endRecord - firstRecord < SHARED_RECORDS || pool.threads() == 1) {
            batch.run(firstRecord, endRecord, 0);
            return;
        }
        next.set(firstRecord);
        end = endRecord;
        pool.run(this);
    }

    @Override
    public void work(int worker) {
        for (int first = next.getAndAdd(CHUNK_RECORDS); first < end; first = next.getAndAdd(CHUNK_RECORDS)) {
            batch.run(first, Math.min(first + CHUNK_RECORDS, end), worker);
        }
    }

    @Override
    public void await() {
        // submit() has returned, so no work is in flight.
    }

    @Override
    public void close() {
        closed = true;
    }
}
