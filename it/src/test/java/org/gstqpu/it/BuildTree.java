/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The folders of the built project, and the folder that tests may write to. Maven passes them; immutable. */
final class BuildTree {
    private static final Path ROOT = fromMaven("gstqpu.root");
    private static final Path WORK = fromMaven("gstqpu.work");

    private BuildTree() {}

    private static Path fromMaven(String property) {
        String value = System.getProperty(property);
        if (value == null) {
            throw new IllegalStateException(
                    "system property " + property + " is not set: run these tests with `mvn verify -pl it -am`");
        }
        return Path.of(value).toAbsolutePath().normalize();
    }

    /** The folder of the plugin, for {@code GST_PLUGIN_PATH}. */
    static Path pluginFolder() {
        Path folder = ROOT.resolve("native-loader/target/gstreamer-1.0");
        if (!Files.isRegularFile(folder.resolve("libgstqpu.so"))) {
            throw new IllegalStateException("no libgstqpu.so in " + folder + ": run `mvn verify -pl it -am`");
        }
        return folder;
    }

    /** The project's own folder. */
    static Path root() {
        return ROOT;
    }

    /** A file below this module's {@code src/test}. */
    static Path testSource(String relative) {
        return ROOT.resolve("it/src/test").resolve(relative);
    }

    /** A folder that is kept between tests: compiled programs, decoded streams, the plugin registry. Made if it is missing. */
    static Path workFolder() {
        try {
            return Files.createDirectories(WORK);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
