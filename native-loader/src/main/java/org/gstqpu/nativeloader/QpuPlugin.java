/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.nativeloader;

import com.sun.jna.Library;
import com.sun.jna.Native;
import com.sun.jna.Pointer;
import com.sun.jna.ptr.PointerByReference;
import java.nio.file.Path;
import java.util.Map;
import org.gstqpu.plugin.ElementRuntime;

/**
 * Registers {@code qpuloopfilter} with the GStreamer of this process, for a Java application that has this library on its class path.
 * Nothing has to be installed, and no environment variable set. Holds no state; any thread.
 *
 * <p>The element then runs on this JVM with these classes, even if the application's own class loader loaded them. The first
 * registration in a process lasts until the process ends, and its classes stay loaded.
 */
public final class QpuPlugin {
    private static boolean registered;

    private QpuPlugin() {}

    /**
     * Registers the element; a second call does nothing. Call it after {@code Gst.init()} and before the first element is made.
     *
     * <p>The native libraries in the jars are unpacked to the folder {@code gst-qpu/native} in {@code XDG_CACHE_HOME} or {@code
     * ~/.cache}. Only this user may be able to write to that folder. If GStreamer has already found an installed plugin of the same
     * version, that plugin's file is used in place of the jar's.
     *
     * @throws IllegalStateException if GStreamer is not initialised, the jar has no library for this kind of machine, other users can
     *     write to the folder, or GStreamer has found another version of the plugin. The message is one line with cause and cure.
     */
    public static synchronized void register() {
        if (registered) {
            return;
        }
        GStreamer gstreamer =
                Native.load("gstreamer-1.0", GStreamer.class, Map.of(Library.OPTION_STRING_ENCODING, "UTF-8"));
        if (gstreamer.gst_is_initialized() == 0) {
            throw new IllegalStateException(
                    "GStreamer is not initialised: call Gst.init() before QpuPlugin.register()");
        }
        String version = UnpackedLibrary.version();
        Pointer plugin = load(gstreamer, version);
        try {
            ElementRuntime.boot(gstreamer.gst_plugin_get_filename(plugin));
        } finally {
            gstreamer.gst_object_unref(plugin);
        }
        registered = true;
    }

    private static Pointer load(GStreamer gstreamer, String version) {
        Path folder = UnpackedLibrary.folder(System.getenv());
        UnpackedLibrary.unpackLwjglTo(folder);
        // While GStreamer loads a plugin, it treats every segmentation fault as the plugin's fault. But a JVM's threads
        // cause and handle segmentation faults in normal operation.
        int trapsFaults = gstreamer.gst_segtrap_is_enabled();
        gstreamer.gst_segtrap_set_enabled(0);
        try {
            Pointer known = gstreamer.gst_registry_find_plugin(gstreamer.gst_registry_get(), "qpu");
            return known == null
                    ? loadOwn(gstreamer, UnpackedLibrary.unpackTo(folder))
                    : loadKnown(gstreamer, known, version);
        } finally {
            gstreamer.gst_segtrap_set_enabled(trapsFaults);
        }
    }

    private static Pointer loadOwn(GStreamer gstreamer, Path file) {
        PointerByReference error = new PointerByReference();
        Pointer plugin = gstreamer.gst_plugin_load_file(file.toString(), error);
        if (plugin == null) {
            // struct GError has the fields domain, code and message.
            String message = error.getValue().getPointer(8).getString(0, "UTF-8");
            throw new IllegalStateException("GStreamer does not load " + file + " (" + message
                    + "): allow programs to be run from its folder, or set XDG_CACHE_HOME to one that does");
        }
        return plugin;
    }

    private static Pointer loadKnown(GStreamer gstreamer, Pointer known, String version) {
        try {
            String file = gstreamer.gst_plugin_get_filename(known);
            String found = gstreamer.gst_plugin_get_version(known);
            if (!found.equals(version)) {
                throw new IllegalStateException("GStreamer has found version " + found + " of the plugin, " + file
                        + ", but the class path has " + version + ": use one version");
            }
            Pointer plugin = gstreamer.gst_plugin_load(known);
            if (plugin == null) {
                throw new IllegalStateException(
                        "GStreamer does not load " + file + ": see what it says with GST_DEBUG=GST_PLUGIN_LOADING:5");
            }
            return plugin;
        } finally {
            gstreamer.gst_object_unref(known);
        }
    }

    /** The functions of libgstreamer-1.0.so that are called here. */
    interface GStreamer extends Library {
        int gst_is_initialized();

        int gst_segtrap_is_enabled();

        void gst_segtrap_set_enabled(int enabled);

        Pointer gst_registry_get();

        Pointer gst_registry_find_plugin(Pointer registry, String name);

        Pointer gst_plugin_load(Pointer plugin);

        Pointer gst_plugin_load_file(String filename, PointerByReference error);

        String gst_plugin_get_filename(Pointer plugin);

        String gst_plugin_get_version(Pointer plugin);

        void gst_object_unref(Pointer object);
    }
}
