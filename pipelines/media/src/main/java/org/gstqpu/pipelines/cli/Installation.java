/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.cli;

import static org.gstqpu.pipelines.cli.CommandFailedException.unavailable;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * The folders with this program's files: those of the working copy that it was built in, or those of an installed package.
 * Immutable.
 *
 * @param root the top folder of the working copy; for a package, its folder of architecture-independent data
 * @param program the launcher of this command line
 * @param pipelines folder of the ready pipelines
 * @param vectors folder of golden vectors
 * @param demoFolder default folder for the files of the demo
 * @param pluginFolder the folder that should hold libgstqpu.so
 * @param searched whether GStreamer searches {@code pluginFolder} by itself
 * @param repair what the user can do if a file is missing
 */
public record Installation(
        Path root,
        Path program,
        Path pipelines,
        Path vectors,
        Path demoFolder,
        Path pluginFolder,
        boolean searched,
        String repair) {
    /**
     * The installation that the launcher named in system properties. For a working copy, {@code org.gstqpu.root} is its top
     * folder. For a package, {@code org.gstqpu.data} is {@link #root}, {@code org.gstqpu.plugins} is {@link #pluginFolder}, and
     * {@code org.gstqpu.searched} is {@link #searched}.
     *
     * @throws CommandFailedException when these system properties are not set
     */
    public static Installation current() {
        String root = System.getProperty("org.gstqpu.root");
        if (root != null) {
            return workingCopy(Path.of(root).toAbsolutePath().normalize());
        }
        String data = System.getProperty("org.gstqpu.data");
        String plugins = System.getProperty("org.gstqpu.plugins");
        if (data == null || plugins == null) {
            throw unavailable(
                    "the system properties org.gstqpu.root, or org.gstqpu.data and org.gstqpu.plugins, are not set; start it"
                            + " as qpu or pipelines/qpu");
        }
        return installed(
                Path.of(data).toAbsolutePath().normalize(),
                Path.of(plugins).toAbsolutePath().normalize(),
                Boolean.getBoolean("org.gstqpu.searched"));
    }

    private static Installation workingCopy(Path root) {
        return new Installation(
                root,
                root.resolve("pipelines/qpu"),
                root.resolve("pipelines/ready"),
                root.resolve("kernels/tests/src/test/resources/vectors"),
                root.resolve("pipelines/target/demo"),
                root.resolve("native-loader/target/gstreamer-1.0"),
                false,
                "run " + root + "/pipelines/setup");
    }

    private static Installation installed(Path data, Path plugins, boolean searched) {
        return new Installation(
                data,
                data.resolve("../../bin/qpu").normalize(),
                data.resolve("pipelines"),
                data.resolve("vectors"),
                Path.of("qpu-demo"),
                plugins,
                searched,
                "install gst-qpu again");
    }

    /** Whether the plugin file exists. */
    public boolean hasPlugin() {
        return Files.isRegularFile(pluginFolder().resolve("libgstqpu.so"));
    }

    /** Throws {@link CommandFailedException} if the plugin file is missing. */
    public void requirePlugin() {
        if (!hasPlugin()) {
            throw unavailable("there is no " + pluginFolder() + "/libgstqpu.so: " + repair);
        }
    }

    /** The environment variables that a GStreamer process needs to find the plugin. */
    public Map<String, String> environment() {
        return searched ? Map.of() : Map.of("GST_PLUGIN_PATH", pluginFolder.toString());
    }
}
