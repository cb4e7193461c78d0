/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.batch;

import static org.gstqpu.pipelines.cli.CommandFailedException.unusable;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.gstqpu.pipelines.cli.CommandFailedException;
import org.gstqpu.pipelines.cli.ExitStatus;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The options that say how a plan is done on this machine. Filled by picocli. */
final class RunOptions {
    private static final int LEAST_LEASE_SECONDS = 2;

    private static final int LEAST_STALL_SECONDS = 2;

    @Option(
            names = "--workers",
            paramLabel = "W",
            description =
                    "the number of units that this machine does at once (default: what pays, which is measured with the first units"
                            + " and kept)")
    private Integer workers;

    @Option(names = "--calibrate", description = "measure again how many units at once pay")
    private boolean calibrate;

    @Option(names = "--retry", description = "try units again that were set aside after failing three times")
    private boolean retry;

    @Option(
            names = "--lease-seconds",
            paramLabel = "SECONDS",
            defaultValue = "60",
            description =
                    "after how long without a sign of life another worker takes a unit over (default: ${DEFAULT-VALUE})")
    private int leaseSeconds;

    @Option(
            names = "--stall-seconds",
            paramLabel = "SECONDS",
            defaultValue = "600",
            description =
                    "after how long without progress a worker is killed, and its unit counts as failed once (default: ${DEFAULT-VALUE})")
    private int stallSeconds;

    /**
     * Does a share of a plan.
     *
     * @return the exit status
     * @throws CommandFailedException when the plan cannot be used, or the work cannot go on
     */
    int run(Path named, Shard shard, boolean onlyShard, boolean transcodes, boolean joins, CommandSpec spec)
            throws IOException, InterruptedException {
        check();
        String software = PlanOptions.software(spec);
        Path file = BatchPlan.file(named);
        BatchPlan plan = BatchPlan.read(file, software);
        Path out = file.getParent();
        StateFolder state = StateFolder.of(out);
        List<BatchTask> tasks = plan.tasks();
        forgive(plan, state);
        PrintWriter report = spec.commandLine().getOut();
        StateFolder.Listing before = state.list();
        if (tasks.stream().anyMatch(task -> !before.isSettled(task.id()))) {
            MachineShare share = MachineShare.of(plan.settings(), System.getenv());
            Optional<KeptCount> kept =
                    workers == null && transcodes ? Optional.of(KeptCount.of(share)) : Optional.empty();
            WorkerCount count = count(kept, share, (int) plan.units().stream()
                    .filter(unit -> !before.isSettled(unit.id()))
                    .count());
            boolean known = count.isKnown();
            if (transcodes) {
                say(report, known ? share.words(count) : "how many units at once pay is measured with the first ones");
            }
            LeaseHolder me = LeaseHolder.ofThisProcess();
            try (BatchBar bar =
                    BatchBar.onErrorTerminal(spec.usageMessage().width(), () -> BatchStatus.read(plan, out, me))) {
                new Workers(out, plan, state, me, Workers.Rules.with(Duration.ofSeconds(stallSeconds)), line -> {
                            if (bar != null) {
                                bar.clear();
                            }
                            say(report, line);
                        })
                        .run(
                                count,
                                (number, all) -> new WorkerProcess.Order(
                                        file.toString(),
                                        software,
                                        share.settings(number, all),
                                        share.gpu(number),
                                        new Worker.Order(shard, onlyShard, transcodes, joins, leaseSeconds)));
            }
            if (!known && count.isKnown()) {
                say(report, share.words(count));
                kept.ifPresent(place -> place.keep(count));
            }
        }
        return sayEnd(tasks, state, !transcodes, report);
    }

    private void check() {
        if (workers != null && workers < 1) {
            throw unusable("--workers " + workers + ": it is 1 or more");
        }
        if (leaseSeconds < LEAST_LEASE_SECONDS) {
            throw unusable("--lease-seconds " + leaseSeconds + ": it is " + LEAST_LEASE_SECONDS + " or more");
        }
        if (stallSeconds < LEAST_STALL_SECONDS) {
            throw unusable("--stall-seconds " + stallSeconds + ": it is " + LEAST_STALL_SECONDS + " or more");
        }
        if (workers != null && calibrate) {
            throw unusable("--calibrate finds the number that --workers gives: leave one of them out");
        }
    }

    /** @param open number of units that are not done; more workers would have nothing to do */
    private WorkerCount count(Optional<KeptCount> kept, MachineShare share, int open) {
        if (workers != null) {
            return WorkerCount.known(workers, "--workers");
        }
        if (kept.isEmpty()) {
            return WorkerCount.known(1, "joining is reading and writing");
        }
        int useful = Math.max(1, open);
        Optional<WorkerCount> found = calibrate ? Optional.empty() : kept.get().find();
        return found.map(count -> count.atMost(useful))
                .orElseGet(() -> WorkerCount.between(Math.min(share.fewest(), useful), Math.min(share.most(), useful)));
    }

    private static void say(PrintWriter report, String line) {
        report.println(line);
        report.flush();
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
        List<String> arguments =
                new ArrayList<>(List.of("--lease-seconds=" + leaseSeconds, "--stall-seconds=" + stallSeconds));
        if (workers != null) {
            arguments.add("--workers=" + workers);
        }
        if (calibrate) {
            arguments.add("--calibrate");
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
            report.println(task.id() + " " + task.said(state.reason(task.id(), listing)) + " (log: "
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
