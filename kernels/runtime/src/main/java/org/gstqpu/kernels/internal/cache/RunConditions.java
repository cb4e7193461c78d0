/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.cache;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.Properties;

/** The conditions under which times of the CPU's kernels hold, in words for a {@link CacheFile}. Holds nothing; any thread. */
public final class RunConditions {
    private RunConditions() {}

    /** The version of this library. */
    public static String libraryVersion() {
        Properties build = new Properties();
        try (InputStream in = RunConditions.class.getResourceAsStream("build.properties")) {
            build.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException("build.properties in the library's own jar cannot be read", e);
        }
        return build.getProperty("version");
    }

    /** The virtual machine, which compiles the kernels, and the processors that it sees. */
    public static String java() {
        return System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version") + " " + compilation()
                + ", " + Runtime.getRuntime().availableProcessors() + " processors, " + System.getProperty("os.arch");
    }

    /**
     * "mixed mode" or "interpreted mode", and ", vectors" if the CPU's kernels find the Vector API. What the JVM says of its class
     * archive ("sharing") is left out.
     */
    private static String compilation() {
        String info = System.getProperty("java.vm.info", "");
        int comma = info.indexOf(',');
        return (comma < 0 ? info : info.substring(0, comma)) + (vectors().isPresent() ? ", vectors" : "");
    }

    /**
     * The module of the Vector API, if this JVM has resolved it: when it started, or later, as the element does. A module that was
     * added later is in no layer that can be asked for it, so one of its classes is. Empty where an application's own Java runtime
     * lacks {@code jdk.management}, on the class path: whether vectors serve is told by what the JVM allocates and by its options.
     */
    public static Optional<Module> vectors() {
        if (ModuleLayer.boot().findModule("jdk.management").isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(
                    Class.forName("jdk.incubator.vector.Vector", false, null).getModule());
        } catch (ClassNotFoundException e) {
            return Optional.empty();
        }
    }
}
