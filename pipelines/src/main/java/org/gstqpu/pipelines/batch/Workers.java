/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.batch;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.gstqpu.pipelines.cli.CommandFailedException;
import org.gstqpu.pipelines.cli.ExitStatus;
import org.gstqpu.pipelines.play.Transcoder;

/**
 * The worker processes of one machine: starts them, passes on what they say, and starts one again that has crashed, after it has put the
 * crash down to the task that it did. Used by one thread.
 */
final class Workers {
    /** How long workers that were told to stop may take. */
    private static final long STOP_SECONDS = 60;

    /** How often a worker may crash in a row without having held a task. */
    private static final int IDLE_CRASHES = 3;

    /** Lines of a worker's log that are kept when it crashes. */
    private static final int LOG_LINES = 40;

    private final Path out;
    private final BatchPlan plan;
    private final StateFolder state;
    private final LeaseHolder me;
    private final Consumer<String> say;
    private final List<Process> running = new ArrayList<>();
    private final AtomicReference<CommandFailedException> failure = new AtomicReference<>();
    private boolean stopping;

    /** @param say takes what the workers say, a line each; called by several threads, one at a time */
    Workers(Path out, BatchPlan plan, StateFolder state, LeaseHolder me, Consumer<String> say) {
        this.out = out;
        this.plan = plan;
        this.state = state;
        this.me = me;
        this.say = say;
    }

    /**
     * Runs workers until none has anything left to do.
     *
     * @param orders one for each worker
     * @throws CommandFailedException when they cannot go on
     */
    void run(List<WorkerProcess.Order> orders) throws InterruptedException {
        Thread atExit = new Thread(this::stop, "stop workers at exit");
        Runtime.getRuntime().addShutdownHook(atExit);
        List<Thread> threads = new ArrayList<>();
        for (WorkerProcess.Order order : orders) {
            Thread thread = new Thread(() -> supervise(order), "worker");
            thread.start();
            threads.add(thread);
        }
        for (Thread thread : threads) {
            thread.join();
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

    /** Tells all workers to stop, and waits until they have freed their tasks. */
    private void stop() {
        List<Process> all;
        synchronized (running) {
            stopping = true;
            all = List.copyOf(running);
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

    private void supervise(WorkerProcess.Order order) {
        Path log = null;
        try {
            log = Files.createTempFile("qpu-batch-", ".log");
            int idleCrashes = 0;
            while (idleCrashes < IDLE_CRASHES) {
                Optional<Process> started = start(order, log);
                if (started.isEmpty()) {
                    return;
                }
                Process process = started.get();
                boolean orderly = listen(process);
                int status = process.waitFor();
                synchronized (running) {
                    running.remove(process);
                    if (stopping || orderly || status == ExitStatus.OK) {
                        return;
                    }
                }
                idleCrashes = blame(process.pid(), status, tail(log)) ? 0 : idleCrashes + 1;
            }
            fail(new CommandFailedException(
                    ExitStatus.UNAVAILABLE,
                    "the workers' processes end before they take a unit, the last one with: " + lastLine(tail(log))));
        } catch (IOException e) {
            fail(new CommandFailedException(
                    ExitStatus.PROBLEM,
                    "a file cannot be read or written (" + e
                            + "): check its folder, the permissions and the free space",
                    e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            delete(log);
        }
    }

    private void delete(Path log) {
        try {
            if (log != null) {
                Files.deleteIfExists(log);
            }
        } catch (IOException e) {
            say.accept("left behind: " + log + " (" + e + ")");
        }
    }

    private Optional<Process> start(WorkerProcess.Order order, Path log) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        // Where the installation is. What started this process may have set it without an argument.
        System.getProperties().stringPropertyNames().stream()
                .filter(name -> name.startsWith("org.gstqpu."))
                .forEach(name -> command.add("-D" + name + "=" + System.getProperty(name)));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), WorkerProcess.class.getName()));
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(log.toFile());
        // Of this process alone: in another one, that descriptor is any file.
        builder.environment().remove("QPU_STDERR");
        synchronized (running) {
            if (stopping) {
                return Optional.empty();
            }
            Process process = builder.start();
            running.add(process);
            // Stays open: its end tells the worker to stop.
            Writer input = new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8);
            input.write(BatchPlan.json().toJson(order) + "\n");
            input.flush();
            return Optional.of(process);
        }
    }

    /** Passes on what a worker says until it ends. Returns whether it ended for a reason that it gave. */
    private boolean listen(Process process) throws IOException {
        boolean orderly = false;
        BufferedReader reports = process.inputReader(StandardCharsets.UTF_8);
        for (String line = reports.readLine(); line != null; line = reports.readLine()) {
            if (line.startsWith(WorkerProcess.SAY)) {
                synchronized (say) {
                    say.accept(line.substring(WorkerProcess.SAY.length()));
                }
            } else if (line.startsWith(WorkerProcess.STOP)) {
                orderly = true;
                String[] reason = line.substring(WorkerProcess.STOP.length()).split(" ", 2);
                fail(new CommandFailedException(Integer.parseInt(reason[0]), reason[1]));
            }
        }
        return orderly;
    }

    /** Puts a crash down to the task whose lease the process held. Returns whether there was one. */
    private boolean blame(long pid, int status, String log) throws IOException {
        StateFolder.Listing listing = state.list();
        List<BatchTask> tasks = new ArrayList<>(plan.units());
        tasks.addAll(plan.joins());
        for (BatchTask task : tasks) {
            Optional<Lease.Seen> seen =
                    listing.leased().contains(task.id()) ? Lease.look(state.folder(), task.id()) : Optional.empty();
            if (seen.isEmpty() || seen.get().content() == null) {
                continue;
            }
            LeaseHolder holder = seen.get().content().holder();
            if (holder.pid() == pid && holder.isGone(me)) {
                String reason = "the worker's process ended with status " + status
                        + (status > 128 ? " (signal " + (status - 128) + ")" : "");
                int attempt = state.failed(task.id(), log + "\n" + reason);
                Lease.remove(state.folder(), task.id(), seen.get());
                Files.deleteIfExists(Transcoder.unfinished(out.resolve(task.output()), holder.worker()));
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
