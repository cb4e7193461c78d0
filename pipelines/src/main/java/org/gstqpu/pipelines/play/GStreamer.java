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

/** GStreamer inside this process, with the element. Started once, never stopped; any thread. */
public final class GStreamer {
    private GStreamer() {}

    /**
     * Starts it where it does not run yet.
     *
     * @throws CommandFailedException when GStreamer or the plugin is not there
     */
    static void start(Installation installation) {
        installation.requirePlugin();
        try {
            // While it loads a plugin it would take segmentation faults for that plugin's, but a JVM's threads live
            // with some.
            Gst.setSegTrap(false);
            Gst.init(Version.of(1, 20), "qpu");
        } catch (UnsatisfiedLinkError e) {
            throw new CommandFailedException(
                    ExitStatus.UNAVAILABLE, "there is no GStreamer: apt install libgstreamer1.0-0", e);
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

    /** Whether there is an element of that kind. */
    static boolean has(String element) {
        return Registry.get().lookupFeature(element) != null;
    }
}
