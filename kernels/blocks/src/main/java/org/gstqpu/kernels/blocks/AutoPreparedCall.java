/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.blocks;

import org.gstqpu.kernels.block.BlockCall;
import org.gstqpu.kernels.block.PreparedCall;
import org.gstqpu.kernels.substrate.Substrate;
import org.gstqpu.kernels.substrate.SubstrateChoice;

/** Owns one call that is prepared on both substrates. Belongs to its context's thread. */
final class AutoPreparedCall implements PreparedCall {
    private final AutoBlockContext context;
    private final PreparedCall cpu;
    private final PreparedCall qpu;
    private final SubstrateChoice[] choices;

    /**
     * Takes over both calls and closes them.
     *
     * @param choices the choice for each batch size of {@link BlockRaces}
     */
    AutoPreparedCall(AutoBlockContext context, PreparedCall cpu, PreparedCall qpu, SubstrateChoice[] choices) {
        this.context = context;
        this.cpu = cpu;
        this.qpu = qpu;
        this.choices = choices;
    }

    @Override
    public BlockCall call() {
        return qpu.call();
    }

    @Override
    public SubstrateChoice choice(int count) {
        return choices[BlockRaces.batchFor(count)];
    }

    @Override
    public void submit(int count) {
        if (choice(count).substrate() == Substrate.QPU) {
            qpu.submit(count);
            context.begun(this);
        } else {
            // Calls before this one may still be writing what it reads.
            context.awaitDevice();
            cpu.submit(count);
        }
    }

    @Override
    public void await() {
        context.ended(this);
        qpu.await();
    }

    @Override
    public void close() {
        context.ended(this);
        cpu.close();
        qpu.close();
    }
}
