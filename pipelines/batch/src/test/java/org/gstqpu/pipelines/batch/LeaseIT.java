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
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;

@EnabledIfEnvironmentVariable(named = "GST_QPU_TESTS", matches = "all", disabledReason = "it/check --all runs it")
class LeaseIT {
    private static final int SECONDS = 60;
    private static final int UNITS = 2000;
    private static final int PROCESSES = 2;
    private static final long LIMIT_SECONDS = 600;

    @TempDir
    private Path folder;

    private static LeaseHolder holder(String worker, String host, long pid) throws IOException {
        LeaseHolder me = LeaseHolder.ofThisProcess();
        return new LeaseHolder(worker, host, me.boot(), me.space(), pid, 1);
    }

    @Test
    void oneOfSeveralTakesIt() throws IOException {
        LeaseHolder me = LeaseHolder.ofThisProcess();
        Lease lease = Lease.take(folder, "000001", me, SECONDS).orElseThrow();
        assertTrue(Lease.take(folder, "000001", holder("b", "elsewhere", 1), SECONDS)
                .isEmpty());
        assertTrue(lease.renew(7, 8));
        Lease.Content content = Lease.look(folder, "000001").orElseThrow().content();
        assertEquals(new Lease.Content(me, SECONDS, 7, 8), content);
        lease.close();
        assertTrue(Lease.look(folder, "000001").isEmpty());
        assertTrue(Lease.take(folder, "000001", me, SECONDS).isPresent());
    }

    @Test
    void itsHolderIsDeadWhenItsProcessIsGoneOrItIsOld() throws IOException {
        LeaseHolder me = LeaseHolder.ofThisProcess();
        StateFolder state = new StateFolder(folder);
        assertTrue(Lease.take(folder, "alive", me, SECONDS).isPresent());
        // This process has this number, but did not start then.
        assertTrue(Lease.take(folder, "gone", holder("b", me.host(), me.pid()), SECONDS)
                .isPresent());
        assertTrue(Lease.take(folder, "elsewhere", holder("c", "elsewhere", me.pid()), SECONDS)
                .isPresent());
        FileTime now = state.now(me);
        assertFalse(Lease.look(folder, "alive").orElseThrow().isDead(me, now, SECONDS));
        assertTrue(Lease.look(folder, "gone").orElseThrow().isDead(me, now, SECONDS));
        assertFalse(Lease.look(folder, "elsewhere").orElseThrow().isDead(me, now, SECONDS));
        FileTime later = FileTime.fromMillis(now.toMillis() + TimeUnit.SECONDS.toMillis(SECONDS) + 1000);
        assertTrue(Lease.look(folder, "elsewhere").orElseThrow().isDead(me, later, SECONDS));
    }

    @Test
    void oneThatIsTakenOverIsLostForItsHolder() throws IOException {
        LeaseHolder me = LeaseHolder.ofThisProcess();
        Lease lost = Lease.take(folder, "000001", holder("b", "elsewhere", 1), SECONDS)
                .orElseThrow();
        Lease.Seen seen = Lease.look(folder, "000001").orElseThrow();
        assertTrue(Lease.bury(folder, "000001", seen, me));
        assertFalse(Lease.bury(folder, "000001", seen, me));
        Lease mine = Lease.take(folder, "000001", me, SECONDS).orElseThrow();
        assertFalse(lost.renew(1, 1));
        lost.close();
        assertTrue(mine.isMine(), "closing the lost one freed the new one");
        assertEquals(1, new StateFolder(folder).list().losses().get("000001"));
    }

    /** A second one that found the same lease dead comes too late, when the task has a new holder. */
    @Test
    void aLivingOneIsNotBuried() throws IOException {
        LeaseHolder me = LeaseHolder.ofThisProcess();
        assertTrue(Lease.take(folder, "000001", holder("b", "elsewhere", 1), SECONDS)
                .isPresent());
        Lease.Seen dead = Lease.look(folder, "000001").orElseThrow();
        assertTrue(Lease.bury(folder, "000001", dead, me));
        Lease living = Lease.take(folder, "000001", me, SECONDS).orElseThrow();
        assertFalse(Lease.bury(folder, "000001", dead, holder("c", "third", 1)));
        assertTrue(living.isMine());
    }

