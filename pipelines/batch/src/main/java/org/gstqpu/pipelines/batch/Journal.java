/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.batch;

import com.google.gson.JsonParseException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * The list of what one worker has done, a line a task, which only that worker writes. From all of them {@code qpu batch status} counts
 * without opening a file for each task. Lives on one thread.
 */
final class Journal implements AutoCloseable {
    static final String SUFFIX = ".worker";

    private final FileChannel channel;

    private Journal(FileChannel channel) {
        this.channel = channel;
    }

    /**
     * A task that is done.
     *
     * @param id of the task
     * @param worker who did it
     * @param host name of the worker's machine
     * @param pictures that were filtered; 0 for a join
     * @param nanos nanoseconds that it took, with all that belongs to it
     */
    record Entry(String id, String worker, String host, long pictures, long nanos) {}

    /** Opens the journal of a worker in the folder of a plan's state; makes it with the first line. */
    static Journal open(Path state, LeaseHolder worker) throws IOException {
        return new Journal(FileChannel.open(
                state.resolve(worker.worker() + SUFFIX), StandardOpenOption.CREATE, StandardOpenOption.APPEND));
    }

    /** Adds a line. */
    void add(Entry entry) throws IOException {
        WholeFile.writeAll(channel, Json.LINES.toJson(entry) + "\n");
    }

    /** Reads what a worker has done, without a last line that is not whole. */
    static List<Entry> read(Path state, String worker) throws IOException {
        List<Entry> entries = new ArrayList<>();
        String text;
        try {
            text = Files.readString(state.resolve(worker + SUFFIX));
        } catch (NoSuchFileException e) {
            return entries;
        }
        for (String line : text.substring(0, text.lastIndexOf('\n') + 1).split("\n", -1)) {
            if (line.isEmpty()) {
                continue;
            }
            Entry entry;
            try {
                entry = Json.LINES.fromJson(line, Entry.class);
            } catch (JsonParseException e) {
                throw new IOException(damaged(line, worker), e);
            }
            if (entry == null || entry.id() == null || entry.worker() == null || entry.host() == null) {
                throw new IOException(damaged(line, worker));
            }
            entries.add(entry);
        }
        return entries;
    }

    private static String damaged(String line, String worker) {
        return "the line '" + line + "' of " + worker + SUFFIX + " is damaged";
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
