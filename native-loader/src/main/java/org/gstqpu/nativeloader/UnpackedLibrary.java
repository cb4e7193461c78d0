/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.nativeloader;

import com.sun.jna.Platform;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
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
import java.util.Properties;
import java.util.Set;
import org.gstqpu.kernels.internal.cache.CacheFile;

/** Unpacks {@code libgstqpu.so} from the jar to a file that GStreamer can load. Holds no state; any thread. */
final class UnpackedLibrary {
    private static final String NAME = "libgstqpu.so";
    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rwx------");

    /** Bits of a file's mode: see stat(2). */
    private static final int OTHERS_WRITE = 0002;

    private static final int STICKY = 01000;

    private UnpackedLibrary() {}

    /**
     * The user's own folder for native libraries.
     *
     * @param environment environment variables of the process
     * @throws IllegalStateException if the environment names no folder; the message is one line with cause and cure
     */
    static Path folder(Map<String, String> environment) {
        return CacheFile.folder(environment)
                .orElseThrow(() -> new IllegalStateException(
                        "there is no folder to unpack " + NAME + " to: set HOME or XDG_CACHE_HOME to a path"))
                .resolve("native");
    }

    /**
     * Unpacks the library for this machine if it is not unpacked yet. Its folder is named after its content, so that one version does
     * not replace another.
     *
     * @param folder made if it is missing
     * @return the unpacked file
     * @throws IllegalStateException if the jar has no library for this machine, or other users can write to the folder; the message
     *     is one line with cause and cure
     */
    static Path unpackTo(Path folder) {
        byte[] content = resource(Platform.RESOURCE_PREFIX + "/" + NAME);
        claim(folder);
        try {
            Path own = folder.resolve(name(content));
            makeOwn(own);
            Path file = own.resolve(NAME);
            if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                    || !Arrays.equals(content, Files.readAllBytes(file))) {
                replace(file, content);
            }
            return file;
        } catch (IOException e) {
            throw unusable(folder, e);
        }
    }

    /**
     * Makes the user's own folder for native libraries, or checks that an existing folder is one.
     *
     * @param folder made if it is missing
     * @throws IllegalStateException if the folder cannot be made, or other users could replace it or write to it; the message is one
     *     line with cause and cure
     */
    static void claim(Path folder) {
        try {
            makeOwn(folder);
            requireOthersCannotReplace(folder.toRealPath());
        } catch (IOException e) {
            throw unusable(folder, e);
        }
    }

    private static IllegalStateException unusable(Path folder, IOException cause) {
        return new IllegalStateException(
                "native libraries cannot be unpacked to " + folder + " (" + cause
                        + "): make that possible, or set XDG_CACHE_HOME to a folder of yours",
                cause);
    }

    private static byte[] resource(String name) {
        try (InputStream in = UnpackedLibrary.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("native-loader's jar has no " + name
                        + ": it is for other machines, build it on this one, or install the Debian package");
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new IllegalStateException("native-loader's jar cannot be read (" + e + "): replace it", e);
        }
    }

    /** The version of the library in the jar. */
    static String version() {
        Properties build = new Properties();
        try {
            build.load(new ByteArrayInputStream(resource("build.properties")));
        } catch (IOException e) {
            throw new IllegalStateException("native-loader's jar cannot be read (" + e + "): replace it", e);
        }
        return build.getProperty("version");
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

    /** Writes a file and moves it into place in one step, so that another process never sees a part of it. */
    private static void replace(Path file, byte[] content) throws IOException {
        Path unpacking = Files.createTempFile(file.getParent(), NAME, ".unpacking");
        try {
            Files.write(unpacking, content);
            Files.move(unpacking, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(unpacking);
        }
    }

    private static String name(byte[] content) {
        try {
            byte[] sum = MessageDigest.getInstance("SHA-256").digest(content);
            return HexFormat.of().formatHex(sum, 0, 8);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("a Java without SHA-256: use another", e);
        }
    }
}
