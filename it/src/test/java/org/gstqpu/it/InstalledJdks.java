/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.TreeSet;
import java.util.stream.Stream;

/** The Java installations on this machine that the plugin supports. */
final class InstalledJdks {
    private static final int OLDEST_SUPPORTED = 17;

    private InstalledJdks() {}

    /** Homes of every Java 17 or newer in Debian's folder, and of the Java that runs the tests; each once. */
    static List<Path> homes() throws IOException {
        List<Path> candidates = new ArrayList<>();
        candidates.add(Path.of(System.getProperty("java.home")));
        Path debian = Path.of("/usr/lib/jvm");
        if (Files.isDirectory(debian)) {
            try (Stream<Path> folders = Files.list(debian)) {
                folders.forEach(candidates::add);
            }
        }
        TreeSet<Path> homes = new TreeSet<>();
        for (Path candidate : candidates) {
            if (majorVersion(candidate) >= OLDEST_SUPPORTED) {
                homes.add(candidate.toRealPath());
            }
        }
        return List.copyOf(homes);
    }

    /** The version of a Java; 0 if it has no JVM library or does not state its version. */
    private static int majorVersion(Path home) throws IOException {
        Path release = home.resolve("release");
        if (!Files.isRegularFile(release) || !Files.isRegularFile(home.resolve("lib/server/libjvm.so"))) {
            return 0;
        }
        Properties properties = new Properties();
        try (var reader = Files.newBufferedReader(release)) {
            properties.load(reader);
        }
        String version = properties.getProperty("JAVA_VERSION", "0").replace("\"", "");
        String[] parts = version.split("[.+_-]", -1);
        return Integer.parseInt(parts[0]);
    }
}
