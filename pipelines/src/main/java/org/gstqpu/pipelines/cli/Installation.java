/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * Where this program's files lie: in the working copy that it was built in, or where a package put them. Immutable.
 *
 * @param root the top folder of the working copy; of a package, the folder with what does not depend on the machine
 * @param sources folder of what is compiled on the spot, as {@code pipelines/src/main/c}
 * @param pipelines folder of the ready pipelines
 * @param vectors folder of golden vectors
 * @param demoFolder where the demo leaves its files when it is not told otherwise
 * @param benchFolder where benchmarks do
 * @param pluginFolder the folder with libgstqpu.so, if that is there
 * @param searched whether GStreamer looks into that folder by itself
 * @param repair what to do where something is missing
 */
public record Installation(
        Path root,
        Path sources,
        Path pipelines,
        Path vectors,
        Path demoFolder,
        Path benchFolder,
        Path pluginFolder,
        boolean searched,
        String repair) {
    /**
     * The one that the launcher named: {@code org.gstqpu.root} is a working copy; of a package {@code org.gstqpu.data} is the
     * folder with its data, {@code org.gstqpu.plugins} that with its plugin, and {@code org.gstqpu.searched} is true where
     * GStreamer looks there by itself. All of them are system properties.
     *
     * @throws CommandFailedException when it named none
     */
    public static Installation current() {
        String root = System.getProperty("org.gstqpu.root");
        if (root != null) {
            return workingCopy(Path.of(root).toAbsolutePath().normalize());
        }
        String data = System.getProperty("org.gstqpu.data");
        String plugins = System.getProperty("org.gstqpu.plugins");
        if (data == null || plugins == null) {
            throw new CommandFailedException(
                    ExitStatus.UNAVAILABLE,
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
                root.resolve("pipelines/src/main/c"),
                root.resolve("pipelines/src/main/pipelines"),
                root.resolve("kernels/src/test/resources/vectors"),
                root.resolve("pipelines/target/demo"),
                root.resolve("pipelines/target/bench"),
                root.resolve("native-loader/target/gstreamer-1.0"),
                false,
                "run " + root + "/pipelines/setup");
    }

    private static Installation installed(Path data, Path plugins, boolean searched) {
        return new Installation(
                data,
                data.resolve("c"),
                data.resolve("pipelines"),
                data.resolve("vectors"),
                Path.of("qpu-demo"),
                Path.of("qpu-bench"),
                plugins,
                searched,
                "install gst-qpu again");
    }

    /** Whether the plugin file is there. */
    public boolean hasPlugin() {
        return Files.isRegularFile(pluginFolder().resolve("libgstqpu.so"));
    }

    /** Fails where the plugin file is missing. */
    public void requirePlugin() {
        if (!hasPlugin()) {
            throw new CommandFailedException(
                    ExitStatus.UNAVAILABLE, "there is no " + pluginFolder() + "/libgstqpu.so: " + repair);
        }
    }

    /** What the environment of a GStreamer process must have for it to find the plugin. */
    public Map<String, String> environment() {
        return searched ? Map.of() : Map.of("GST_PLUGIN_PATH", pluginFolder.toString());
    }
}
