/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.batch;

import static org.gstqpu.pipelines.cli.CommandFailedException.problem;
import static org.gstqpu.pipelines.cli.CommandFailedException.unavailable;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.gstqpu.pipelines.cli.CommandFailedException;
import org.gstqpu.pipelines.cli.ExitStatus;
import org.gstqpu.pipelines.play.Transcoder;

/**
 * The worker processes of one machine: starts as many as pay, passes on what they say, kills one that makes no progress, and starts one
 * again that has ended, after it has put that down to the task that it did. Used by one thread.
 */
final class Workers {
    /** How long workers that were told to stop may take. */
    private static final long STOP_SECONDS = 60;

    /** How often a worker may crash in a row without having held a task. */
    private static final int IDLE_CRASHES = 3;

    /** Lines of a worker's log that are kept when it crashes. */
    private static final int LOG_LINES = 40;

    private static final long LOOK_MILLIS = 100;

    /** A worker may need more memory than it has needed so far, and others of this machine may, too. */
    private static final double SPARE_MEMORY = 1.5;

    private final Path out;
    private final BatchPlan plan;
    private final StateFolder state;
    private final LeaseHolder me;
    private final Rules rules;
    private final Consumer<String> say;

    /** Those that have not ended, in the order in which they were started first. */
    private final List<Seat> seats = new ArrayList<>();

    private final List<Thread> threads = new ArrayList<>();
    private final AtomicReference<CommandFailedException> failure = new AtomicReference<>();
    private boolean stopping;

    /**
     * How workers are looked after.
     *
     * @param program name of the class whose main method they run
     * @param stall how long a worker may have a task and make no progress
     * @param settle how long workers have work until their pace is measured: so long the JVM may compile
     * @param measure how long their pace is measured
     */
    record Rules(String program, Duration stall, Duration settle, Duration measure) {
        private static final Duration SETTLE = Duration.ofSeconds(10);
        private static final Duration MEASURE = Duration.ofSeconds(10);

        static Rules with(Duration stall) {
            return new Rules(WorkerProcess.class.getName(), stall, SETTLE, MEASURE);
        }
    }

    /** What a worker is to do. Its process may be another one after a crash. */
    private static final class Seat {
        private final int number;
        private final WorkerProcess.Order order;
        private WorkerHandle worker;
        private boolean finishing;

        Seat(int number, WorkerProcess.Order order) {
            this.number = number;
            this.order = order;
        }
    }

    /** @param say takes what the workers say, a line each; called by several threads, one at a time */
    Workers(Path out, BatchPlan plan, StateFolder state, LeaseHolder me, Rules rules, Consumer<String> say) {
        this.out = out;
        this.plan = plan;
        this.state = state;
        this.me = me;
        this.rules = rules;
        this.say = say;
    }

