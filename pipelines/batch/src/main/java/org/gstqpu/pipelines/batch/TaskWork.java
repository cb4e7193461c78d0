/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.batch;

import java.io.IOException;
import java.util.List;

/** What a worker does with a task that it has a lease for. Lives on the worker's thread. */
interface TaskWork {
    /**
     * Does a task: its output is whole and in its place afterwards, or is not there.
     *
     * @param writer a part of the name that the output has until it is whole, which no other process uses
     * @return what was done; empty if the watcher ended it
     * @throws org.gstqpu.pipelines.cli.CommandFailedException when the task failed, as it may do again
     * @throws IOException when the folder of the plan cannot be used, so that no task can be done
     */
    Outcome run(BatchTask task, String writer, Watcher watcher) throws InterruptedException, IOException;

    /** Sets a property of the element from the next task on. Any thread. */
    void set(String property, String value);

    /** Removes what a task needed and nothing needs any more, once it is known to be done. */
    void clear(BatchTask task) throws IOException;

    /**
     * How a task ended that did not fail.
     *
     * @param pictures that were filtered
     * @param complete false if the watcher ended it, and there is no output
     */
    record Outcome(long pictures, boolean complete) {}

    /**
     * How far the work is.
     *
     * @param pictures that were filtered; packets for a join
     * @param pixels that were filtered
     * @param bytes that were written
     * @param complete whether all is done but to put the output into its place
     */
    record Progress(long pictures, long pixels, long bytes, boolean complete) {}

    /** Is told several times a second how far the work is. */
    interface Watcher {
        /** Returns false if the work is to be given up. */
        boolean goesOn(Progress progress);

        /** Is told before the work what of the input is converted, or is not in the output; not called if nothing is. */
        void told(List<String> changes);
    }
}
