/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.cache;

import static org.lwjgl.system.MemoryStack.stackPush;

import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.zip.CRC32;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.linux.FCNTL;
import org.lwjgl.system.linux.UNISTD;

/**
 * One file of the user's cache folder, for content that can be made again. Holds only the path. Any thread may use it.
 *
 * <p>Processes may share the file: a reader always gets one whole content, the one written last. No method fails: a
 * file that cannot be used costs the time to make the content again, and one log line.
 */
public final class CacheFile {
    private static final Logger LOG = System.getLogger(CacheFile.class.getName());

    /** Bytes before the content: {@link #MARK}, then the CRC-32 of the content. */
    private static final int PREFIX_BYTES = 8;

    private static final int MARK = 0x31_50_51_47;
    private static final int LARGEST_BYTES = 64 << 20;

    /** The user of this process owns it. */
    private static final Path PROCESS = Path.of("/proc/self");

    private static final Integer ROOT = 0;
    private static final int GROUP_OR_OTHERS_WRITE = 022;
    private static final int NO_SUCH_FILE = 2; // ENOENT

    /** A descriptor's number in here is what it has open, wherever that lies. */
    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

    /** For this user alone, as the XDG base directory specification asks. */
    private static final FileAttribute<?> PRIVATE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    private final Path file;

    /**
     * Names a file; nothing is read or written yet.
     *
     * @param folder made with the first write
     * @param name of the file
     */
    public CacheFile(Path folder, String name) {
        this.file = folder.resolve(name);
    }

    /**
     * The user's folder for cache files of this library, by the XDG base directory specification.
     *
     * @param environment of the process
     * @return empty if the environment names no folder
     */
    public static Optional<Path> folder(Map<String, String> environment) {
        try {
            String cache = environment.getOrDefault("XDG_CACHE_HOME", "");
            // The XDG specification says that a path that is not absolute must be ignored.
            if (cache.startsWith("/")) {
                return Optional.of(Path.of(cache, "gst-qpu"));
            }
            String home = environment.getOrDefault("HOME", "");
            return home.startsWith("/") ? Optional.of(Path.of(home, ".cache", "gst-qpu")) : Optional.empty();
        } catch (InvalidPathException e) {
            LOG.log(Logger.Level.WARNING, () -> "nothing is kept between runs: " + e.getMessage());
            return Optional.empty();
        }
    }

    /** The path of the file. */
    public Path path() {
        return file;
    }

    /**
     * Reads the content that was written last, perhaps by another process. Empty if there is no file, or no valid one.
     */
    public Optional<byte[]> read() {
        OptionalInt opened;
        try {
            opened = open();
        } catch (IOException e) {
            return ignored("it cannot be opened: " + e.getMessage());
        }
        if (opened.isEmpty()) {
            return Optional.empty();
        }
        try {
            return read(DESCRIPTORS.resolve(Integer.toString(opened.getAsInt())));
        } catch (IOException e) {
            return ignored("it cannot be read: " + e);
        } finally {
            UNISTD.close(null, opened.getAsInt());
        }
    }

    /**
     * Opens the file before anything is asked about it: whoever may change the folder could put another file there in between. Does
     * not wait, as for the writer of a pipe.
     *
     * @return the descriptor; empty if there is no file
     */
    private OptionalInt open() throws IOException {
        LwjglLibrary.prepare();
        try (MemoryStack stack = stackPush()) {
            IntBuffer error = stack.mallocInt(1);
            int descriptor = FCNTL.open(error, file.toString(), FCNTL.O_RDONLY | FCNTL.O_NONBLOCK | FCNTL.O_CLOEXEC, 0);
            if (descriptor >= 0) {
                return OptionalInt.of(descriptor);
            }
            if (error.get(0) == NO_SUCH_FILE) {
                return OptionalInt.empty();
            }
            throw new IOException("error " + error.get(0));
        }
    }

    private Optional<byte[]> read(Path opened) throws IOException {
        // A device may have no end.
        if (!Files.readAttributes(opened, BasicFileAttributes.class).isRegularFile()) {
            return ignored("it is no regular file");
        }
        Path folder = file.toAbsolutePath().getParent();
        for (Optional<String> fault : List.of(fault(opened, file), fault(folder, folder))) {
            if (fault.isPresent()) {
                return ignored(fault.get());
            }
        }
        byte[] all;
        try (InputStream stream = Files.newInputStream(opened)) {
            all = stream.readNBytes(LARGEST_BYTES + 1);
        }
        if (all.length > LARGEST_BYTES) {
            return ignored("it has more than " + LARGEST_BYTES + " bytes");
        }
        if (all.length < PREFIX_BYTES) {
            return ignored("it has " + all.length + " bytes, its mark and checksum alone " + PREFIX_BYTES);
        }
        ByteBuffer bytes = ByteBuffer.wrap(all).order(ByteOrder.LITTLE_ENDIAN);
        if (bytes.getInt() != MARK) {
            return ignored("it is no file of this library");
        }
        if (bytes.getInt() != checksum(all, PREFIX_BYTES)) {
            return ignored("its checksum is wrong");
        }
        byte[] content = new byte[all.length - PREFIX_BYTES];
        bytes.get(content);
        return Optional.of(content);
    }

    /**
     * Returns why somebody else than this user and root may have written it: a driver and this library trust the content. A group
     * counts as others, since who belongs to it cannot be told from here.
     *
     * @param name what the user knows it by
     */
    private static Optional<String> fault(Path path, Path name) throws IOException {
        Object owner = Files.getAttribute(path, "unix:uid");
        if (!owner.equals(ROOT) && !owner.equals(Files.getAttribute(PROCESS, "unix:uid"))) {
            return Optional.of(name + " belongs to another user; set XDG_CACHE_HOME to a folder of your own");
        }
        int mode = (Integer) Files.getAttribute(path, "unix:mode");
        return (mode & GROUP_OR_OTHERS_WRITE) != 0
                ? Optional.of("others may write to " + name + "; chmod go-w " + name)
                : Optional.empty();
    }

    private Optional<byte[]> ignored(String why) {
        LOG.log(Logger.Level.INFO, () -> "the cache file " + file + " is ignored: " + why);
        return Optional.empty();
    }

    private static int checksum(byte[] bytes, int from) {
        CRC32 crc = new CRC32();
        crc.update(bytes, from, bytes.length - from);
        return (int) crc.getValue();
    }

    /**
     * Replaces the content. A reader sees the old or the new content, never a part. Returns false if writing failed.
     */
    public boolean write(byte[] content) {
        byte[] all = new byte[PREFIX_BYTES + content.length];
        System.arraycopy(content, 0, all, PREFIX_BYTES, content.length);
        ByteBuffer.wrap(all).order(ByteOrder.LITTLE_ENDIAN).putInt(MARK).putInt(checksum(all, PREFIX_BYTES));
        Path folder = file.getParent();
        Path part = null;
        try {
            Files.createDirectories(folder, PRIVATE);
            part = Files.createTempFile(folder, "new-", ".part");
            Files.write(part, all);
            Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            return true;
        } catch (IOException e) {
            LOG.log(
                    Logger.Level.WARNING,
                    () -> "the cache file " + file + " cannot be written: " + e
                            + "; set XDG_CACHE_HOME to a folder that can");
            deleteQuietly(part);
            return false;
        }
    }

    private static void deleteQuietly(Path part) {
        if (part == null) {
            return;
        }
        try {
            Files.deleteIfExists(part);
        } catch (IOException e) {
            LOG.log(Logger.Level.DEBUG, () -> "left behind: " + part + ": " + e);
        }
    }
}
