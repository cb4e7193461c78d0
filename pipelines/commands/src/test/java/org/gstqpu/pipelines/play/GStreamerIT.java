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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.freedesktop.gstreamer.Bus;
import org.freedesktop.gstreamer.Element;
import org.freedesktop.gstreamer.ElementFactory;
import org.freedesktop.gstreamer.Gst;
import org.freedesktop.gstreamer.Pipeline;
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
}
