/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.batch;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.gstqpu.pipelines.cli.CommandFailedException;
import org.gstqpu.pipelines.cli.ExitStatus;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The options that say how a plan is done on this machine. Filled by picocli. */
final class RunOptions {
    private static final int LEAST_LEASE_SECONDS = 2;

    /** What a filter and an encoder keep busy with their own threads. */
    private static final int PROCESSORS = 4;

    @Option(
            names = "--workers",
            paramLabel = "W",
            description =
                    "the number of units that this machine does at once (default: one for each four processors, for a transcode has"
                            + " threads of its own)")
    private Integer workers;

    @Option(names = "--retry", description = "try units again that were set aside after failing three times")
    private boolean retry;

    @Option(
            names = "--lease-seconds",
            paramLabel = "SECONDS",
            defaultValue = "60",
            description =
                    "after how long without a sign of life another worker takes a unit over (default: ${DEFAULT-VALUE})")
    private int leaseSeconds;

    /**
     * Does a share of a plan.
     *
     * @return the exit status
     * @throws CommandFailedException when the plan cannot be used, or the work cannot go on
     */
    int run(Path file, Shard shard, boolean onlyShard, boolean transcodes, boolean joins, CommandSpec spec)
            throws IOException, InterruptedException {
        if (workers != null && workers < 1) {
            throw new CommandFailedException(ExitStatus.UNUSABLE_INPUT, "--workers " + workers + ": it is 1 or more");
        }
        if (leaseSeconds < LEAST_LEASE_SECONDS) {
            throw new CommandFailedException(
                    ExitStatus.UNUSABLE_INPUT,
                    "--lease-seconds " + leaseSeconds + ": it is " + LEAST_LEASE_SECONDS + " or more");
        }
        String software = PlanOptions.software(spec);
        BatchPlan plan = BatchPlan.read(file, software);
        Path out = file.toAbsolutePath().normalize().getParent();
        StateFolder state = StateFolder.of(out);
        List<BatchTask> tasks = plan.tasks();
        forgive(plan, state);
        PrintWriter report = spec.commandLine().getOut();
        StateFolder.Listing before = state.list();
        if (tasks.stream().anyMatch(task -> !before.isSettled(task.id()))) {
            int count = workers != null
                    ? workers
                    : (Runtime.getRuntime().availableProcessors() + PROCESSORS - 1) / PROCESSORS;
            List<WorkerProcess.Order> orders = new ArrayList<>();
            for (int worker = 0; worker < count; worker++) {
                orders.add(new WorkerProcess.Order(
                        file.toAbsolutePath().normalize().toString(),
                        software,
                        plan.settings(),
                        new Worker.Order(shard, onlyShard, transcodes, joins, leaseSeconds)));
            }
            new Workers(out, plan, state, LeaseHolder.ofThisProcess(), line -> {
                        report.println(line);
                        report.flush();
                    })
                    .run(orders);
        }
        return sayEnd(tasks, state, !transcodes, report);
    }

    /** Frees the tasks of a plan that were set aside, if that was asked for. */
    void forgive(BatchPlan plan, StateFolder state) throws IOException {
        if (!retry) {
            return;
        }
        StateFolder.Listing listing = state.list();
        for (BatchTask task : plan.tasks()) {
            if (listing.isSetAside(task.id())) {
                state.forgive(task.id());
            }
        }
    }

    /** These options as another machine's qpu batch run takes them, but for {@code --retry}, which this machine has done. */
    List<String> arguments() {
        List<String> arguments = new ArrayList<>(List.of("--lease-seconds=" + leaseSeconds));
        if (workers != null) {
            arguments.add("--workers=" + workers);
        }
        return arguments;
    }

    /** @param complete whether a task that nobody has done is a failure, because nobody will do it */
    private static int sayEnd(List<BatchTask> tasks, StateFolder state, boolean complete, PrintWriter report)
            throws IOException {
        StateFolder.Listing listing = state.list();
        List<BatchTask> aside =
                tasks.stream().filter(task -> listing.isSetAside(task.id())).toList();
        long done = tasks.stream()
                .filter(task -> listing.done().contains(task.id()))
                .count();
        report.println(
                done + " of " + tasks.size() + " done" + (aside.isEmpty() ? "" : ", " + aside.size() + " set aside:"));
        for (BatchTask task : aside) {
            report.println(task.id() + " " + task.input() + ": " + state.reason(task.id(), listing) + " (log: "
                    + state.folder().resolve(task.id() + StateFolder.LOG) + ")");
        }
        List<BatchTask> missing = tasks.stream()
                .filter(task -> complete && !listing.isSettled(task.id()))
                .toList();
        missing.forEach(task -> report.println(task.id() + " " + task.input() + ": not done"));
        report.flush();
        return aside.isEmpty() && missing.isEmpty() ? ExitStatus.OK : ExitStatus.PROBLEM;
    }
}
