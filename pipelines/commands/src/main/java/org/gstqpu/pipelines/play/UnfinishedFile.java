/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.play;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static org.gstqpu.pipelines.cli.CommandFailedException.problem;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import org.gstqpu.pipelines.cli.CommandFailedException;

/**
 * A file while a pipeline writes it: it stands beside its place under another name, so that nothing incomplete is ever found there,
 * and so that a file that is to be replaced stays if the work fails. Each writer has a name of its own, so several that write the
 * same file at once do no harm: each result is whole, and without leave to overwrite only the first one gets the name. Lives on one
 * thread.
 */
final class UnfinishedFile implements AutoCloseable {
    /** The longest name of a file, in bytes, that file systems take. */
    static final int MOST_BYTES = 255;

    private final Path file;
    private final boolean overwrite;
    private final Path part;
    private final Path coded;
    private final Path line;

    /**
     * Names the file; makes none.
     *
     * @param writer who writes it: a part of a file name that nobody else uses, see {@link #anyWriter}
     * @param overwrite whether it may take the place of another file
     */
    UnfinishedFile(Path file, String writer, boolean overwrite) {
        this.file = file;
        this.overwrite = overwrite;
        this.part = part(file, writer);
        this.coded = part(file, writer + "-video");
        this.line = part(file, writer + "-input");
    }

    /** The name of a file while this writer writes it: begins with the file's, as far as there is room for that. */
    static Path part(Path file, String writer) {
        String name = file.getFileName().toString();
        String rest = "." + writer + ".part";
        while (!name.isEmpty() && bytes(name + rest) > MOST_BYTES) {
            name = name.substring(0, name.offsetByCodePoints(name.length(), -1));
        }
        return file.resolveSibling(name + rest);
    }

    /** Removes what a writer that is dead has left. */
    static void remove(Path file, String writer) throws IOException {
        new UnfinishedFile(file, writer, false).close();
    }

    /** The bytes of a file's name. */
    static int bytes(String name) {
        return name.getBytes(StandardCharsets.UTF_8).length;
    }

    /** A new name of a writer. */
    static String anyWriter() {
        return Long.toHexString(new SecureRandom().nextLong());
    }

    /** What gets the file's name once it is whole. */
    Path part() {
        return part;
    }

    /** The encoded video alone, until it is put together with the rest. */
    Path coded() {
        return coded;
    }

    /** The video of the input, where {@link TimeLine} has to write it. */
    Path line() {
        return line;
    }

    /**
     * Gives the complete file its name. It may still be open. When this returns, the file and its name are on the disk.
     *
     * @throws CommandFailedException when the name was given to another file meanwhile, and it may not be overwritten
     */
    void complete() throws IOException {
        try (FileChannel written = FileChannel.open(part, StandardOpenOption.WRITE)) {
            written.force(true);
        }
        if (overwrite) {
            Files.move(part, file, ATOMIC_MOVE);
        } else {
            giveNewName();
        }
        try (FileChannel folder = FileChannel.open(file.toAbsolutePath().getParent(), StandardOpenOption.READ)) {
            folder.force(true);
        }
    }

    private void giveNewName() throws IOException {
        try {
            // Unlike a renaming, this fails if there is such a file.
            Files.createLink(file, part);
        } catch (FileAlreadyExistsException e) {
            throw meanwhile(e);
        } catch (UnsupportedOperationException | FileSystemException e) {
            // A file system without links, such as exFAT.
            if (Files.exists(file)) {
                throw meanwhile(e);
            }
            Files.move(part, file, ATOMIC_MOVE);
        }
    }

    private CommandFailedException meanwhile(Exception cause) {
        return problem(
                file
                        + " was made by another program meanwhile and is left as it is: name another OUT, or give --overwrite",
                cause);
    }

    /** Removes what was written under the other names. */
    @Override
    public void close() throws IOException {
        Files.deleteIfExists(part);
        Files.deleteIfExists(coded);
        Files.deleteIfExists(line);
    }
}
