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
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code qpu batch run}: does a plan, or a share of it. Lives on the main thread. */
@Command(
        name = "run",
        description = {
            "Does the units of a plan: first those of its share, then what is left. Any number may run at once, on any machine that"
                    + " has the folder of the plan. A unit whose worker died is taken over by another. One that fails three times"
                    + " is set aside: it is listed at the end, and the exit status is 1.",
            "Without --shard, the share is that of an array job of Slurm (SLURM_ARRAY_TASK_ID, SLURM_ARRAY_TASK_MIN,"
                    + " SLURM_ARRAY_TASK_COUNT) or AWS Batch (AWS_BATCH_JOB_ARRAY_INDEX, AWS_BATCH_JOB_ARRAY_SIZE), or of an"
                    + " indexed job of Kubernetes (JOB_COMPLETION_INDEX, GST_QPU_SHARDS)."
        })
final class BatchRunCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "PLAN", description = "the file plan.json, or its folder")
    private Path plan;

    @Option(
            names = "--shard",
            paramLabel = "I/N",
            converter = Shard.Converter.class,
            description = "the share to do first: every Nth unit from the Ith on, from 0 (default: all)")
    private Shard shard;

    @Option(names = "--only-shard", description = "leave units of other shares alone")
    private boolean onlyShard;

    @Option(names = "--no-join", description = "do not put segments together: qpu batch join does it")
    private boolean noJoin;

    @Mixin
    private RunOptions run;

    @Override
    public Integer call() throws IOException, InterruptedException {
        Shard mine = shard != null ? shard : Shard.ofEngine(System.getenv()).orElse(Shard.WHOLE);
        return run.run(plan, mine, onlyShard, true, !noJoin, spec);
    }
}
