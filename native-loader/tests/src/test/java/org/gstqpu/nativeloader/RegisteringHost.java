/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.nativeloader;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.freedesktop.gstreamer.Bus;
import org.freedesktop.gstreamer.Gst;
import org.freedesktop.gstreamer.Pipeline;
import org.freedesktop.gstreamer.Structure;
import org.freedesktop.gstreamer.Version;

/**
 * A Java application that registers the element from its class path, plays pipelines at the same time, each of which has an
 * element {@code qpu}, and prints what that ran on.
 */
public final class RegisteringHost {
    private RegisteringHost() {}

    /**
     * Plays.
     *
     * @param arguments the pipeline descriptions
     * @throws InterruptedException never
     */
    public static void main(String[] arguments) throws InterruptedException {
        Gst.init(Version.BASELINE, "host");
        QpuPlugin.register();
        QpuPlugin.register();
        List<Pipeline> pipelines = new ArrayList<>();
        CountDownLatch ended = new CountDownLatch(arguments.length);
        Bus.EOS atEnd = source -> ended.countDown();
        Bus.ERROR atError = (source, code, message) -> {
            System.out.println("ERROR: from element x: " + message);
            ended.countDown();
        };
        for (String description : arguments) {
            Pipeline pipeline = (Pipeline) Gst.parseLaunch(description);
            pipeline.getBus().connect(atEnd);
            pipeline.getBus().connect(atError);
            pipelines.add(pipeline);
        }
        pipelines.forEach(Pipeline::play);
        System.out.println(ended.await(600, TimeUnit.SECONDS) ? "ended" : "hung");
        for (Pipeline pipeline : pipelines) {
            Structure stats = (Structure) pipeline.getElementByName("qpu").get("stats");
            System.out.println(stats.getValue("frames") + " pictures on " + stats.getString("substrate"));
            pipeline.stop();
            pipeline.close();
        }
    }
}
