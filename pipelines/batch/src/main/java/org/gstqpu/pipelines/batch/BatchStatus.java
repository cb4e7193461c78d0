/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.batch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * How far a plan has come, over all machines. The components are field names of JSON. Immutable.
 *
 * @param units number of units and joins
 * @param done of these
 * @param running those with a worker that lives
 * @param failed those that were set aside
 * @param left those that nobody has begun, or whose worker is dead
 * @param pictures that were filtered, with those of running units
 * @param workers number of workers that live
 * @param fps pictures a second of all workers that live, by what each has done so far; 0 if none lives
 * @param secondsLeft an estimate by the sizes of the inputs; null if nothing is known yet, or nobody works
 * @param aside ids of those that were set aside
 */
record BatchStatus(
        int units,
        int done,
        int running,
        int failed,
        int left,
        long pictures,
        int workers,
        double fps,
        Long secondsLeft,
        List<String> aside) {
    /** What a worker has done. */
    private static final class Pace {
        private long pictures;
        private long bytes;
        private long nanos;
    }

    /**
     * Reads the state of a plan: one listing, the journal of each worker, and the leases of running units.
     *
     * @param out the plan's folder
     */
    static BatchStatus read(BatchPlan plan, Path out, LeaseHolder looker) throws IOException {
        StateFolder state = new StateFolder(out.resolve(StateFolder.NAME));
        StateFolder.Listing listing = state.list();
        Map<String, Long> bytes = new HashMap<>();
        List<BatchTask> tasks = plan.tasks();
        plan.units().forEach(unit -> bytes.put(unit.id(), Math.max(1, unit.bytes())));
        Map<String, Pace> paces = new HashMap<>();
        Set<String> counted = new HashSet<>();
        long pictures = 0;
        for (String worker : listing.workers()) {
            Pace pace = paces.computeIfAbsent(worker, name -> new Pace());
            for (Journal.Entry entry : Journal.read(state.folder(), worker)) {
                pace.pictures += entry.pictures();
                pace.bytes += bytes.getOrDefault(entry.id(), 0L);
                pace.nanos += entry.nanos();
                if (counted.add(entry.id())) {
                    pictures += entry.pictures();
                }
            }
        }
        int done = 0;
        int running = 0;
        List<String> aside = new ArrayList<>();
        double fps = 0;
        double bytesASecond = 0;
        long leftBytes = 0;
        Set<String> living = new HashSet<>();
        FileTime now = null;
        for (BatchTask task : tasks) {
            if (listing.done().contains(task.id())) {
                done++;
                continue;
            }
            if (listing.isSetAside(task.id())) {
                aside.add(task.id());
                continue;
            }
            leftBytes += bytes.getOrDefault(task.id(), 0L);
            Optional<Lease.Seen> seen =
                    listing.leased().contains(task.id()) ? Lease.look(state.folder(), task.id()) : Optional.empty();
            if (seen.isEmpty() || seen.get().content() == null) {
                continue;
            }
            if (now == null) {
                now = now(state, looker);
            }
            Lease.Content lease = seen.get().content();
            if (seen.get().isDead(looker, now, lease.seconds())) {
                continue;
            }
            running++;
            pictures += lease.pictures();
            living.add(lease.holder().worker());
            Pace pace = paces.computeIfAbsent(lease.holder().worker(), name -> new Pace());
            fps += pace(pace.pictures + lease.pictures(), pace.nanos + (lease.pictures() > 0 ? lease.nanos() : 0));
            bytesASecond += pace(pace.bytes, pace.nanos);
        }
        long seconds = Math.round(leftBytes / bytesASecond);
        return new BatchStatus(
                tasks.size(),
                done,
                running,
                aside.size(),
                tasks.size() - done - running - aside.size(),
                pictures,
                living.size(),
                fps,
                bytesASecond > 0 ? seconds : null,
                List.copyOf(aside));
    }

    private static double pace(long amount, long nanos) {
        return nanos > 0 ? amount * 1e9 / nanos : 0;
    }

    /** The file server's time; this machine's if the folder cannot be written to. */
    private static FileTime now(StateFolder state, LeaseHolder looker) throws IOException {
        return Files.isWritable(state.folder()) ? state.now(looker) : FileTime.from(Instant.now());
    }

    /** Whether nothing is left to do. */
    boolean isOver() {
        return running == 0 && left == 0;
    }

    /** In one line. */
    String line() {
        return String.format(
                Locale.ROOT,
                "%d of %d done, %d running, %d failed, %d left; %d pictures, %.1f fps by %d %s%s",
                done,
                units,
                running,
                failed,
                left,
                pictures,
                fps,
                workers,
                workers == 1 ? "worker" : "workers",
                secondsLeft == null ? "" : ", " + clock(secondsLeft) + " left");
    }

    private static String clock(long seconds) {
        return String.format(Locale.ROOT, "%d:%02d:%02d", seconds / 3600, seconds / 60 % 60, seconds % 60);
    }
}
