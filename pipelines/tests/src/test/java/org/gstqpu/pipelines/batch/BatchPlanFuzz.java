/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.batch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.gstqpu.pipelines.cli.CommandFailedException;

/** Plans that anyone may have written: each is read, and writes inside of its folder alone, or is refused in one line. */
public final class BatchPlanFuzz {
    private BatchPlanFuzz() {}

    /**
     * Reads one plan.
     *
     * @param data its text
     */
    public static void fuzzerTestOneInput(byte[] data) throws IOException {
        Path folder = Files.createTempDirectory("fuzz");
        Path file = folder.resolve(BatchPlan.FILE);
        try {
            Files.write(file, data);
            for (BatchTask task : BatchPlan.read(file, "1").tasks()) {
                if (!folder.resolve(task.output()).normalize().startsWith(folder)) {
                    throw new IllegalStateException("writes " + task.output());
                }
            }
        } catch (CommandFailedException e) {
            if (e.getMessage().lines().count() != 1) {
                throw new IllegalStateException("not one line", e);
            }
        } finally {
            Files.delete(file);
            Files.delete(folder);
        }
    }
}
