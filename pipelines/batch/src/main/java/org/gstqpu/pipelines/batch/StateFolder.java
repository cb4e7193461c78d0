/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.batch;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The folder beside a plan that says how far it has come, by the names of small files: {@code ID.lease}, {@code ID.done},
 * {@code ID.failed-1} and so on, {@code ID.log}, {@code ID.lost-WORKER}, and {@code WORKER.worker}, the list of what a worker has done.
 * Any number of processes use it at once. Immutable.
 */
record StateFolder(Path folder) {
    static final String NAME = ".batch";
    static final String DONE = ".done";
    static final String FAILED = ".failed-";
    static final String LOG = ".log";

    /** How often a task is tried that fails. */
    static final int ATTEMPTS = 3;

    /** How often a task is tried whose worker is lost: mostly that is not its fault. */
    static final int LOSSES = 9;

    /** The folder of a plan's state; makes it if it is not there. */
    static StateFolder of(Path out) throws IOException {
        Path folder = out.resolve(NAME);
        if (!Files.isDirectory(folder)) {
            Files.createDirectories(folder);
            WholeFile.sync(out);
        }
        return new StateFolder(folder);
    }

    /**
     * What the names of the files say at a moment.
     *
     * @param done tasks that are done
     * @param leased tasks that have a lease, alive or dead
     * @param failures how often tasks failed that did so
     * @param losses how often workers of tasks were lost
     * @param workers names of the workers that have done something
     */
    record Listing(
            Set<String> done,
            Set<String> leased,
            Map<String, Integer> failures,
            Map<String, Integer> losses,
            List<String> workers) {
        /** Whether a task has failed for good. */
        boolean isSetAside(String id) {
            return !done.contains(id)
                    && (failures.getOrDefault(id, 0) >= ATTEMPTS || losses.getOrDefault(id, 0) >= LOSSES);
        }

        /** Whether there is nothing to do for a task any more. */
        boolean isSettled(String id) {
            return done.contains(id) || isSetAside(id);
        }
    }

    /** Lists the folder once; no file is opened. */
    Listing list() throws IOException {
        Set<String> done = new HashSet<>();
        Set<String> leased = new HashSet<>();
        Map<String, Integer> failures = new HashMap<>();
        Map<String, Integer> losses = new HashMap<>();
        Set<String> workers = new HashSet<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            for (Path file : files) {
                String name = String.valueOf(file.getFileName());
                int dot = name.indexOf('.');
                if (dot <= 0) {
                    continue;
                }
                String id = name.substring(0, dot);
                String kind = name.substring(dot);
                if (kind.equals(DONE)) {
                    done.add(id);
                } else if (kind.equals(Lease.SUFFIX)) {
                    leased.add(id);
                } else if (kind.startsWith(FAILED)) {
                    failures.merge(id, 1, Integer::sum);
                } else if (kind.startsWith(Lease.LOST)) {
                    losses.merge(id, 1, Integer::sum);
                } else if (kind.equals(Journal.SUFFIX)) {
                    workers.add(id);
                }
            }
        } catch (NoSuchFileException e) {
            // Nothing was begun yet.
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return new Listing(done, leased, failures, losses, List.copyOf(workers));
    }

    boolean isDone(String id) {
        return Files.exists(folder.resolve(id + DONE));
    }

    /** Whether a task is set aside, asked of its files alone. */
    boolean isOutOfAttempts(String id) {
        return Files.exists(folder.resolve(id + FAILED + ATTEMPTS));
    }

    /** The time by the clock of the server that has the folder. */
    FileTime now(LeaseHolder looker) throws IOException {
        Path clock = folder.resolve("." + looker.worker() + ".clock");
        try (FileChannel touched = FileChannel.open(
                clock, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            WholeFile.writeAll(touched, "now");
        }
        FileTime now = Files.getLastModifiedTime(clock);
        Files.deleteIfExists(clock);
        return now;
    }

    /** Says that a task is done. Its output must be in its place. */
    void done(String id, Journal.Entry entry) throws IOException {
        WholeFile.write(folder.resolve(id + DONE), Json.LINES.toJson(entry) + "\n");
    }

    /**
     * Says that a task has failed once more.
     *
     * @param log what led to it; the last line tells the reason
     * @return how often it has failed by now
     */
    int failed(String id, String log) throws IOException {
        int attempt = 1;
        while (Files.exists(folder.resolve(id + FAILED + attempt))) {
            attempt++;
        }
        WholeFile.write(folder.resolve(id + LOG), log + "\n");
        List<String> lines = log.lines().toList();
        WholeFile.write(
                folder.resolve(id + FAILED + attempt), lines.isEmpty() ? "\n" : lines.get(lines.size() - 1) + "\n");
        return attempt;
    }

    /**
     * Says that a task fails however often it is tried, so that nobody tries it again.
     *
     * @param log as of {@link #failed}
     */
    void setAside(String id, String log) throws IOException {
        int attempt;
        do {
            attempt = failed(id, log);
        } while (attempt < ATTEMPTS);
    }

    /** Why a task failed last; empty text if nothing says it. */
    String reason(String id, Listing listing) throws IOException {
        int failures = listing.failures().getOrDefault(id, 0);
        if (failures == 0) {
            return "its workers were lost " + listing.losses().getOrDefault(id, 0) + " times";
        }
        return Files.readString(folder.resolve(id + FAILED + failures)).strip();
    }

    /** Lets a task that was set aside be tried again. */
    void forgive(String id) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(
                folder,
                file -> String.valueOf(file.getFileName()).startsWith(id + FAILED)
                        || String.valueOf(file.getFileName()).startsWith(id + Lease.LOST))) {
            for (Path file : files) {
                Files.deleteIfExists(file);
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
    }
}
