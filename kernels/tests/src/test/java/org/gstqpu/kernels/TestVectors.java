/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.gstqpu.kernels.golden.GoldenFile;
import org.gstqpu.kernels.golden.GoldenFormatException;
import org.gstqpu.kernels.golden.GoldenPicture;
import org.gstqpu.kernels.golden.GoldenRecords;

/** The golden vectors among the test resources. */
public final class TestVectors {
    private TestVectors() {}

    /** All files whose name ends so, sorted. */
    public static List<Path> endingIn(String suffix) throws IOException {
        return endingIn(folder(), suffix);
    }

    /** The pictures with operation lists, sorted. */
    public static List<Path> operationPictures() throws IOException {
        return endingIn(folder().resolve("operations"), ".gvp.gz");
    }

    private static List<Path> endingIn(Path folder, String suffix) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(suffix))
                    .sorted()
                    .toList();
        }
    }

    /** A file of records, by its name without {@code .gv.gz}. */
    public static GoldenRecords records(String name) throws IOException, GoldenFormatException {
        return (GoldenRecords) GoldenFile.read(folder().resolve(name + ".gv.gz"));
    }

    /** A picture, by its name without {@code .gvp.gz}. */
    public static GoldenPicture picture(String name) throws IOException, GoldenFormatException {
        return (GoldenPicture) GoldenFile.read(named(name + ".gvp.gz"));
    }

    /** The file of this name. */
    public static Path named(String name) {
        return folder().resolve(name);
    }

    private static Path folder() {
        try {
            return Path.of(TestVectors.class.getResource("/vectors").toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