    /**
     * Runs workers until none has anything left to do.
     *
     * @param count how many; if unknown, found here, unless the work ends first
     * @param orders the order of each worker, by its number from 0 on and how many there are
     * @throws CommandFailedException when they cannot go on
     */
    void run(WorkerCount count, Orders orders) throws InterruptedException, IOException {
        Thread atExit = new Thread(this::stopAtExit, "stop workers at exit");
        Runtime.getRuntime().addShutdownHook(atExit);
        Thread watch = new Thread(this::watch, "watch workers");
        watch.setDaemon(true);
        watch.start();
        try {
            start(count.number(), orders);
            find(count, orders);
            for (Thread thread : threads) {
                thread.join();
            }
        } finally {
            watch.interrupt();
        }
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException e) {
            // The process is ending: the hook has stopped the workers.
            return;
        }
        if (failure.get() != null) {
            throw failure.get();
        }
    }

    /** Makes the orders of workers. */
    interface Orders {
        /**
         * The order of a worker.
         *
         * @param number of the worker, from 0 on
         * @param count how many there are
         */
        WorkerProcess.Order of(int number, int count);
    }

    /** Lets more workers work as long as that pays, and ends those again that do not. */
    private void find(WorkerCount count, Orders orders) throws InterruptedException, IOException {
        while (!count.isKnown()) {
            int before = count.number();
            OptionalDouble pace = pace();
            if (pace.isEmpty()) {
                return;
            }
            count.measured(pace.getAsDouble());
            if (count.number() > before && !hasMemoryFor(count.number())) {
                count.end("there is no memory for more");
            }
            start(count.number(), orders);
            tell(orders, count.number());
        }
    }

    /** Starts those that are missing. */
    private void start(int count, Orders orders) {
        for (int number = threads.size(); number < count; number++) {
            Seat seat = new Seat(number, orders.of(number, count));
            synchronized (seats) {
                seats.add(seat);
            }
            Thread thread = new Thread(() -> supervise(seat), "worker");
            threads.add(thread);
            thread.start();
        }
    }

    /** Tells all workers how many they are now, and those that are too many to end after their task. */
    private void tell(Orders orders, int count) {
        synchronized (seats) {
            for (Seat seat : seats) {
                seat.finishing = seat.number >= count;
                if (seat.worker != null) {
                    seat.worker.tell(
                            seat.finishing
                                    ? WorkerProcess.FINISH
                                    : WorkerProcess.THREADS
                                            + orders.of(seat.number, count).threads());
                }
            }
        }
    }

    private boolean hasMemoryFor(int count) throws IOException {
        MachineMemory memory = MachineMemory.ofThisMachine();
        long most = 0;
        for (WorkerHandle worker : running()) {
            most = Math.max(most, memory.most(worker.process().pid()));
        }
        return memory.available() > most * SPARE_MEMORY * (count - threads.size());
    }

    private List<WorkerHandle> running() {
        synchronized (seats) {
            return seats.stream()
                    .map(seat -> seat.worker)
                    .filter(Objects::nonNull)
                    .toList();
        }
    }

    /**
     * What all workers filter, in pixels each second.
     *
     * @return empty if a worker has ended, or has nothing to do, before that was measured
     */
    private OptionalDouble pace() throws InterruptedException {
        long begin = System.nanoTime();
        List<WorkerHandle.Work> first = List.of();
        while (true) {
            Thread.sleep(LOOK_MILLIS);
            synchronized (seats) {
                if (stopping || seats.size() < threads.size()) {
                    return OptionalDouble.empty();
                }
            }
            List<WorkerHandle> workers = running();
            List<WorkerHandle.Work> work =
                    workers.stream().map(WorkerHandle::work).toList();
            long now = System.nanoTime();
            if (work.size() < threads.size() || work.stream().anyMatch(done -> done.pixels() == 0)) {
                // One has not begun yet, or begins again after a crash.
                begin = now;
                first = List.of();
            } else if (workers.stream().anyMatch(WorkerHandle::isIdle)) {
                return OptionalDouble.empty();
            } else if (first.isEmpty()) {
                if (now - begin > rules.settle().toNanos()) {
                    first = work;
                    begin = now;
                }
            } else if (now - begin > rules.measure().toNanos()) {
                double pace = pace(first, work);
                return pace > 0 ? OptionalDouble.of(pace) : OptionalDouble.empty();
            }
        }
    }

    /** The sum of each worker's pace between the times at which it told what it had done. */
    private static double pace(List<WorkerHandle.Work> first, List<WorkerHandle.Work> last) {
        double sum = 0;
        for (int i = 0; i < first.size(); i++) {
            long nanos = last.get(i).nanos() - first.get(i).nanos();
            // Less than 0 if it was started again meanwhile.
            long pixels = Math.max(0, last.get(i).pixels() - first.get(i).pixels());
            sum += nanos == 0 ? 0 : pixels * 1e9 / nanos;
        }
        return sum;
    }

    /** Kills workers that make no progress. */
    private void watch() {
        try {
            while (true) {
                Thread.sleep(LOOK_MILLIS);
                for (WorkerHandle worker : running()) {
                    worker.killIfStalled(rules.stall().toNanos());
                }
            }
        } catch (InterruptedException e) {
            // All have ended.
            return;
        }
    }

    private void stopAtExit() {
        synchronized (say) {
            say.accept("stopping; qpu batch run " + out.resolve(BatchPlan.FILE) + " goes on where this ends");
        }
        stop();
    }

    /** Tells all workers to stop, and waits until they have freed their tasks. */
    private void stop() {
        List<Process> all;
        synchronized (seats) {
            stopping = true;
            all = running().stream().map(WorkerHandle::process).toList();
        }
        all.forEach(Process::destroy);
        try {
            for (Process process : all) {
                if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
                    process.destroyForcibly();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void fail(CommandFailedException reason) {
        failure.compareAndSet(null, reason);
        stop();
    }

    private void supervise(Seat seat) {
        Path log = null;
        try {
            log = Files.createTempFile("qpu-batch-", ".log");
            int idleCrashes = 0;
            while (idleCrashes < IDLE_CRASHES) {
                synchronized (seats) {
                    if (stopping) {
                        return;
                    }
                    seat.worker = WorkerHandle.start(rules.program(), seat.order, log);
                }
                CommandFailedException reason = seat.worker.listen(line -> say(seat, line));
                if (reason != null) {
                    fail(reason);
                    return;
                }
                int status = seat.worker.process().waitFor();
                synchronized (seats) {
                    if (stopping || seat.finishing || status == ExitStatus.OK) {
                        return;
                    }
                }
                idleCrashes = blame(seat.worker, status, tail(log)) ? 0 : idleCrashes + 1;
            }
            fail(unavailable(
                    "the workers' processes end before they take a unit, the last one with: " + lastLine(tail(log))));
        } catch (IOException e) {
            fail(problem(
                    "a file cannot be read or written (" + e
                            + "): check its folder, the permissions and the free space",
                    e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            synchronized (seats) {
                seats.remove(seat);
            }
            delete(log);
        }
    }

    private void say(Seat seat, String line) {
        synchronized (say) {
            say.accept(seat.order.gpu() == null ? line : line + " [" + seat.order.gpu() + "]");
        }
    }

    private void delete(Path log) {
        try {
            if (log != null) {
                Files.deleteIfExists(log);
            }
        } catch (IOException e) {
            synchronized (say) {
                say.accept("left behind: " + log + " (" + e + ")");
            }
        }
    }

    /** Puts a crash down to the task whose lease the process held. Returns whether there was one. */
    private boolean blame(WorkerHandle worker, int status, String log) throws IOException {
        StateFolder.Listing listing = state.list();
        List<BatchTask> tasks = plan.tasks();
        for (BatchTask task : tasks) {
            Optional<Lease.Seen> seen =
                    listing.leased().contains(task.id()) ? Lease.look(state.folder(), task.id()) : Optional.empty();
            if (seen.isEmpty() || seen.get().content() == null) {
                continue;
            }
            LeaseHolder holder = seen.get().content().holder();
            if (holder.pid() == worker.process().pid() && holder.isGone(me)) {
                String reason = worker.isStalled()
                        ? "it made no progress for " + rules.stall().toSeconds()
                                + " s (--stall-seconds), and its worker was killed"
                        : "the worker's process ended with status " + status
                                + (status > 128 ? " (signal " + (status - 128) + ")" : "");
                int attempt = state.failed(task.id(), log + "\n" + reason);
                Lease.remove(state.folder(), task.id(), seen.get());
                Transcoder.remove(out.resolve(task.output()), holder.worker());
                synchronized (say) {
                    say.accept(
                            task.id() + " failed (attempt " + attempt + " of " + StateFolder.ATTEMPTS + "): " + reason);
                }
                return true;
            }
        }
        return false;
    }

    private static String tail(Path log) throws IOException {
        List<String> lines = Files.readString(log, StandardCharsets.ISO_8859_1)
                .lines()
                .filter(line -> !line.startsWith("WARNING: Using incubator modules"))
                .toList();
        return String.join("\n", lines.subList(Math.max(0, lines.size() - LOG_LINES), lines.size()));
    }

    private static String lastLine(String text) {
        return text.isEmpty() ? "no message" : text.substring(text.lastIndexOf('\n') + 1);
    }
}
