/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.cpu;

/** One pass over a picture, shared out among the threads of a {@link WorkerPool} by itself. */
interface PictureJob {
    /**
     * Does this worker's share and returns when no work is left to take. Called once by each worker at the same time;
     * must not wait for a worker that has not started yet.
     *
     * @param worker number of the calling worker, from 0
     */
    void work(int worker);
}
