/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.play;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.jna.Callback;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.freedesktop.gstreamer.Element;
import org.freedesktop.gstreamer.ElementFactory;
import org.gstqpu.pipelines.cli.Installation;
import org.junit.jupiter.api.Test;

class GStreamerIT {
    private static final int ROUNDS = 3;
    private static final int SETTLE_MILLIS = 200;

    /** GLib's handler of messages. */
    interface LogHandler extends Callback {
        void invoke(Pointer domain, int level, Pointer message, Pointer data);
    }

    @Test
    void factoriesGiveBackNoReferenceThatTheyDoNotHold() throws InterruptedException {
        GStreamer.start(Installation.current());
        List<String> said = new CopyOnWriteArrayList<>();
        LogHandler handler = (domain, level, message, data) -> said.add(message.getString(0));
        NativeLibrary glib = NativeLibrary.getInstance("glib-2.0");
        glib.getFunction("g_log_set_default_handler").invoke(new Object[] {handler, null});
        try {
            Element element = ElementFactory.make("identity", null);
            for (int round = 0; round < ROUNDS; round++) {
                assertEquals(
                        "identity", GStreamer.factory(element).orElseThrow().getName());
                assertEquals(
                        "identity", GStreamer.factory("identity").orElseThrow().getName());
                // The binding gives references back once their Java objects are collected.
                System.gc();
                Thread.sleep(SETTLE_MILLIS);
            }
        } finally {
            Pointer standard = glib.getGlobalVariableAddress("g_log_default_handler");
            glib.getFunction("g_log_set_default_handler").invoke(new Object[] {standard, null});
        }
        assertEquals(List.of(), said);
    }
}
