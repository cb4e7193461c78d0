/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.batch;

import com.google.gson.JsonSyntaxException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.gstqpu.pipelines.cli.CommandFailedException;
import org.gstqpu.pipelines.cli.ExitStatus;
import org.gstqpu.pipelines.play.TranscodeSettings;

/**
 * The program of a worker's process, which {@link Workers} starts: so a decoder or encoder that crashes takes one attempt at one task
 * with it, and nothing else. Its standard input has the order in one line, then perhaps the lines {@link #THREADS} and
 * {@link #FINISH}. The end of the input, which comes also when the process that started it has ended, tells the worker to stop. Its
 * standard output has the lines {@link #SAY}, {@link #PROGRESS}, {@link #IDLE} and {@link #STOP}.
 */
final class WorkerProcess {
    /** Before a line that tells what has become of a task. */
    static final String SAY = "@say ";

    /** Before the number of pixels that were filtered so far: the worker makes progress. */
    static final String PROGRESS = "@progress ";

    /** The worker waits for others, until it says something else. */
    static final String IDLE = "@idle";

    /** Before the exit status and the reason, if no worker of this plan can go on. */
    static final String STOP = "@stop ";

    /** Before the number of threads that the element is to have from the next task on. */
    static final String THREADS = "threads ";

    /** The worker is to end after its task. */
    static final String FINISH = "finish";

    /** The least time between two lines that say that a worker makes progress. */
    private static final long PROGRESS_NANOS = 100_000_000;

    /** How long a worker that was told to stop may take to free its task. */
    private static final long STOP_SECONDS = 30;

    private WorkerProcess() {}

    /**
     * What the process is to do.
     *
     * @param plan path of the plan's file
     * @param software version of the program that started it
     * @param settings those of the plan, and this worker's share of the machine
     * @param gpu that the worker has, in words; null if it is not one of several
     */
    record Order(String plan, String software, TranscodeSettings settings, String gpu, Worker.Order order) {
        /** The element's number of threads, as its property takes it. */
        String threads() {
            return settings.set().getOrDefault(MachineShare.THREADS, "0");
        }
    }

    /** Does an order, and ends the process. */
    public static void main(String[] arguments) throws IOException {
        run((order, out) -> new TranscodeWork(out, order.settings()));
    }

    /** Makes what does the tasks. */
    interface Works {
        /**
         * Makes it for a process.
         *
         * @param out the plan's folder
         */
        TaskWork make(Order order, Path out);
    }

    /** Does an order with another kind of work. */
    static void run(Works works) throws IOException {
        // Libraries that write to the standard output write into the log.
        PrintStream reports = System.out;
        System.setOut(System.err);
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        int status;
        try {
            work(Json.LINES.fromJson(input.readLine(), Order.class), works, input, reports);
            status = ExitStatus.OK;
        } catch (CommandFailedException e) {
            status = e.exitStatus();
            reports.println(STOP + status + " " + line(e.getMessage()));
        } catch (IOException | UncheckedIOException | JsonSyntaxException e) {
            status = ExitStatus.PROBLEM;
            reports.println(STOP + status + " a file cannot be read or written (" + line(String.valueOf(e))
                    + "): check its folder, the permissions and the free space");
        } catch (InterruptedException e) {
            status = ExitStatus.PROBLEM;
        }
        System.exit(status);
    }

    private static String line(String message) {
        return message.strip().replaceAll("\\s*\\R\\s*", "; ");
    }

    private static void work(Order order, Works works, BufferedReader input, PrintStream reports)
            throws IOException, InterruptedException {
        Path file = Path.of(order.plan());
        Path out = file.toAbsolutePath().getParent();
        BatchPlan plan = BatchPlan.read(file, order.software());
        TaskWork work = works.make(order, out);
        Worker worker = new Worker(
                plan, out, StateFolder.of(out), LeaseHolder.ofThisProcess(), order.order(), work, new Lines(reports));
        CountDownLatch ended = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(worker, ended), "stop"));
        Thread watch = new Thread(() -> obey(input, worker, work), "orders");
        watch.setDaemon(true);
        watch.start();
        try {
            worker.run();
        } finally {
            ended.countDown();
        }
    }

    /** Does what the input says, and ends the process when it ends. */
    private static void obey(BufferedReader input, Worker worker, TaskWork work) {
        try {
            for (String line = input.readLine(); line != null; line = input.readLine()) {
                if (line.startsWith(THREADS)) {
                    work.set(MachineShare.THREADS, line.substring(THREADS.length()));
                } else if (line.equals(FINISH)) {
                    worker.finish();
                }
            }
        } catch (IOException e) {
            System.err.println("the process that started this worker cannot be heard any more: " + e);
        }
        System.exit(ExitStatus.OK);
    }

    /** Writes what a worker reports. Lives on the worker's thread. */
    private static final class Lines implements Worker.Reports {
        private final PrintStream reports;
        private long last;
        private boolean idle;

        Lines(PrintStream reports) {
            this.reports = reports;
            last = System.nanoTime() - PROGRESS_NANOS;
        }

        @Override
        public void say(String text) {
            reports.println(SAY + line(text));
        }

        @Override
        public void progress(long pixels) {
            long now = System.nanoTime();
            if (idle || now - last >= PROGRESS_NANOS) {
                reports.println(PROGRESS + pixels);
                last = now;
                idle = false;
            }
        }

        @Override
        public void idle() {
            if (!idle) {
                reports.println(IDLE);
                idle = true;
            }
        }
    }

    private static void stop(Worker worker, CountDownLatch ended) {
        worker.stop();
        try {
            if (!ended.await(STOP_SECONDS, TimeUnit.SECONDS)) {
                System.err.println("the worker did not stop within " + STOP_SECONDS + " s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
