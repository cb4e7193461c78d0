/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.batch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.gstqpu.pipelines.cli.CommandFailedException;
import org.gstqpu.pipelines.play.TranscodeSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Worker processes whose work does nothing. */
@Timeout(value = 1200, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WorkersIT {
    private static final int LEASE_SECONDS = 60;
    private static final Duration STALL = Duration.ofSeconds(3);
    private static final String BLOCK = "/block";
    private static final String DAMAGED = "/damaged";
    private static final String UNLUCKY = "/unlucky";

    /** Cannot be read the first time. */
    private static final String MOODY = "/moody";

    private static final String LONG = "/long";
    private static final String ENOUGH = "enough";
    private static final String ALIVE = ".alive";

    @TempDir
    private Path folder;

    private final List<String> said = Collections.synchronizedList(new ArrayList<>());

    private static BatchTask.Unit unit(int number, String input) {
        String id = String.format("%06d", number);
        return new BatchTask.Unit(id, input, null, null, null, id + ".mkv", null, 1);
    }

    private Workers workers(BatchPlan plan, Duration stall, Duration time) throws IOException {
        plan.write(folder);
        return new Workers(
                folder,
                plan,
                StateFolder.of(folder),
                LeaseHolder.ofThisProcess(),
                new Workers.Rules(Idler.class.getName(), stall, time, time),
                said::add);
    }

    private WorkerProcess.Order order(int count) {
        return new WorkerProcess.Order(
                folder.resolve(BatchPlan.FILE).toString(),
                BatchPlanTest.SOFTWARE,
                new TranscodeSettings("transcode", null, null, null, Map.of("threads", Integer.toString(count))),
                null,
                new Worker.Order(Shard.WHOLE, false, true, true, LEASE_SECONDS));
    }

    @Test
    void aWorkerThatDoesNotComeOnIsKilledAndItsUnitHasFailedOnce() throws Exception {
        BatchPlan plan = BatchPlanTest.plan(List.of(unit(1, BLOCK), unit(2, "/short")));
        StateFolder state = StateFolder.of(folder);
        state.failed("000001", "once");
        state.failed("000001", "twice");
        workers(plan, STALL, Duration.ofHours(1)).run(WorkerCount.known(1, "a test"), (number, count) -> order(count));
        StateFolder.Listing listing = state.list();
        assertTrue(listing.done().contains("000002"), said::toString);
        assertTrue(listing.isSetAside("000001"), said::toString);
        assertEquals(List.of(), List.copyOf(listing.leased()));
        String reason = "it made no progress for 3 s (--stall-seconds), and its worker was killed";
        assertEquals(reason, state.reason("000001", listing));
        assertTrue(said.contains("000001 failed (attempt 3 of 3): " + reason), said::toString);
        long pid = Long.parseLong(Files.readString(folder.resolve(BLOCK.substring(1))));
        assertFalse(ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false));
    }

    @Test
    void onlyWhatMayTurnOutBetterIsTriedAgain() throws Exception {
        BatchPlan plan = BatchPlanTest.plan(List.of(
                unit(1, DAMAGED),
                unit(2, "http://localhost" + DAMAGED),
                unit(3, UNLUCKY),
                unit(4, "/short"),
                unit(5, MOODY)));
        workers(plan, Duration.ofMinutes(2), Duration.ofHours(1))
                .run(WorkerCount.known(1, "a test"), (number, count) -> order(count));
        StateFolder state = StateFolder.of(folder);
        StateFolder.Listing listing = state.list();
        assertEquals(Set.of("000004", "000005"), listing.done(), said::toString);
        assertFalse(listing.failures().containsKey("000005"), said::toString);
        assertTrue(List.of("000001", "000002", "000003").stream().allMatch(listing::isSetAside), said::toString);
        assertEquals(DAMAGED, state.reason("000001", listing));
        assertEquals(
                List.of("000001 is set aside: " + DAMAGED + ": " + DAMAGED),
                said.stream().filter(line -> line.startsWith("000001")).toList());
        for (String id : List.of("000002", "000003")) {
            assertEquals(
                    3,
                    said.stream()
                            .filter(line -> line.startsWith(id + " failed"))
                            .count(),
                    said::toString);
        }
    }

    /** Two filter a thousand times what one does, or four. */
    @Test
    void theNumberOfWorkersThatPaysIsFoundAndTheOthersEnd() throws Exception {
        List<BatchTask.Unit> units = new ArrayList<>();
        for (int i = 1; i <= 12; i++) {
            units.add(unit(i, LONG));
        }
        WorkerCount count = WorkerCount.between(1, 8);
        AtomicInteger most = new AtomicInteger();
        workers(BatchPlanTest.plan(units), Duration.ofMinutes(2), Duration.ofSeconds(1))
                .run(count, (number, all) -> {
                    if (all < most.get()) {
                        write(folder.resolve(ENOUGH), "");
                    }
                    most.set(Math.max(most.get(), all));
                    return order(all);
                });
        assertTrue(count.isKnown(), said::toString);
        assertEquals(2, count.number(), count::why);
        assertEquals(4, most.get());
        StateFolder state = StateFolder.of(folder);
        assertEquals(12, state.list().done().size(), said::toString);
        try (Stream<Path> files = Files.list(folder)) {
            List<Integer> threads = files.filter(file -> file.toString().endsWith(ALIVE))
                    .map(file -> Integer.valueOf(read(file)))
                    .sorted()
                    .toList();
            // The first two were told that they are two again; the others ended after the task that they had then.
            assertEquals(List.of(2, 2), threads.subList(0, 2), said::toString);
            assertEquals(4, threads.size());
        }
    }

    private static void write(Path file, String text) {
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** A worker's process without GStreamer. */
    static final class Idler {
        private static final long TICK_MILLIS = 50;

        private Idler() {}

        public static void main(String[] arguments) throws IOException {
            WorkerProcess.run(Work::new);
        }

        private static final class Work implements TaskWork {
            private final Path folder;
            private final Path alive;

            Work(WorkerProcess.Order order, Path folder) {
                this.folder = folder;
                alive = folder.resolve(ProcessHandle.current().pid() + ALIVE);
                write(alive, order.threads());
            }

            @Override
            public void set(String property, String value) {
                assertEquals("threads", property);
                write(alive, value);
            }

            private final AtomicInteger moody = new AtomicInteger();

            @Override
            public Outcome run(BatchTask task, String writer, Watcher watcher)
                    throws InterruptedException, IOException {
                if (task.input().equals(BLOCK)) {
                    write(
                            folder.resolve(BLOCK.substring(1)),
                            Long.toString(ProcessHandle.current().pid()));
                    Thread.sleep(Long.MAX_VALUE);
                }
                if (task.input().endsWith(DAMAGED)) {
                    throw CommandFailedException.unusable(DAMAGED);
                }
                if (task.input().equals(MOODY) && moody.getAndIncrement() == 0) {
                    throw CommandFailedException.unusable(MOODY);
                }
                if (task.input().equals(UNLUCKY)) {
                    throw CommandFailedException.problem(UNLUCKY);
                }
                long pixels = 0;
                for (int tick = 1; task.input().equals(LONG) && !Files.exists(folder.resolve(ENOUGH)); tick++) {
                    pixels += workers() == 2 ? 1000 : 1;
                    if (!watcher.goesOn(new Progress(tick, pixels, 0, false))) {
                        return new Outcome(tick, false);
                    }
                    Thread.sleep(TICK_MILLIS);
                }
                // Fails if another one has done it.
                Files.createFile(folder.resolve(task.output()));
                return new Outcome(1, watcher.goesOn(new Progress(1, pixels, 0, true)));
            }

            private long workers() throws IOException {
                try (Stream<Path> files = Files.list(folder)) {
                    return files.filter(file -> file.toString().endsWith(ALIVE)).count();
                }
            }

            @Override
            public void clear(BatchTask task) {}
        }
    }
}
