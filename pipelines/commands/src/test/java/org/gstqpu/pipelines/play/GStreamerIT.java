/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.play;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.jna.Callback;
import com.sun.jna.Function;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.freedesktop.gstreamer.Buffer;
import org.freedesktop.gstreamer.Bus;
import org.freedesktop.gstreamer.Caps;
import org.freedesktop.gstreamer.Element;
import org.freedesktop.gstreamer.ElementFactory;
import org.freedesktop.gstreamer.Gst;
import org.freedesktop.gstreamer.Pipeline;
import org.freedesktop.gstreamer.glib.Natives;
import org.gstqpu.pipelines.cli.Installation;
import org.junit.jupiter.api.Test;

class GStreamerIT {
    private static final int ROUNDS = 3;
    private static final int SETTLE_MILLIS = 200;
    private static final int TRIES = 100;

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

    /** Without the wait in {@code close}, the handler stops a pipeline that is gone. */
    @Test
    void aPipelineIsClosedBehindItsHandlerOfErrors() throws InterruptedException {
        GStreamer.start(Installation.current());
        Pipeline pipeline = (Pipeline) Gst.parseLaunch("filesrc location=/nonexistent ! fakesink");
        CountDownLatch inHandler = new CountDownLatch(1);
        CompletableFuture<Thread> closes = new CompletableFuture<>();
        CompletableFuture<String> handled = new CompletableFuture<>();
        Bus.ERROR onError = (source, code, message) -> {
            inHandler.countDown();
            Thread closer = closes.join();
            while (closer.getState() != Thread.State.WAITING && closer.getState() != Thread.State.TERMINATED) {
                Thread.onSpinWait();
            }
            try {
                pipeline.stop();
                handled.complete("stopped");
            } catch (IllegalStateException e) {
                handled.complete(e.toString());
            }
        };
        pipeline.getBus().connect(onError);
        pipeline.play();
        inHandler.await();
        Thread closer = new Thread(() -> GStreamer.close(pipeline, onError));
        closer.start();
        closes.complete(closer);
        assertEquals("stopped", handled.join());
        closer.join();
    }

    /** The binding remembers caps, which do not own what they stand for, at an address that a copy gets. */
    @Test
    void aCopyIsABufferWhateverLayAtItsAddress() {
        GStreamer.start(Installation.current());
        List<Caps> remembered = new ArrayList<>();
        try (Buffer picture = new Buffer(8)) {
            picture.setPresentationTimestamp(77);
            Pointer[] original = {Natives.getRawPointer(picture)};
            // The binding looks at what kind of object lies there, unless it remembers one.
            long kind = Natives.getRawPointer(Caps.anyCaps()).getLong(0);
            for (int i = 0; i < TRIES; i++) {
                Pointer place = function("gst_mini_object_copy").invokePointer(original);
                place.setLong(0, kind);
                remembered.add(Natives.objectFor(place, Caps.class, false, false));
                place.setLong(0, original[0].getLong(0));
                function("gst_mini_object_unref").invokeVoid(new Object[] {place});
                try (Buffer copy = GStreamer.copy(picture, Buffer.class)) {
                    assertEquals(77, copy.getPresentationTimestamp());
                }
            }
        }
        assertEquals(TRIES, remembered.size());
    }

    private static Function function(String name) {
        return NativeLibrary.getInstance("gstreamer-1.0").getFunction(name);
    }
}