    @Test
    void anEmptyOneIsDeadOnlyWhenItIsOld() throws IOException {
        LeaseHolder me = LeaseHolder.ofThisProcess();
        Files.createFile(folder.resolve("000001.lease"));
        Lease.Seen seen = Lease.look(folder, "000001").orElseThrow();
        assertFalse(seen.isDead(me, seen.renewed(), SECONDS));
        assertTrue(seen.isDead(me, FileTime.fromMillis(seen.renewed().toMillis() + 61_000), SECONDS));
        assertTrue(Lease.bury(folder, "000001", seen, me));
    }

    /** Processes that do the same plan at once, with work that does nothing, do each unit once. */
    @Test
    void processesThatRaceDoEachUnitOnce() throws IOException, InterruptedException {
        List<BatchTask.Unit> units = new ArrayList<>();
        for (int i = 1; i <= UNITS; i++) {
            String id = String.format("%06d", i);
            units.add(new BatchTask.Unit(id, "/in/" + id, null, null, null, id + ".mkv", null, 1));
        }
        BatchPlanTest.plan(units).write(folder);
        StateFolder state = StateFolder.of(folder);
        List<Process> processes = new ArrayList<>();
        for (int i = 0; i < PROCESSES; i++) {
            processes.add(new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-cp",
                            System.getProperty("java.class.path"),
                            Racer.class.getName(),
                            folder.toString())
                    .inheritIO()
                    .start());
        }
        for (Process process : processes) {
            assertTrue(process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS));
            assertEquals(0, process.exitValue());
        }
        List<String> done = new ArrayList<>();
        for (String worker : state.list().workers()) {
            Journal.read(state.folder(), worker).forEach(entry -> done.add(entry.id()));
        }
        assertEquals(UNITS, done.size());
        Set<String> once = new TreeSet<>(done);
        assertEquals(UNITS, once.size());
        assertEquals(once, new TreeSet<>(state.list().done()));
        assertEquals(Set.of(), state.list().leased());
        BatchStatus status = BatchStatus.read(
                BatchPlan.read(folder.resolve(BatchPlan.FILE), BatchPlanTest.SOFTWARE),
                folder,
                LeaseHolder.ofThisProcess());
        assertEquals(UNITS, status.done());
        assertEquals(UNITS * Racer.PICTURES, status.pictures());
        assertTrue(status.isOver());
    }

    /** A worker without GStreamer. */
    static final class Racer {
        static final long PICTURES = 3;

        private Racer() {}

        public static void main(String[] arguments) throws IOException, InterruptedException {
            Path out = Path.of(arguments[0]);
            TaskWork work = new TaskWork() {
                @Override
                public Outcome run(BatchTask task, String writer, Watcher watcher) throws IOException {
                    if (watcher.goesOn(new Progress(PICTURES, 0, 0, true))) {
                        // Fails if another one has done it.
                        Files.createFile(out.resolve(task.output()));
                        return new Outcome(PICTURES, true);
                    }
                    return new Outcome(0, false);
                }

                @Override
                public void set(String property, String value) {}

                @Override
                public void clear(BatchTask task) {}
            };
            new Worker(
                            BatchPlan.read(out.resolve(BatchPlan.FILE), BatchPlanTest.SOFTWARE),
                            out,
                            StateFolder.of(out),
                            LeaseHolder.ofThisProcess(),
                            new Worker.Order(Shard.WHOLE, false, true, true, SECONDS),
                            work,
                            new Silence())
                    .run();
        }

        private static final class Silence implements Worker.Reports {
            @Override
            public void say(String line) {}

            @Override
            public void progress(long pixels) {}

            @Override
            public void idle() {}
        }
    }
}
