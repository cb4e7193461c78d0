/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.play;

import org.freedesktop.gstreamer.Gst;
import org.freedesktop.gstreamer.Registry;
import org.freedesktop.gstreamer.Version;
import org.gstqpu.pipelines.cli.CommandFailedException;
import org.gstqpu.pipelines.cli.ExitStatus;
import org.gstqpu.pipelines.cli.Installation;

/** GStreamer in this process, with the element registered. Started once and never stopped; any thread. */
public final class GStreamer {
    private GStreamer() {}

    /**
     * Starts GStreamer, unless it runs already.
     *
     * @throws CommandFailedException when GStreamer or the plugin is missing
     */
    public static void start(Installation installation) {
        installation.requirePlugin();
        try {
            // GStreamer would treat any segmentation fault during the load of a plugin as a fault of that plugin. The
            // JVM
            // causes and handles some of its own.
            Gst.setSegTrap(false);
            Gst.init(Version.of(1, 20), "qpu");
        } catch (UnsatisfiedLinkError e) {
            throw new CommandFailedException(
                    ExitStatus.UNAVAILABLE,
                    "there is no GStreamer: apt install libgstreamer1.0-0 ("
                            + String.valueOf(e.getMessage()).lines().findFirst().orElse("") + ")",
                    e);
        }
        if (!installation.searched()) {
            Registry.get().scanPath(installation.pluginFolder().toString());
        }
        if (!has("qpuloopfilter")) {
            throw new CommandFailedException(
                    ExitStatus.UNAVAILABLE,
                    "GStreamer does not load " + installation.pluginFolder() + "/libgstqpu.so: qpu doctor says more");
        }
    }

    /** Whether an element of this name is installed. */
    static boolean has(String element) {
        return Registry.get().lookupFeature(element) != null;
    }
}
