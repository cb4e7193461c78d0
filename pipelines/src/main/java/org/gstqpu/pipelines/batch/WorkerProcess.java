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
import org.gstqpu.pipelines.cli.Installation;
import org.gstqpu.pipelines.play.TranscodeSettings;
import org.gstqpu.pipelines.play.Transcoder;

/**
 * The program of a worker's process, which {@link Workers} starts: so a decoder or encoder that crashes takes one attempt at one task
 * with it, and nothing else. Its standard input has the order in one line, and then nothing until the worker is to stop: the end of
 * the input, which comes also when the process that started it has ended. Its standard output has the lines {@link #SAY} and
 * {@link #STOP}.
 */
final class WorkerProcess {
    /** Before a line that tells what has become of a task. */
    static final String SAY = "@say ";

    /** Before the exit status and the reason, if no worker of this plan can go on. */
    static final String STOP = "@stop ";

    /** How long a worker that was told to stop may take to free its task. */
    private static final long STOP_SECONDS = 30;

    private WorkerProcess() {}

    /**
     * What the process is to do.
     *
     * @param plan path of the plan's file
     * @param software version of the program that started it
     * @param settings those of the plan, and what this worker is to add
     */
    record Order(String plan, String software, TranscodeSettings settings, Worker.Order order) {}

    /** Does an order, and ends the process. */
    public static void main(String[] arguments) throws IOException {
        // Libraries that write to the standard output write into the log.
        PrintStream reports = System.out;
        System.setOut(System.err);
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        int status;
        try {
            work(BatchPlan.json().fromJson(input.readLine(), Order.class), input, reports);
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

    private static void work(Order order, BufferedReader input, PrintStream reports)
            throws IOException, InterruptedException {
        Path file = Path.of(order.plan());
        Path out = file.toAbsolutePath().getParent();
        BatchPlan plan = BatchPlan.read(file, order.software());
        Transcoder transcoder = Transcoder.of(Installation.current(), order.settings());
        Worker worker = new Worker(
                plan,
                out,
                StateFolder.of(out),
                LeaseHolder.ofThisProcess(),
                order.order(),
                new TranscodeWork(out, transcoder),
                text -> reports.println(SAY + line(text)));
        CountDownLatch ended = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(worker, ended), "stop"));
        Thread watch = new Thread(() -> awaitStop(input), "stop when the input ends");
        watch.setDaemon(true);
        watch.start();
        try {
            worker.run();
        } finally {
            ended.countDown();
        }
    }

    private static void awaitStop(BufferedReader input) {
        try {
            while (input.read() >= 0) {
                // Nothing is said to a worker but its end.
            }
        } catch (IOException e) {
            System.err.println("the process that started this worker cannot be heard any more: " + e);
        }
        System.exit(ExitStatus.OK);
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
