/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.play;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A file while a pipeline writes it: it stands beside its place under another name, so that nothing incomplete is ever found there,
 * and so that a file that is to be replaced stays if the work fails. Lives on one thread.
 */
final class UnfinishedFile implements AutoCloseable {
    private final Path file;
    private final Path part;

    /** Names the file; makes none. */
    UnfinishedFile(Path file) {
        this.file = file;
        this.part = file.resolveSibling(file.getFileName() + ".part");
    }

    /** What the pipeline writes. */
    Path part() {
        return part;
    }

    /** Gives the complete file its name. It may still be open. */
    void complete() throws IOException {
        Files.move(part, file, ATOMIC_MOVE);
    }

    /** Removes the file, unless it was complete. */
    @Override
    public void close() throws IOException {
        Files.deleteIfExists(part);
    }
}
