/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.play;

import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.freedesktop.gstreamer.Element;
import org.freedesktop.gstreamer.Structure;
import org.freedesktop.gstreamer.glib.Natives;

/**
 * A window that a sink has opened on the display of {@code DISPLAY}. GStreamer's sinks for X11 have no full screen, and its sink for
 * GL names its window after itself: the window manager is asked, and the server told. Immutable; any thread.
 *
 * @param id X11's number of it
 */
record X11Window(long id) {
    /** The element in GStreamer's sink for GL that has the window. */
    static final String GL_SINK = "glimagesinkelement";

    private static final String XCB = "xcb";

    /** Bytes of a GValue. */
    private static final int VALUE = 24;

    /** Bytes of an event, and the places in one of a message to a window. */
    private static final int EVENT = 32;

    private static final int BITS = 1;
    private static final int WINDOW = 4;
    private static final int TYPE = 8;
    private static final int DATA = 12;

    private static final int CLIENT_MESSAGE = 33;

    /** Where the first number of a reply lies, and what follows a reply. */
    private static final int REPLY = 8;

    private static final int REPLY_END = 32;

    /** The atom WM_NAME, which every server has. */
    private static final int WM_NAME = 39;

    /** SubstructureNotifyMask and SubstructureRedirectMask: the message is for who manages windows. */
    private static final int MANAGER = 3 << 19;

    private static final int TOGGLE = 2;
    private static final int FROM_AN_APPLICATION = 1;

    /** The window that a message of an element names; empty if it names none. */
    static Optional<X11Window> of(Structure message) {
        return message.hasName("have-window-handle")
                ? Optional.of(new X11Window((Long) message.getValue("window-handle")))
                : Optional.empty();
    }

    /** The window of a {@link #GL_SINK}; empty if it has none, or one of Wayland. */
    static Optional<X11Window> ofGl(Element sink) {
        try (Memory value = new Memory(VALUE)) {
            value.clear();
            call("gobject-2.0", "g_object_get_property", Natives.getRawPointer(sink), "context", value);
            Pointer context = call("gobject-2.0", "g_value_get_object", value);
            if (context == null) {
                return Optional.empty();
            }
            Pointer window = call("gstgl-1.0", "gst_gl_context_get_window", context);
            try {
                String type =
                        call("gobject-2.0", "g_type_name_from_instance", window).getString(0);
                return type.equals("GstGLWindowX11")
                        ? Optional.of(new X11Window(number("gstgl-1.0", "gst_gl_window_get_window_handle", window)))
                        : Optional.empty();
            } finally {
                call("gobject-2.0", "g_object_unref", window);
                call("gobject-2.0", "g_value_unset", value);
            }
        }
    }

    /** Asks the window manager to fill the screen with it, or no longer to. Returns false if there is no window manager. */
    boolean toggleFullScreen() {
        return onServer(server -> {
            if (!isManaged(server)) {
                return false;
            }
            try (Memory message = new Memory(EVENT)) {
                message.clear();
                message.setByte(0, (byte) CLIENT_MESSAGE);
                message.setByte(BITS, (byte) Integer.SIZE);
                message.setInt(WINDOW, (int) id);
                message.setInt(TYPE, atom(server, "_NET_WM_STATE"));
                message.setInt(DATA, TOGGLE);
                message.setInt(DATA + Integer.BYTES, atom(server, "_NET_WM_STATE_FULLSCREEN"));
                message.setInt(DATA + 3 * Integer.BYTES, FROM_AN_APPLICATION);
                call(XCB, "xcb_send_event", server, 0, root(server), MANAGER, message);
                return true;
            }
        });
    }

    /** Names it; does nothing if it is no longer there. */
    void title(String title) {
        byte[] bytes = title.getBytes(StandardCharsets.UTF_8);
        onServer(server -> {
            int text = atom(server, "UTF8_STRING");
            for (int name : new int[] {WM_NAME, atom(server, "_NET_WM_NAME")}) {
                call(XCB, "xcb_change_property", server, 0, (int) id, name, text, Byte.SIZE, bytes.length, bytes);
            }
            return true;
        });
    }

    private static boolean isManaged(Pointer server) {
        int wanted = atom(server, "_NET_SUPPORTING_WM_CHECK");
        return reply(
                        server,
                        "xcb_list_properties",
                        names -> IntStream.of(names.getIntArray(REPLY_END, names.getShort(REPLY) & 0xFFFF))
                                .anyMatch(name -> name == wanted),
                        root(server))
                .orElse(false);
    }

    /** Runs it on a connection of its own to the server, to which an error is nothing; by libX11, one ends the process. */
    private static boolean onServer(Predicate<Pointer> action) {
        Pointer server = call(XCB, "xcb_connect", null, null);
        try {
            boolean done = (int) number(XCB, "xcb_connection_has_error", server) == 0 && action.test(server);
            // The server drops what it has not read of a connection that ends: its answer comes after that.
            reply(server, "xcb_get_input_focus", Function.identity());
            return done;
        } finally {
            call(XCB, "xcb_disconnect", server);
        }
    }

    /** The first screen's root window. */
    private static int root(Pointer server) {
        return call(XCB, "xcb_setup_roots_iterator", call(XCB, "xcb_get_setup", server))
                .getInt(0);
    }

    private static int atom(Pointer server, String name) {
        return reply(server, "xcb_intern_atom", found -> found.getInt(REPLY), 0, name.length(), name)
                .orElse(0);
    }

    /** What is read of the answer to a request; empty if the server has gone. */
    private static <T> Optional<T> reply(
            Pointer server, String request, Function<Pointer, T> read, Object... arguments) {
        Object[] all = Stream.concat(Stream.of(server), Stream.of(arguments)).toArray();
        Pointer reply = call(XCB, request + "_reply", server, (int) number(XCB, request, all), null);
        if (reply == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(read.apply(reply));
        } finally {
            Native.free(Pointer.nativeValue(reply));
        }
    }

    private static long number(String library, String function, Object... arguments) {
        return Pointer.nativeValue(call(library, function, arguments));
    }

    private static Pointer call(String library, String function, Object... arguments) {
        return NativeLibrary.getInstance(library).getFunction(function).invokePointer(arguments);
    }
}
