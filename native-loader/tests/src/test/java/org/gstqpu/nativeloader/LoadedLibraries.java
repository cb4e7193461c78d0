/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.nativeloader;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What the dynamic linker loads into a process and its children, the plugin scanner among them, told by the linker itself
 * (LD_DEBUG of ld.so(8)). Owns a folder's files; lives on the thread of its test.
 */
final class LoadedLibraries {
    private static final Pattern LOADING =
            Pattern.compile("^\\s*\\d+:\\s+file=(\\S+) \\[\\d+\\];\\s+generating link map", Pattern.MULTILINE);

    private final Path folder;

    LoadedLibraries(Path folder) {
        this.folder = folder;
    }

    /** Has the process tell what it loads. */
    GstProcess observe(GstProcess process) {
        return process.with("LD_DEBUG", "files").with("LD_DEBUG_OUTPUT", folder.resolve("linker"));
    }

    /** File names of all libraries that the processes have loaded so far. */
    Set<String> names() {
        Set<String> names = new TreeSet<>();
        try (Stream<Path> logs = Files.list(folder)) {
            for (Path log : logs.filter(file -> file.getFileName().toString().startsWith("linker."))
                    .toList()) {
                Matcher matcher = LOADING.matcher(Files.readString(log));
                while (matcher.find()) {
                    names.add(Path.of(matcher.group(1)).getFileName().toString());
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return names;
    }
}
