/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.nativeloader;

import com.sun.jna.Callback;
import com.sun.jna.Library;
import com.sun.jna.Native;
import com.sun.jna.NativeLong;
import com.sun.jna.Pointer;
import java.util.Map;

/**
 * Puts side information, the meta {@code qpu-filter-params}, on each buffer that comes to a pad: that of the filter, or that of a decoder.
 * Call {@link QpuPlugin#register} before. GStreamer calls it only as long as something refers to it. Any thread.
 */
public final class QpuParams implements AutoCloseable {
    private static final String META = "qpu-filter-params";

    /** What is known of a buffer. */
    @FunctionalInterface
    public interface Fill {
        /**
         * Called on the streaming thread.
         *
         * @param presentationNanos when the picture is shown, or -1 if the buffer does not say
         * @param decodingNanos when it is decoded, or -1
         * @return the meta's fields by name, an {@link Integer}, a {@link String} or a {@code byte[]} each; none if nothing is known, and
         *     then the buffer gets no meta
         */
        Map<String, ?> fields(long presentationNanos, long decodingNanos);
    }

    private final Pointer pad;
    private final Fill fill;
    private final NativeLong number;
    private final GStreamer.Probe probe;

    /**
     * Begins.
     *
     * @param pad the address of a GstPad, which stays until this is closed
     * @param fill what is known of each buffer
     */
    public QpuParams(Pointer pad, Fill fill) {
        this.pad = pad;
        this.fill = fill;
        probe = this::probed;
        number = GStreamer.LIBRARY.gst_pad_add_probe(pad, GStreamer.PROBE_BUFFERS, probe, null, null);
    }

    /** Ends it. */
    @Override
    public void close() {
        GStreamer.LIBRARY.gst_pad_remove_probe(pad, number);
    }

    private int probed(Pointer ownPad, Pointer info, Pointer data) {
        Pointer buffer = info.getPointer(GStreamer.PROBE_DATA);
        try {
            Map<String, ?> fields =
                    fill.fields(buffer.getLong(GStreamer.BUFFER_PTS), buffer.getLong(GStreamer.BUFFER_DTS));
            if (!fields.isEmpty()) {
                info.setPointer(GStreamer.PROBE_DATA, withMeta(buffer, fields));
            }
        } catch (RuntimeException e) {
            // What is thrown into C would drop the buffer.
            Native.getCallbackExceptionHandler().uncaughtException(probe, e);
        }
        return GStreamer.PROBE_OK;
    }

    private static Pointer withMeta(Pointer shared, Map<String, ?> fields) {
        Pointer buffer = GStreamer.LIBRARY.gst_mini_object_make_writable(shared);
        Pointer params = GStreamer.LIBRARY.gst_custom_meta_get_structure(
                GStreamer.LIBRARY.gst_buffer_add_custom_meta(buffer, META));
        fields.forEach((String name, Object value) -> {
            if (value instanceof byte[] bytes) {
                Pointer copy = GStreamer.OBJECTS.g_bytes_new(bytes, new NativeLong(bytes.length));
                GStreamer.LIBRARY.gst_structure_set(params, name, GStreamer.OBJECTS.g_bytes_get_type(), copy, null);
                GStreamer.OBJECTS.g_bytes_unref(copy);
            } else if (value instanceof String string) {
                GStreamer.LIBRARY.gst_structure_set(params, name, GStreamer.TYPE_STRING, string, null);
            } else {
                GStreamer.LIBRARY.gst_structure_set(params, name, GStreamer.TYPE_INT, (Integer) value, null);
            }
        });
        return buffer;
    }

    /** Functions of GStreamer, with offsets and constants of its ABI on 64-bit machines. */
    interface GStreamer extends Library {
        GStreamer LIBRARY = Native.load("gstreamer-1.0", GStreamer.class);
        Objects OBJECTS = Native.load("gobject-2.0", Objects.class);

        /** GST_PAD_PROBE_TYPE_BUFFER. */
        int PROBE_BUFFERS = 1 << 4;

        /** GST_PAD_PROBE_OK. */
        int PROBE_OK = 1;

        /** Offset of the field {@code data} of GstPadProbeInfo. */
        int PROBE_DATA = 16;

        /** Offsets of fields of GstBuffer. */
        int BUFFER_PTS = 72;

        int BUFFER_DTS = 80;

        /** G_TYPE_INT and G_TYPE_STRING. */
        NativeLong TYPE_INT = new NativeLong(6 << 2);

        NativeLong TYPE_STRING = new NativeLong(16 << 2);

        interface Probe extends Callback {
            int call(Pointer pad, Pointer info, Pointer data);
        }

        NativeLong gst_pad_add_probe(Pointer pad, int types, Probe probe, Pointer data, Pointer destroy);

        void gst_pad_remove_probe(Pointer pad, NativeLong number);

        Pointer gst_mini_object_make_writable(Pointer object);

        Pointer gst_buffer_add_custom_meta(Pointer buffer, String name);

        Pointer gst_custom_meta_get_structure(Pointer meta);

        void gst_structure_set(Pointer structure, String field, Object... typeValueAndNull);
    }

    /** Functions of GLib and GObject. */
    interface Objects extends Library {
        Pointer g_bytes_new(byte[] bytes, NativeLong size);

        void g_bytes_unref(Pointer bytes);

        NativeLong g_bytes_get_type();
    }
}
