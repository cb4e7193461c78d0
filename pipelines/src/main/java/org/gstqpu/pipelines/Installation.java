package org.gstqpu.pipelines;

import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The working copy that this program was built in. Immutable.
 *
 * @param root its top folder
 */
record Installation(Path root) {
    /**
     * The one that the launcher named in the system property {@code org.gstqpu.root}.
     *
     * @throws CommandFailedException when it named none
     */
    static Installation current() {
        String root = System.getProperty("org.gstqpu.root");
        if (root == null) {
            throw new CommandFailedException(
                    ExitStatus.UNAVAILABLE,
                    "the system property org.gstqpu.root is not set; start it as pipelines/qpu");
        }
        return new Installation(Path.of(root).toAbsolutePath().normalize());
    }

    /** The folder for GST_PLUGIN_PATH. */
    Path pluginFolder() {
        return root.resolve("native-loader/target/gstreamer-1.0");
    }

    /** Whether the plugin file was built. */
    boolean hasPlugin() {
        return Files.isRegularFile(pluginFolder().resolve("libgstqpu.so"));
    }

    /** Where the demo leaves its files when it is not told otherwise. */
    Path demoFolder() {
        return root.resolve("pipelines/target/demo");
    }
}
