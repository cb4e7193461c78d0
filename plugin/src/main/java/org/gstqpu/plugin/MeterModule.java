/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.plugin;

import java.io.File;
import java.lang.reflect.InvocationTargetException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import org.gstqpu.plugin.ElementHost.ErrorCode;

/**
 * Loads the Java side of {@code qpumeter} with the metrics, which no process without a qpumeter has. Holds nothing; one thread at a
 * time.
 */
final class MeterModule {
    private static final String ENTRY = "org.gstqpu.meter.MeterRuntime";

    private MeterModule() {}

    /**
     * Loads it from this class's class path or else from a folder, and has it give libgstqpu.so its callbacks.
     *
     * @param folder holds the meter's jars
     * @param libraryPath file of libgstqpu.so
     * @return the entry, which has to stay reachable
     * @throws ElementException if it is in neither place
     */
    static Class<?> boot(Path folder, String libraryPath) throws ElementException, ReflectiveOperationException {
        Class<?> entry = load(folder);
        try {
            entry.getMethod("boot", String.class).invoke(null, libraryPath);
        } catch (InvocationTargetException e) {
            throw new ElementException(
                    ErrorCode.LIBRARY_FAILED,
                    "The Java side of qpumeter did not start (" + e.getCause() + "): reinstall the plugin",
                    e);
        }
        return entry;
    }

    private static Class<?> load(Path folder) throws ElementException {
        ClassLoader own = MeterModule.class.getClassLoader();
        try {
            return Class.forName(ENTRY, true, own);
        } catch (ClassNotFoundException e) {
            return loadFrom(folder, own);
        }
    }

    @SuppressWarnings("resource") // The loader lives as long as the process: it loads classes at any time.
    private static Class<?> loadFrom(Path folder, ClassLoader parent) throws ElementException {
        try {
            return Class.forName(ENTRY, true, new URLClassLoader("gst-qpu-meter", jars(folder), parent));
        } catch (ClassNotFoundException | MalformedURLException e) {
            throw new ElementException(
                    ErrorCode.RESOURCE_NOT_FOUND,
                    "The jars of qpumeter are missing: none in " + folder
                            + "; reinstall the plugin, or in a Java application add org.gstqpu:meter",
                    e);
        }
    }

    private static URL[] jars(Path folder) throws MalformedURLException {
        File[] files = folder.toFile().listFiles((where, name) -> name.endsWith(".jar"));
        URL[] jars = new URL[files == null ? 0 : files.length];
        for (int i = 0; i < jars.length; i++) {
            jars[i] = files[i].toURI().toURL();
        }
        return jars;
    }
}
