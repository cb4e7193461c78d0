/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.batch;

import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The command {@code qpu batch}: plans and does many transcodes on this machine. Its subcommands do the steps, on many machines. */
@Command(
        name = "batch",
        description = {
            "Transcodes all videos of a folder, a list or a pattern into another folder. It may be ended at any time and run again:"
                    + " it goes on where it was, and does again nothing that is done. Outputs appear whole.",
            "The subcommands do the same in steps, and on any number of machines that share the folder OUT: plan, then run on each"
                    + " machine."
        },
        subcommands = {
            BatchPlanCommand.class,
            BatchRunCommand.class,
            BatchJoinCommand.class,
            BatchStatusCommand.class,
            BatchSubmitCommand.class
        })
public final class BatchCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private PlanOptions plan;

    @Mixin
    private RunOptions run;

    @Override
    public Integer call() throws IOException, InterruptedException {
        return run.run(plan.plan(spec), Shard.WHOLE, false, true, true, spec);
    }
}
