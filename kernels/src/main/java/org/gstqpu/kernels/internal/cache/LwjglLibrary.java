/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.cache;

import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.lwjgl.system.Configuration;
import org.lwjgl.system.Platform;

/**
 * LWJGL's own native library, unpacked from its jar before LWJGL does that itself: LWJGL would write the file in place, and a process
 * that loads the file meanwhile dies of a bus error. It would also take a folder in {@code /tmp} that another user has made. Holds no
 * state; any thread.
 */
public final class LwjglLibrary {
    private static final Logger LOG = System.getLogger(LwjglLibrary.class.getName());
    private static final String NAME = "liblwjgl.so";

    private LwjglLibrary() {}

    /**
     * Unpacks the library to the user's cache folder, as {@link #unpackTo}. If that fails, which is logged, LWJGL does what it does
     * by itself.
     *
     * @param environment of the process
     */
    public static void unpack(Map<String, String> environment) {
        Optional<Path> folder = NativeFolder.path(environment);
        try {
            if (folder.isPresent()) {
                unpackTo(folder.get());
            }
        } catch (IOException e) {
            LOG.log(Logger.Level.INFO, () -> "LWJGL unpacks its library by itself: " + e.getMessage());
        }
    }

    /**
     * Unpacks the library and tells LWJGL of it. Does nothing where LWJGL was told of a library or a folder by others, or where no jar
     * has the library for this machine. Call it before LWJGL loads a library.
     *
     * @param folder as for {@link NativeFolder#claim}
     * @throws IOException if the folder is not this user's alone, or the library cannot be written
     */
    public static synchronized void unpackTo(Path folder) throws IOException {
        if (Configuration.LIBRARY_PATH.get() != null || Configuration.SHARED_LIBRARY_EXTRACT_PATH.get() != null) {
            return;
        }
        String resource = "linux/" + (Platform.getArchitecture() == Platform.Architecture.X64 ? "x64" : "arm64")
                + "/org/lwjgl/" + NAME;
        try (InputStream packed = Configuration.class.getClassLoader().getResourceAsStream(resource)) {
            if (packed != null) {
                Path file = NativeFolder.claim(folder).unpack(NAME, packed.readAllBytes());
                // LWJGL finds the file there with the content that it would write.
                Configuration.SHARED_LIBRARY_EXTRACT_PATH.set(file.getParent().toString());
            }
        }
    }
}
