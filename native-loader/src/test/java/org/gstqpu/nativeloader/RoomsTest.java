/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.nativeloader;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The files in C, each with its header: what one includes never includes it. */
class RoomsTest {
    private static final Pattern INCLUDE = Pattern.compile("(?m)^#include \"(.*)\\.h\"");

    /** What each file and its header include, by names without endings; generated headers and its own left out. */
    private static Map<String, Set<String>> includes() throws IOException {
        Map<String, Set<String>> includes = new TreeMap<>();
        try (Stream<Path> listed = Files.list(Path.of("src/main/c"))) {
            for (Path path :
                    listed.filter(path -> path.toString().matches(".*\\.[ch]")).toList()) {
                String name = path.getFileName().toString().replaceFirst("\\.[ch]$", "");
                includes.computeIfAbsent(name, unused -> new TreeSet<>())
                        .addAll(INCLUDE.matcher(Files.readString(path))
                                .results()
                                .map((MatchResult include) -> include.group(1))
                                .filter(included -> !included.equals(name))
                                .toList());
            }
        }
        includes.values().forEach(included -> included.retainAll(includes.keySet()));
        return includes;
    }

    /** What remains is in circles, or leads to one. */
    @Test
    void noFileIncludesOneThatIncludesIt() throws IOException {
        Map<String, Set<String>> left = includes();
        assertTrue(left.get("gstqpuplugin").contains("gstqpuloopfilter"), left::toString);
        List<String> free;
        do {
            free = left.keySet().stream()
                    .filter(name -> left.get(name).isEmpty())
                    .toList();
            left.keySet().removeAll(free);
            for (Set<String> included : left.values()) {
                included.removeAll(free);
            }
        } while (!free.isEmpty());
        assertEquals(Map.of(), left);
    }
}
