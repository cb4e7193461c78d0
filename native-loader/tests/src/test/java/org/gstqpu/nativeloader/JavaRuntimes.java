/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.nativeloader;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The Java runtimes of this machine that the plugin runs on, this process's own among them. */
final class JavaRuntimes {
    private static final Pattern VERSION = Pattern.compile("^JAVA_VERSION=\"(\\d+)", Pattern.MULTILINE);

    private JavaRuntimes() {}

    /** Their folders, each once. */
    static List<Path> usable() {
        Set<Path> homes = new LinkedHashSet<>();
        homes.add(Path.of(System.getProperty("java.home")));
        Path all = Path.of("/usr/lib/jvm");
        if (Files.isDirectory(all)) {
            try (Stream<Path> entries = Files.list(all)) {
                for (Path entry : entries.sorted().toList()) {
                    if (Files.isRegularFile(entry.resolve("lib/modules")) && version(entry) >= 17) {
                        homes.add(entry.toRealPath());
                    }
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return List.copyOf(homes);
    }

    /** The feature version that the runtime's release file tells, 0 where it tells none. */
    static int version(Path home) {
        Path release = home.resolve("release");
        if (!Files.isRegularFile(release)) {
            return 0;
        }
        try {
            Matcher matcher = VERSION.matcher(Files.readString(release));
            return matcher.find() ? Integer.parseInt(matcher.group(1)) : 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
