/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.stage.time;

import java.util.concurrent.atomic.AtomicInteger;
import org.gstqpu.kernels.internal.cpu.work.PictureJob;
import org.gstqpu.kernels.internal.stage.CpuStage;

/** Work that has steps, each of parts that may be taken in any order. Belongs to one filter; all of its workers take parts at once. */
abstract class TimeJob implements PictureJob {
    private final AtomicInteger nextPart = new AtomicInteger();
    private int parts;

    /** Does a part of the step at hand. */
    abstract void part(int worker, int part);

    /** Does all parts of a step. */
    final void go(CpuStage.Workers workers, int parts) {
        this.parts = parts;
        nextPart.set(0);
        workers.run(this);
    }

    @Override
    public final void work(int worker) {
        for (int part = nextPart.getAndIncrement(); part < parts; part = nextPart.getAndIncrement()) {
            part(worker, part);
        }
    }
}
