/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.batch;

import static org.gstqpu.pipelines.cli.Wording.counted;

import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.gstqpu.pipelines.cli.CommandFailedException;
import org.gstqpu.pipelines.cli.DiskFullException;
import org.gstqpu.pipelines.cli.ExitStatus;
import org.gstqpu.pipelines.play.Transcoder;

/**
 * Does one task of a plan after the other, each under a lease, until there is none left that it may do. Any number of workers do the
 * same plan at once, on any machine that has its folder. Lives on one thread; {@link #stop} may be called by any.
 */
final class Worker {
    private static final long FIRST_PAUSE_MILLIS = 200;

    private final BatchPlan plan;
    private final Path out;
    private final StateFolder state;
    private final LeaseHolder me;
    private final Order order;
    private final TaskWork work;
    private final Reports reports;
    private final Map<String, BatchTask.Join> joins = new HashMap<>();

    /** Tasks that are known to be done, also by others. */
    private final Set<String> done = new HashSet<>();

    /** Pixels that were filtered in tasks that have ended. */
    private long pixels;

    private volatile boolean stopping;
    private volatile boolean finishing;

    /**
     * What a worker is to do.
     *
     * @param shard the units that it does first
     * @param onlyShard whether it does no others
     * @param transcodes whether it does units
     * @param joinsSegments whether it does joins
     * @param leaseSeconds how long its leases live without being renewed
     */
    record Order(Shard shard, boolean onlyShard, boolean transcodes, boolean joinsSegments, int leaseSeconds) {}

    /** Takes what a worker reports, on the worker's thread. */
    interface Reports {
        /** Takes a line for the user: a task has ended, or is free again. */
        void say(String line);

        /**
         * The worker makes progress.
         *
         * @param pixels all that it has filtered so far
         */
        void progress(long pixels);

        /** The worker has nothing to do for a while, because others have what is left. */
        void idle();
    }

    /**
     * Makes a worker; does nothing yet.
     *
     * @param out the plan's folder
     */
    Worker(BatchPlan plan, Path out, StateFolder state, LeaseHolder me, Order order, TaskWork work, Reports reports) {
        this.plan = plan;
        this.out = out;
        this.state = state;
        this.me = me;
        this.order = order;
        this.work = work;
        this.reports = reports;
        for (BatchTask.Join join : plan.joins()) {
            join.segments().forEach(segment -> joins.put(segment.id(), join));
        }
    }

    /** Lets the worker give up what it does, without a failure, and end. */
    void stop() {
        stopping = true;
    }

    /** Lets the worker end when it is done with its task. */
    void finish() {
        finishing = true;
    }

    /**
     * Works until every task that it may do is done or set aside, by it or by others. Waits for others as long as they live.
     *
     * @throws IOException when the folder of the plan cannot be used
     * @throws DiskFullException when the disk is full
     */
    void run() throws InterruptedException, IOException {
        List<BatchTask> tasks = tasks();
        long pause = FIRST_PAUSE_MILLIS;
        try (Journal journal = Journal.open(state.folder(), me)) {
            StateFolder.Listing listing = state.list();
            while (!stopping && !finishing) {
                boolean progress = false;
                for (BatchTask task : tasks) {
                    if (stopping || finishing) {
                        return;
                    }
                    if (!isDone(task.id(), listing) && !listing.isSetAside(task.id()) && isReady(task, listing)) {
                        progress |= attempt(task, journal);
                    }
                }
                listing = state.list();
                StateFolder.Listing now = listing;
                List<BatchTask> open =
                        tasks.stream().filter(task -> isOpen(task, now)).toList();
                if (open.isEmpty()) {
                    return;
                }
                if (buryDead(open, now) || progress) {
                    pause = FIRST_PAUSE_MILLIS;
                    continue;
                }
                reports.idle();
                Thread.sleep(pause);
                // Each look costs the file server a listing.
                pause = Math.min(2 * pause, 1000L * order.leaseSeconds() / 4);
            }
        }
    }

    /** All that it may do: its own share first. */
    private List<BatchTask> tasks() {
        List<BatchTask> own = new ArrayList<>();
        List<BatchTask> others = new ArrayList<>();
        if (order.transcodes()) {
            for (int place = 0; place < plan.units().size(); place++) {
                (order.shard().has(place) ? own : others).add(plan.units().get(place));
            }
        }
        if (order.joinsSegments()) {
            others.addAll(plan.joins());
        }
        if (!order.onlyShard()) {
            own.addAll(others);
        }
        return own;
    }

    private boolean isDone(String id, StateFolder.Listing listing) {
        return done.contains(id) || listing.done().contains(id);
    }

    /** Whether all is there that the task needs. */
    private boolean isReady(BatchTask task, StateFolder.Listing listing) {
        return !(task instanceof BatchTask.Join join)
                || join.segments().stream().allMatch(segment -> isDone(segment.id(), listing));
    }

    /** Whether something may still have to be done for the task. A join lacks a segment for good if that is set aside. */
    private boolean isOpen(BatchTask task, StateFolder.Listing listing) {
        // Who only joins does not wait for segments, which perhaps nobody does.
        return !listing.isSettled(task.id())
                && (order.transcodes() || isReady(task, listing))
                && !(task instanceof BatchTask.Join join
                        && join.segments().stream().anyMatch(segment -> listing.isSetAside(segment.id())));
    }

