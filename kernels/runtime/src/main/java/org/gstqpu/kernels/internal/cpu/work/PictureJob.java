/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.cpu.work;

/** One pass over a picture, whose parts the threads of a {@link WorkerPool} take one by one. */
public interface PictureJob {
    /**
     * Takes parts of the work until none is left. All workers call this at the same time, each once. No call may wait
     * for a worker that has not started yet.
     *
     * @param worker number of the calling worker, from 0
     */
    void work(int worker);
}
