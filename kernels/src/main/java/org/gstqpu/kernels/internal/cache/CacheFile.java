/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.cache;

import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Map;
import java.util.Optional;
import java.util.zip.CRC32;

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
    private static final int OTHERS_WRITE = 2;

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
        try {
            // A pipe would let the reader wait for ever, and a device may have no end.
            if (!Files.readAttributes(file, BasicFileAttributes.class).isRegularFile()) {
                return ignored("it is no regular file");
            }
            if (isOpenToOthers(file) || isOpenToOthers(file.toAbsolutePath().getParent())) {
                return ignored("another user owns it or its folder, or may write to it");
            }
            byte[] all;
            try (InputStream stream = Files.newInputStream(file)) {
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
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            return ignored("it cannot be read: " + e);
        }
    }

    /** A driver and this library trust the content: nobody but this user and root may have written it. */
    private static boolean isOpenToOthers(Path path) throws IOException {
        Object owner = Files.getAttribute(path, "unix:uid");
        int mode = (Integer) Files.getAttribute(path, "unix:mode");
        return (mode & OTHERS_WRITE) != 0
                || !(owner.equals(ROOT) || owner.equals(Files.getAttribute(PROCESS, "unix:uid")));
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
            Files.createDirectories(folder);
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
