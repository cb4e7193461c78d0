/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.nativeloader;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.freedesktop.gstreamer.Bus;
import org.freedesktop.gstreamer.Gst;
import org.freedesktop.gstreamer.Pipeline;
import org.freedesktop.gstreamer.Version;
import org.freedesktop.gstreamer.event.EOSEvent;

/** A Java application that plays a pipeline to its end, and prints how many libjvm.so its process holds. */
final class JavaHost {
    private JavaHost() {}

    /**
     * Plays.
     *
     * @param arguments the pipeline description
     * @throws IOException where the process's maps cannot be read
     * @throws InterruptedException never
     */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        Gst.init(Version.BASELINE, "host");
        CountDownLatch ended = new CountDownLatch(1);
        try (Pipeline pipeline = (Pipeline) Gst.parseLaunch(arguments[0])) {
            Bus.EOS atEnd = source -> {
                System.out.println("end of stream");
                ended.countDown();
            };
            Bus.ERROR atError = (source, code, message) -> {
                System.out.println("ERROR: from element x: " + message);
                ended.countDown();
            };
            pipeline.getBus().connect(atEnd);
            pipeline.getBus().connect(atError);
            pipeline.play();
            if (!ended.await(600, TimeUnit.SECONDS)) {
                pipeline.sendEvent(new EOSEvent());
                System.out.println("hung");
            }
            pipeline.stop();
        }
        long jvms = Files.readAllLines(Path.of("/proc/self/maps")).stream()
                .filter(line -> line.endsWith("libjvm.so"))
                .map(line -> line.substring(line.indexOf('/')))
                .distinct()
                .count();
        System.out.println("JVMs: " + jvms);
    }
}
