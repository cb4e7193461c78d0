/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.play;

import com.sun.jna.Memory;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import com.sun.jna.ptr.IntByReference;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.LongStream;
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

    /** Bytes of a GValue. */
    private static final int VALUE = 24;

    /** Bytes of an XEvent, and the places in one of a message to a window, where a long has 8 bytes. */
    private static final int EVENT = 192;

    private static final int WINDOW = 32;
    private static final int TYPE = 40;
    private static final int BITS = 48;
    private static final int DATA = 56;

    private static final int CLIENT_MESSAGE = 33;

    /** SubstructureNotifyMask and SubstructureRedirectMask: the message is for who manages windows. */
    private static final long MANAGER = 3L << 19;

    private static final long TOGGLE = 2;
    private static final long FROM_AN_APPLICATION = 1;

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
        return onDisplay(display -> {
            if (!isManaged(display)) {
                return false;
            }
            try (Memory message = new Memory(EVENT)) {
                message.clear();
                message.setInt(0, CLIENT_MESSAGE);
                message.setLong(WINDOW, id);
                message.setLong(TYPE, atom(display, "_NET_WM_STATE"));
                message.setInt(BITS, Integer.SIZE);
                message.setLong(DATA, TOGGLE);
                message.setLong(DATA + Long.BYTES, atom(display, "_NET_WM_STATE_FULLSCREEN"));
                message.setLong(DATA + 3 * Long.BYTES, FROM_AN_APPLICATION);
                call("X11", "XSendEvent", display, root(display), 0, MANAGER, message);
                return true;
            }
        });
    }

    void title(String title) {
        byte[] bytes = title.getBytes(StandardCharsets.UTF_8);
        onDisplay(display -> {
            for (String name : new String[] {"WM_NAME", "_NET_WM_NAME"}) {
                call(
                        "X11",
                        "XChangeProperty",
                        display,
                        id,
                        atom(display, name),
                        atom(display, "UTF8_STRING"),
                        Byte.SIZE,
                        0,
                        bytes,
                        bytes.length);
            }
            return true;
        });
    }

    private static boolean isManaged(Pointer display) {
        IntByReference count = new IntByReference();
        Pointer names = call("X11", "XListProperties", display, root(display), count);
        long wanted = atom(display, "_NET_SUPPORTING_WM_CHECK");
        boolean managed = names != null
                && LongStream.of(names.getLongArray(0, count.getValue())).anyMatch(name -> name == wanted);
        if (names != null) {
            call("X11", "XFree", names);
        }
        return managed;
    }

    private static boolean onDisplay(Predicate<Pointer> action) {
        Pointer display = call("X11", "XOpenDisplay", (Object) null);
        if (display == null) {
            return false;
        }
        try {
            return action.test(display);
        } finally {
            // Sends what has been asked for, too.
            call("X11", "XCloseDisplay", display);
        }
    }

    private static long root(Pointer display) {
        return number("X11", "XDefaultRootWindow", display);
    }

    private static long atom(Pointer display, String name) {
        return number("X11", "XInternAtom", display, name, 0);
    }

    private static long number(String library, String function, Object... arguments) {
        return Pointer.nativeValue(call(library, function, arguments));
    }

    private static Pointer call(String library, String function, Object... arguments) {
        return NativeLibrary.getInstance(library).getFunction(function).invokePointer(arguments);
    }
}
