/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.batch;

import com.google.gson.JsonParseException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.Optional;

/**
 * The right to do a task, as long as it is renewed: a file that only one process can make, also on NFS. {@link #renew} may be called by
 * another thread than the other methods.
 *
 * <p>A lease is dead when its holder's process is gone, as only its own machine can tell, or when it was not renewed for longer than it
 * says itself. Ages are differences of times that the file server gave, so the clocks of the machines do not matter.
 */
final class Lease implements AutoCloseable {
    static final String SUFFIX = ".lease";

    /** What the name of a lease becomes when its holder is found dead, with the holder's name. */
    static final String LOST = ".lost-";

    /** Renewals in the life of a lease that is not renewed. */
    static final int RENEWALS = 6;

    /** Each content is padded to this, so that one that is being rewritten has no rest of a longer one. */
    private static final int BYTES = 512;

    private final Path file;
    private final Content mine;

    private Lease(Path file, Content mine) {
        this.file = file;
        this.mine = mine;
    }

    /**
     * What the file says.
     *
     * @param holder who has the lease
     * @param seconds how long it lives without being renewed
     * @param pictures that were filtered so far
     * @param nanos nanoseconds that this took
     */
    record Content(LeaseHolder holder, int seconds, long pictures, long nanos) {}

    /**
     * Takes the lease of a task that nobody holds.
     *
     * @param folder of the state
     * @param seconds how long it lives without being renewed
     * @return empty if somebody holds it, alive or dead
     */
    static Optional<Lease> take(Path folder, String id, LeaseHolder holder, int seconds) throws IOException {
        Path file = folder.resolve(id + SUFFIX);
        Content content = new Content(holder, seconds, 0, 0);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            try {
                WholeFile.writeAll(channel, padded(content));
            } catch (IOException e) {
                Files.deleteIfExists(file);
                throw e;
            }
        } catch (FileAlreadyExistsException e) {
            return Optional.empty();
        }
        return Optional.of(new Lease(file, content));
    }

    private static String padded(Content content) {
        String text = Json.LINES.toJson(content);
        return text + " ".repeat(Math.max(0, BYTES - 1 - text.length())) + "\n";
    }

    /**
     * Reads the lease of a task. Empty if there is none. The content is null if it is being written, its writer died at that, or it is
     * no worker's.
     */
    static Optional<Seen> look(Path folder, String id) throws IOException {
        Path file = folder.resolve(id + SUFFIX);
        try {
            // The opening of the file makes an NFS client ask the server for its time, too.
            String text = Files.readString(file, StandardCharsets.UTF_8);
            return Optional.of(new Seen(parsed(text), Files.getLastModifiedTime(file)));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    private static Content parsed(String text) {
        try {
            Content content = Json.LINES.fromJson(text.strip(), Content.class);
            return content == null
                            || content.holder() == null
                            || !content.holder().isWhole()
                    ? null
                    : content;
        } catch (JsonParseException e) {
            return null;
        }
    }

    /**
     * A lease as another process sees it.
     *
     * @param content null if it could not be read
     * @param renewed by the file server's clock
     */
    record Seen(Content content, FileTime renewed) {
        /**
         * Whether its holder is dead.
         *
         * @param now by the file server's clock
         * @param seconds the life of a lease that does not say it
         */
        boolean isDead(LeaseHolder looker, FileTime now, int seconds) throws IOException {
            if (content != null && content.holder().isGone(looker)) {
                return true;
            }
            Duration age = Duration.between(renewed.toInstant(), now.toInstant());
            return age.compareTo(Duration.ofSeconds(content == null ? seconds : content.seconds())) > 0;
        }
    }

    /**
     * Removes a lease that was found dead; the task is free then. Only one of several that do so at once succeeds.
     *
     * @return whether this call did it
     */
    static boolean bury(Path folder, String id, Seen dead, LeaseHolder looker) throws IOException {
        Path file = folder.resolve(id + SUFFIX);
        String worker = dead.content() == null
                ? looker.worker()
                : dead.content().holder().worker();
        Path grave = folder.resolve(id + LOST + worker);
        try {
            Files.move(file, grave, StandardCopyOption.ATOMIC_MOVE);
        } catch (NoSuchFileException e) {
            return false;
        }
        Content buried = parsed(Files.readString(grave, StandardCharsets.UTF_8));
        if (dead.content() == null
                || (buried != null && buried.holder().worker().equals(worker))) {
            return true;
        }
        // Another one was quicker, and this was the lease of its new holder, who has lost it if a third one has taken
        // it by now.
        try {
            Files.createLink(file, grave);
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        } finally {
            Files.delete(grave);
        }
        return false;
    }

    /** Removes a lease whose holder is gone; no other process of this machine does so meanwhile for another reason. */
    static void remove(Path folder, String id, Seen gone) throws IOException {
        Lease lease = new Lease(folder.resolve(id + SUFFIX), gone.content());
        lease.close();
    }

    /** Whether this process still has the lease. Reads the file. */
    boolean isMine() throws IOException {
        try {
            Content now = parsed(Files.readString(file, StandardCharsets.UTF_8));
            return now != null && now.holder().equals(mine.holder());
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    /**
     * Lets the lease live on, and says how far the work has come.
     *
     * @return false if another one has taken the lease, and the work must be given up
     */
    boolean renew(long pictures, long nanos) throws IOException {
        if (!isMine()) {
            return false;
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            WholeFile.writeAll(channel, padded(new Content(mine.holder(), mine.seconds(), pictures, nanos)));
        } catch (NoSuchFileException e) {
            return false;
        }
        return true;
    }

    /** Frees the task, unless another one has taken the lease. */
    @Override
    public void close() throws IOException {
        if (isMine()) {
            Files.deleteIfExists(file);
        }
    }
}
