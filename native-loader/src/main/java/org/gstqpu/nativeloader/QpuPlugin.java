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
import org.lwjgl.system.Configuration;

/**
 * Brings {@code qpuloopfilter} into the GStreamer that runs in this process, for a Java application that has this library on its class
 * path: nothing has to be installed and no variable set. Holds nothing; any thread.
 *
 * <p>The element then runs on this JVM, with these classes: also where a class loader of the application's own has them. The first
 * registration of a process stays for as long as the process lives, and so do its classes.
 */
public final class QpuPlugin {
    private static boolean registered;

    private QpuPlugin() {}

    /**
     * Registers the element; a second call does nothing. To be called after {@code Gst.init()}, before the element is first made.
     *
     * <p>The native libraries in the jars are unpacked to {@code gst-qpu/native} in {@code XDG_CACHE_HOME} or {@code ~/.cache}, which
     * only this user may write to. Where GStreamer has found the plugin by itself, as an installed one of the same version, that file
     * is used in place of the jar's.
     *
     * @throws IllegalStateException when it cannot be done: GStreamer is not initialised, this machine is of another kind than the
     *     libraries in the jar, the folder is not for this user alone, or GStreamer has found another version of the plugin. The
     *     message is one line with cause and cure.
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
        if (Configuration.LIBRARY_PATH.get() == null && Configuration.SHARED_LIBRARY_EXTRACT_PATH.get() == null) {
            // Otherwise LWJGL unpacks its library to a folder in /tmp that another user may have made; and it would
            // take this one
            // whatever it is.
            UnpackedLibrary.claim(folder);
            Configuration.SHARED_LIBRARY_EXTRACT_PATH.set(folder.toString());
        }
        // While GStreamer loads a plugin it takes segmentation faults for that plugin's, but a JVM's threads live with
        // some.
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
            // struct GError: domain, code, message.
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

    /** What is used of libgstreamer-1.0.so; the functions are GStreamer's own. */
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
