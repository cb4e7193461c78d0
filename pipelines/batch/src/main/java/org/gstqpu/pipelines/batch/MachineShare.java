/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.batch;

import static org.gstqpu.pipelines.cli.CommandFailedException.unavailable;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.gstqpu.pipelines.cli.CommandFailedException;
import org.gstqpu.pipelines.play.TranscodeSettings;

/**
 * What the workers of this machine share: its processors and GPUs. Immutable.
 *
 * @param settings of the plan; without GPUs if this process has got none of those that are there
 * @param gpus that the workers are spread over; empty if they take what they find
 * @param processors that this process may use
 * @param mebibytes of memory that this process may use
 */
record MachineShare(TranscodeSettings settings, List<Gpu> gpus, int processors, long mebibytes) {
    /** The element's property for the number of its threads. */
    static final String THREADS = "threads";

    private static final String DEVICE = "device";
    private static final String SUBSTRATE = "substrate";

    private static final int MOST_THREADS = 256;

    /** Even small pictures keep this part of a large machine busy with one worker. */
    private static final int FEWEST = 16;

    MachineShare {
        gpus = List.copyOf(gpus);
    }

    /**
     * Looks what this process has.
     *
     * @param environment of this process
     * @throws CommandFailedException when the plan is to run on a GPU, and this process has got none
     */
    static MachineShare of(TranscodeSettings settings, Map<String, String> environment) throws IOException {
        boolean chosen = settings.set().containsKey(DEVICE)
                || settings.set().getOrDefault(SUBSTRATE, "auto").equals("cpu");
        List<Gpu> all = chosen ? List.of() : Gpu.all();
        return of(
                settings,
                all,
                Gpu.allotted(all, environment, Gpu.cudaOrder(Path.of("/proc"))),
                Runtime.getRuntime().availableProcessors(),
                MachineMemory.ofThisMachine().total() >> 20);
    }

    /**
     * Of what is there.
     *
     * @param all GPUs that the element would choose from
     * @param allotted those of them that this process has got
     */
    static MachineShare of(
            TranscodeSettings settings, List<Gpu> all, List<Gpu> allotted, int processors, long mebibytes) {
        if (allotted.isEmpty() && !all.isEmpty()) {
            if (settings.set().getOrDefault(SUBSTRATE, "auto").equals("qpu")) {
                throw unavailable(
                        "CUDA_VISIBLE_DEVICES gives this process no GPU, and the plan has substrate=qpu: ask the engine for a GPU");
            }
            return new MachineShare(settings.with(SUBSTRATE, "cpu"), List.of(), processors, mebibytes);
        }
        List<Gpu> best = Gpu.best(allotted);
        // The only one is what the element takes.
        return new MachineShare(settings, all.size() == 1 ? List.of() : best, processors, mebibytes);
    }

    /** How many workers are tried first. */
    int fewest() {
        return Math.max(Math.max(1, gpus.size()), (processors + FEWEST - 1) / FEWEST);
    }

    /** How many workers there may be. */
    int most() {
        return Math.max(fewest(), processors);
    }

    /**
     * The settings of a worker.
     *
     * @param number of the worker, from 0 on
     * @param count how many there are
     */
    TranscodeSettings settings(int number, int count) {
        TranscodeSettings mine = settings;
        if (!settings.set().containsKey(THREADS)) {
            mine = mine.with(THREADS, Integer.toString(threads(count)));
        }
        return gpus.isEmpty()
                ? mine
                : mine.with(DEVICE, gpus.get(number % gpus.size()).device(gpus));
    }

    /** The GPU of a worker, in words; null if it is not one of several. */
    String gpu(int number) {
        return gpus.size() < 2 ? null : gpus.get(number % gpus.size()).words();
    }

    private int threads(int count) {
        return Math.min(MOST_THREADS, (processors + count - 1) / count);
    }

    /** How many workers there are, with what and why. */
    String words(WorkerCount count) {
        String threads =
                settings.set().containsKey(THREADS) ? settings.set().get(THREADS) : "" + threads(count.number());
        return count.number() + (count.number() == 1 ? " unit" : " units") + " at once, with " + threads
                + (threads.equals("1") ? " thread" : " threads") + " of the filter"
                + (count.number() == 1 ? "" : " each")
                + (gpus.size() < 2 ? "" : ", on " + gpus.size() + " GPUs") + " (" + count.why() + ")";
    }
}
