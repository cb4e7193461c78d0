/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.nativeloader;

import com.sun.jna.Platform;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import org.gstqpu.kernels.internal.cache.LwjglLibrary;
import org.gstqpu.kernels.internal.cache.NativeFolder;

/** Unpacks native libraries from the jars: {@code libgstqpu.so}, which GStreamer loads, and LWJGL's. Holds no state; any thread. */
final class UnpackedLibrary {
    private static final String NAME = "libgstqpu.so";

    private UnpackedLibrary() {}

    /**
     * The user's own folder for native libraries.
     *
     * @param environment environment variables of the process
     * @throws IllegalStateException if the environment names no folder; the message is one line with cause and cure
     */
    static Path folder(Map<String, String> environment) {
        return NativeFolder.path(environment)
                .orElseThrow(() -> new IllegalStateException(
                        "there is no folder to unpack " + NAME + " to: set HOME or XDG_CACHE_HOME to a path"));
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
        try {
            return NativeFolder.claim(folder).unpack(NAME, content);
        } catch (IOException e) {
            throw unusable(folder, e);
        }
    }

    /**
     * Unpacks LWJGL's library, so that LWJGL loads that one.
     *
     * @param folder as for {@link #unpackTo}
     * @throws IllegalStateException if other users can write to the folder; the message is one line with cause and cure
     */
    static void unpackLwjglTo(Path folder) {
        try {
            LwjglLibrary.unpackTo(folder);
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
}
