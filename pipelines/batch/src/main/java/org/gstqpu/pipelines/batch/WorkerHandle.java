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
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.gstqpu.pipelines.cli.CommandFailedException;

/** The process of a worker as the one sees it that starts it. Any thread; {@link #listen} by one. */
final class WorkerHandle {
    private static final long START_NANOS = 120_000_000_000L;

    private final Process process;

    /** Stays open: its end tells the worker to stop. */
    private final Writer input;

    /** When the worker said last that it makes progress. */
    private volatile long sign = System.nanoTime();

    private volatile boolean begun;
    private volatile boolean idle;
    private volatile boolean stalled;
    private volatile Work work = new Work(0, sign);

    /**
     * What a worker has done so far.
     *
     * @param pixels that it has filtered
     * @param nanos when it said so, as {@link System#nanoTime} counts
     */
    record Work(long pixels, long nanos) {}

    private WorkerHandle(Process process) {
        this.process = process;
        input = new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8);
    }

    /**
     * Starts a worker.
     *
     * @param program name of the class whose main method it runs: that of {@link WorkerProcess}, but in tests
     * @param log takes what it writes to the standard error
     */
    static WorkerHandle start(String program, WorkerProcess.Order order, Path log) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        // Where the installation is. What started this process may have set it without an argument.
        System.getProperties().stringPropertyNames().stream()
                .filter(name -> name.startsWith("org.gstqpu."))
                .forEach(name -> command.add("-D" + name + "=" + System.getProperty(name)));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), program));
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(log.toFile());
        // Of this process alone: in another one, that descriptor is any file.
        builder.environment().remove("QPU_STDERR");
        WorkerHandle worker = new WorkerHandle(builder.start());
        worker.tell(Json.LINES.toJson(order));
        return worker;
    }

    Process process() {
        return process;
    }

    /** Says a line to the worker. One that has ended does not hear it. */
    void tell(String line) {
        try {
            synchronized (input) {
                input.write(line + "\n");
                input.flush();
            }
        } catch (IOException e) {
            // Who listens to it sees that it has ended.
            return;
        }
    }

    /**
     * Takes what the worker says, until it ends.
     *
     * @param say takes the lines that are for the user
     * @return why no worker of the plan can go on; null if the worker said nothing of that
     */
    CommandFailedException listen(Consumer<String> say) throws IOException {
        CommandFailedException stop = null;
        BufferedReader reports = process.inputReader(StandardCharsets.UTF_8);
        for (String line = reports.readLine(); line != null; line = reports.readLine()) {
            long now = System.nanoTime();
            if (line.startsWith(WorkerProcess.SAY)) {
                say.accept(line.substring(WorkerProcess.SAY.length()));
            } else if (line.startsWith(WorkerProcess.PROGRESS)) {
                work = new Work(Long.parseLong(line.substring(WorkerProcess.PROGRESS.length())), now);
            } else if (line.startsWith(WorkerProcess.STOP)) {
                String[] reason = line.substring(WorkerProcess.STOP.length()).split(" ", 2);
                stop = new CommandFailedException(Integer.parseInt(reason[0]), reason[1]);
            } else if (!line.equals(WorkerProcess.IDLE)) {
                // A library wrote it, past Java: it says nothing about the work.
                continue;
            }
            idle = line.equals(WorkerProcess.IDLE);
            sign = now;
            begun = true;
        }
        return stop;
    }

    Work work() {
        return work;
    }

    /** Whether it waits for others. */
    boolean isIdle() {
        return idle;
    }

    /** Kills the worker if it has work and has made no progress for a time. Java and GStreamer may take longer to start. */
    void killIfStalled(long nanos) {
        long limit = begun ? nanos : Math.max(nanos, START_NANOS);
        if (!idle && System.nanoTime() - sign > limit && process.isAlive()) {
            stalled = true;
            process.destroyForcibly();
        }
    }

    /** Whether it was killed for that. */
    boolean isStalled() {
        return stalled;
    }
}
