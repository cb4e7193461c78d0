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

/** {@code libgstqpu.so} out of the jar, as a file that GStreamer can load. Holds nothing; any thread. */
final class UnpackedLibrary {
    private static final String NAME = "libgstqpu.so";
    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rwx------");

    /** Bits of a file's mode, as in stat(2). */
    private static final int OTHERS_WRITE = 0002;

    private static final int STICKY = 01000;

    private UnpackedLibrary() {}

    /**
     * The user's own folder for native libraries.
     *
     * @param environment of the process
     * @throws IllegalStateException when it names none, with cause and cure
     */
    static Path folder(Map<String, String> environment) {
        return CacheFile.folder(environment)
                .orElseThrow(() -> new IllegalStateException(
                        "there is no folder to unpack " + NAME + " to: set HOME or XDG_CACHE_HOME to a path"))
                .resolve("native");
    }

    /**
     * Unpacks the library for this machine where it is not there yet, in a folder named after its content, so that versions do not
     * replace each other.
     *
     * @param folder made where it is missing
     * @return the file
     * @throws IllegalStateException when the jar has none, or others may write to the folder; one line with cause and cure
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
     * Makes the user's own folder for native libraries, or sees to it that it is that.
     *
     * @param folder made where it is missing
     * @throws IllegalStateException when it cannot be made, or others may put something else in its place or into it; one line
     *     with cause and cure
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

    /** Makes a folder that is this user's alone, or sees to it that it is. */
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
     * Who may write to a folder may rename what is in it, whoever owns that, unless the folder is sticky as {@code /tmp} is. Groups
     * are trusted: many systems give each user one of their own, that may write to all the user makes. The two folders above, of
     * this library and of XDG_CACHE_HOME, are to be this user's or root's too; those further up may be of a user that is not known
     * here, as a container's are.
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

    /** At once, so that a process that starts at the same time sees no part of a file. */
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
