/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.batch;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code qpu batch join}: puts segments together. Lives on the main thread. */
@Command(
        name = "join",
        description =
                "Puts the segments of each input together, with its sound and subtitles, once all its segments are done. qpu batch run"
                        + " does so too, unless it was told not to.")
final class BatchJoinCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "PLAN", description = "the file plan.json, or its folder")
    private Path plan;

    @Mixin
    private RunOptions run;

    @Override
    public Integer call() throws IOException, InterruptedException {
        return run.run(plan, Shard.WHOLE, false, false, true, spec);
    }
}
