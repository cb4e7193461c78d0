/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.nativeloader;

import java.io.File;
import java.lang.ref.WeakReference;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * A Java application whose own class path is empty but for this class, as an application server's: it runs
 * {@link RegisteringHost} twice, each time in a class loader of its own, of which it keeps nothing.
 */
final class IsolatingHost {
    private IsolatingHost() {}

    /**
     * Runs it.
     *
     * @param arguments the class path, then RegisteringHost's arguments
     * @throws ReflectiveOperationException when it cannot be called
     */
    public static void main(String[] arguments) throws ReflectiveOperationException {
        URL[] urls = Arrays.stream(arguments[0].split(File.pathSeparator))
                .map(IsolatingHost::url)
                .toArray(URL[]::new);
        String[] own = Arrays.copyOfRange(arguments, 1, arguments.length);
        for (int run = 0; run < 2; run++) {
            run(urls, own);
            // What only the loader held is gone now.
            WeakReference<Object> collected = new WeakReference<>(new Object());
            while (collected.get() != null) {
                System.gc();
            }
        }
    }

    private static URL url(String entry) {
        try {
            return Path.of(entry).toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalArgumentException(entry, e);
        }
    }

    private static void run(URL[] urls, String[] arguments) throws ReflectiveOperationException {
        ClassLoader loader = new URLClassLoader("own", urls, ClassLoader.getPlatformClassLoader());
        Class<?> host = loader.loadClass("org.gstqpu.nativeloader.RegisteringHost");
        host.getMethod("main", String[].class).invoke(null, (Object) arguments);
    }
}
