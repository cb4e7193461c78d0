/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.cache;

import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import org.lwjgl.system.Configuration;
import org.lwjgl.system.Library;
import org.lwjgl.system.Platform;

/**
 * LWJGL's own native library, unpacked from its jar before LWJGL does that itself. LWJGL would write the file in place, where a process
 * that loads it meanwhile dies of a bus error; and it may do so in a folder of {@code /tmp} that another user has made. Any thread.
 */
public final class LwjglLibrary {
    private static final Logger LOG = System.getLogger(LwjglLibrary.class.getName());
    private static final String NAME = "liblwjgl.so";

    /** True after the first {@link #prepare}. */
    private static boolean prepared;

    private LwjglLibrary() {}

    /**
     * Unpacks the library in the first call, as {@link #unpackTo} does, to the user's cache folder; or else for this process alone, to
     * a temporary folder, from which it is loaded and deleted. To be called before LWJGL loads it.
     */
    public static synchronized void prepare() {
        if (!prepared) {
            prepared = true;
            unpack();
        }
    }

    private static void unpack() {
        Optional<Path> folder = NativeFolder.path(System.getenv());
        try {
            if (folder.isPresent()) {
                unpackTo(folder.get());
                return;
            }
        } catch (IOException e) {
            LOG.log(Logger.Level.INFO, () -> "LWJGL's library is unpacked for this process alone: " + e);
        }
        try {
            unpackForThisProcess();
        } catch (IOException e) {
            LOG.log(
                    Logger.Level.WARNING,
                    () -> "LWJGL unpacks its library by itself, because no folder can be used for it (" + e
                            + "): set XDG_CACHE_HOME to a folder of yours");
        }
    }

    /**
     * Unpacks the library and tells LWJGL of the file. Does nothing where the application has told LWJGL of a library or a folder, where
     * LWJGL has loaded its library, or where no jar has one for this machine.
     *
     * @param folder as for {@link NativeFolder#claim}
     * @throws IOException if the folder is not this user's alone, or the library cannot be written there or loaded from there
     */
    public static synchronized void unpackTo(Path folder) throws IOException {
        Optional<byte[]> packed = packed();
        if (packed.isPresent()) {
            load(NativeFolder.claim(folder).unpack(NAME, packed.get()));
        }
    }

    private static void unpackForThisProcess() throws IOException {
        Optional<byte[]> packed = packed();
        if (packed.isEmpty()) {
            return;
        }
        Path folder = Files.createTempDirectory("gst-qpu");
        Path file = folder.resolve(NAME);
        try {
            Files.write(file, packed.get());
            NativeFolder.allowToRun(file);
            load(file);
            Library.initialize();
        } finally {
            Files.deleteIfExists(file);
            Files.delete(folder);
        }
    }

    /** The library in the jar; empty where it is not to be unpacked. LWJGL sets the first path when it has loaded its library. */
    private static Optional<byte[]> packed() throws IOException {
        if (Configuration.LIBRARY_PATH.get() != null
                || Configuration.LIBRARY_NAME.get() != null
                || Configuration.SHARED_LIBRARY_EXTRACT_PATH.get() != null) {
            return Optional.empty();
        }
        String resource = "linux/" + Platform.getArchitecture().name().toLowerCase(Locale.ROOT) + "/org/lwjgl/" + NAME;
        try (InputStream in = Configuration.class.getClassLoader().getResourceAsStream(resource)) {
            return in == null ? Optional.empty() : Optional.of(in.readAllBytes());
        }
    }

    /** LWJGL will load that file and look for no other: it has an absolute path. */
    private static void load(Path file) throws IOException {
        // So says access(2) of a file system that is mounted with noexec, too.
        if (!Files.isExecutable(file)) {
            throw new IOException("no program may run from " + file.getParent());
        }
        Configuration.LIBRARY_NAME.set(file.toAbsolutePath().toString());
    }
}