    /** Frees tasks whose holders are dead. Returns whether there were such. */
    private boolean buryDead(List<BatchTask> open, StateFolder.Listing listing) throws IOException {
        boolean buried = false;
        FileTime now = null;
        for (BatchTask task : open) {
            if (!listing.leased().contains(task.id())) {
                continue;
            }
            Optional<Lease.Seen> seen = Lease.look(state.folder(), task.id());
            if (seen.isEmpty()) {
                // Freed since the listing.
                buried = true;
                continue;
            }
            if (now == null) {
                now = state.now(me);
            }
            if (seen.get().isDead(me, now, order.leaseSeconds())
                    && Lease.bury(state.folder(), task.id(), seen.get(), me)) {
                buried = true;
                clear(task, seen.get());
            }
        }
        return buried;
    }

    /** Removes what a dead worker has left of a task. */
    private void clear(BatchTask task, Lease.Seen dead) throws IOException {
        if (dead.content() == null) {
            return;
        }
        LeaseHolder holder = dead.content().holder();
        Transcoder.remove(out.resolve(task.output()), holder.worker());
        reports.say(task.id() + " is free again: its worker on " + holder.host() + " (process " + holder.pid()
                + ") is dead");
    }

    /** Does a task if it is free. Returns whether that ended well or badly, so that there may be more to do. */
    private boolean attempt(BatchTask task, Journal journal) throws InterruptedException, IOException {
        reports.progress(pixels);
        Optional<Lease> taken = Lease.take(state.folder(), task.id(), me, order.leaseSeconds());
        if (taken.isEmpty()) {
            return false;
        }
        boolean ended;
        try (Lease lease = taken.get()) {
            // It may have been done or have failed since the listing.
            if (state.isDone(task.id())) {
                done.add(task.id());
                return false;
            }
            ended = !state.isOutOfAttempts(task.id()) && work(task, lease, journal, false);
        }
        BatchTask.Join join = ended && order.joinsSegments() ? joins.get(task.id()) : null;
        if (join != null && done.contains(task.id()) && areSegmentsDone(join)) {
            attempt(join, journal);
        }
        return ended;
    }

    /** Whether the worker has just made the last one. Asks the file server about those alone that it does not know of. */
    private boolean areSegmentsDone(BatchTask.Join join) {
        for (BatchTask.Unit segment : join.segments()) {
            if (!done.contains(segment.id()) && !state.isDone(segment.id())) {
                return false;
            }
            done.add(segment.id());
        }
        return true;
    }

    /** @param again whether the file could not be read just now; only a second reading that fails tells that it never can */
    private boolean work(BatchTask task, Lease lease, Journal journal, boolean again)
            throws InterruptedException, IOException {
        long start = System.nanoTime();
        try (Renewal renewal = new Renewal(lease, order.leaseSeconds())) {
            Progress progress = new Progress();
            TaskWork.Outcome outcome;
            try {
                outcome = work.run(task, me.worker(), new TaskWork.Watcher() {
                    @Override
                    public boolean goesOn(TaskWork.Progress now) {
                        progress.see(now);
                        renewal.pictures(now.pictures());
                        return !stopping && renewal.isHeld(now.complete());
                    }

                    @Override
                    public void told(List<String> changes) {
                        String name =
                                task instanceof BatchTask.Unit unit && unit.isSegment() ? unit.joins() : task.output();
                        reports.say("note: " + name + ": " + String.join("; ", changes));
                    }
                });
            } finally {
                pixels += progress.last.pixels();
            }
            if (!outcome.complete()) {
                if (!stopping) {
                    reports.say(task.id()
                            + " is given up: another worker has taken it, for its lease was not renewed in time");
                }
                return !stopping;
            }
            Journal.Entry entry =
                    new Journal.Entry(task.id(), me.worker(), me.host(), outcome.pictures(), System.nanoTime() - start);
            state.done(task.id(), entry);
            done.add(task.id());
            journal.add(entry);
            work.clear(task);
            reports.say(words(task, entry));
        } catch (DiskFullException e) {
            // Not the task's fault.
            throw e;
        } catch (CommandFailedException e) {
            boolean unreadable =
                    e.exitStatus() == ExitStatus.UNUSABLE_INPUT && !task.input().contains("://");
            if (unreadable && !again) {
                return work(task, lease, journal, true);
            }
            // A file stays as it is; a network and a machine with other work may do better.
            if (unreadable) {
                state.setAside(task.id(), e.getMessage());
                reports.say(task.id() + " is set aside: " + task.said(String.valueOf(e.getMessage())));
            } else {
                int attempt = state.failed(task.id(), e.getMessage());
                reports.say(task.id() + " failed (attempt " + attempt + " of " + StateFolder.ATTEMPTS + "): "
                        + e.getMessage());
            }
        }
        return true;
    }

    /** Reports a task's progress where there is some. */
    private final class Progress {
        private TaskWork.Progress last = new TaskWork.Progress(0, 0, 0, false);

        void see(TaskWork.Progress now) {
            if (!now.equals(last)) {
                reports.progress(pixels + now.pixels());
            }
            last = now;
        }
    }

    private static String words(BatchTask task, Journal.Entry entry) {
        double seconds = entry.nanos() / 1e9;
        return task instanceof BatchTask.Join join
                ? String.format(
                        Locale.ROOT,
                        "%s: %s joined in %.1f s",
                        join.output(),
                        counted(join.segments().size(), "segment"),
                        seconds)
                : String.format(
                        Locale.ROOT,
                        "%s: %s in %.1f s (%.1f fps)",
                        task.output(),
                        counted(entry.pictures(), "picture"),
                        seconds,
                        entry.pictures() / seconds);
    }
}
