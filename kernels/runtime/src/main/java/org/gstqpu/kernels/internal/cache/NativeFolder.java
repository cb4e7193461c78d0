/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.cache;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A folder of this user's alone, for native libraries that are unpacked from jars. Holds only the path. Any thread may use it, and
 * processes may share it: none sees a part of a file.
 */
public final class NativeFolder {
    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rwx------");

    /** Bits of a file's mode: see stat(2). */
    private static final int OTHERS_WRITE = 0002;

    private static final int STICKY = 01000;

    private final Path folder;

    private NativeFolder(Path folder) {
        this.folder = folder;
    }

    /**
     * Where the folder of this library lies: in that of its cache files.
     *
     * @param environment of the process
     * @return empty if the environment names no folder
     */
    public static Optional<Path> path(Map<String, String> environment) {
        return CacheFile.folder(environment).map(cache -> cache.resolve("native"));
    }

    /**
     * Makes the folder, or checks that an existing folder is this user's alone.
     *
     * @param folder made if it is missing
     * @throws IOException if the folder cannot be made, or other users could replace it or write to it
     */
    public static NativeFolder claim(Path folder) throws IOException {
        makeOwn(folder);
        requireOthersCannotReplace(folder.toRealPath());
        return new NativeFolder(folder);
    }

    /**
     * Unpacks a library if it is not unpacked yet, to a folder that is named after its content: one version does not replace another.
     *
     * @param name of the file
     * @param content of the file
     * @return the unpacked file
     * @throws IOException if it cannot be written
     */
    public Path unpack(String name, byte[] content) throws IOException {
        Path own = folder.resolve(nameOf(content));
        makeOwn(own);
        Path file = own.resolve(name);
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                || !Files.getPosixFilePermissions(file).contains(PosixFilePermission.OWNER_EXECUTE)
                || !Arrays.equals(content, Files.readAllBytes(file))) {
            replace(file, content);
        }
        return file;
    }

    /** Makes a folder that only this user can write to, or checks that an existing folder is one. */
    private static void makeOwn(Path folder) throws IOException {
        Files.createDirectories(folder, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
        PosixFileAttributes found = Files.readAttributes(folder, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        boolean mine = found.isDirectory()
                && found.owner().equals(user())
                && !found.permissions().contains(PosixFilePermission.GROUP_WRITE)
                && !found.permissions().contains(PosixFilePermission.OTHERS_WRITE);
        if (!mine) {
            throw new IOException(folder + " is a link, another user's, or others may write to it");
        }
    }

    private static UserPrincipal user() throws IOException {
        return Files.getOwner(Path.of("/proc/self"));
    }

    /**
     * Checks the folders above a folder. Whoever can write to a folder can rename the files in it, even files of other owners, unless
     * the folder is sticky, as {@code /tmp} is. Groups are trusted: many systems give each user a group of their own, which can write
     * to everything that the user makes. The two folders directly above, this library's and XDG_CACHE_HOME, must belong to this user
     * or to root. Folders further up may belong to a user that is unknown here, as in a container.
     */
    private static void requireOthersCannotReplace(Path folder) throws IOException {
        UserPrincipal root = Files.getOwner(Path.of("/"));
        Path above = folder.getParent();
        for (int level = 1; above != null; above = above.getParent(), level++) {
            UserPrincipal owner = Files.getOwner(above);
            int mode = (Integer) Files.getAttribute(above, "unix:mode");
            if ((mode & OTHERS_WRITE) != 0 && (mode & STICKY) == 0) {
                throw new IOException("others may write to " + above + ", which it lies in");
            }
            if (level <= 2 && !owner.equals(user()) && !owner.equals(root)) {
                throw new IOException(above + ", which it lies in, is " + owner + "'s");
            }
        }
    }

    /** Makes a file one that this user alone may read and run. */
    static void allowToRun(Path file) throws IOException {
        Files.setPosixFilePermissions(file, OWNER_ONLY);
    }

    /** Writes a file and moves it into place in one step, so that another process never sees a part of it. */
    private static void replace(Path file, byte[] content) throws IOException {
        Path unpacking =
                Files.createTempFile(file.getParent(), file.getFileName().toString(), ".unpacking");
        try {
            Files.write(unpacking, content);
            allowToRun(unpacking);
            Files.move(unpacking, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(unpacking);
        }
    }

    private static String nameOf(byte[] content) {
        try {
            byte[] sum = MessageDigest.getInstance("SHA-256").digest(content);
            return HexFormat.of().formatHex(sum, 0, 8);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("a Java without SHA-256: use another", e);
        }
    }
}
