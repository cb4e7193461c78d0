/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
import com.sun.jna.Pointer;
import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.freedesktop.gstreamer.Bus;
import org.freedesktop.gstreamer.Element;
import org.freedesktop.gstreamer.Gst;
import org.freedesktop.gstreamer.Pipeline;
import org.freedesktop.gstreamer.State;
import org.freedesktop.gstreamer.Structure;
import org.freedesktop.gstreamer.Version;
import org.freedesktop.gstreamer.glib.Natives;
import org.freedesktop.gstreamer.lowlevel.GstParseAPI;
import org.gstqpu.nativeloader.QpuParams;
import org.gstqpu.nativeloader.QpuPlugin;

/**
 * Plays a file through the filter in a window. Only GStreamer must be installed: the element comes from the class path.
 *
 * <p>Usage: {@code java -cp 'JARS/*' Player.java FILE [SINK [QP]]}. QP is the quantiser with which the pictures were coded. The
 * player attaches it to each picture as side information, as a decoder would. Keys on standard input: d switches deblocking, c
 * switches CDEF, i prints statistics of the element, and q quits.
 */
public final class Player {
    public static void main(String[] arguments) throws IOException, InterruptedException {
        Gst.init(Version.of(1, 20), "player");
        QpuPlugin.register();
        String sink = arguments.length > 1 ? arguments[1] : "autovideosink";
        Pipeline pipeline = parse("uridecodebin uri=" + Path.of(arguments[0]).toUri()
                + " ! videoconvert ! qpuloopfilter name=qpu ! videoconvert ! " + sink);
        Element filter = pipeline.getElementByName("qpu");
        QpuParams params = null;
        if (arguments.length > 2) {
            int qp = Integer.parseInt(arguments[2]);
            params = new QpuParams(
                    Natives.getRawPointer(filter.getStaticPad("sink")), (shown, decoded) -> Map.of("qp", qp));
        }

        CountDownLatch ended = new CountDownLatch(1);
        Thread player = Thread.currentThread();
        // Ctrl-C also stops the pipeline before the process ends: some Vulkan drivers crash if they are unloaded while
        // they work.
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            ended.countDown();
            try {
                player.join();
            } catch (InterruptedException e) {
                System.err.println("the pipeline was not waited for: " + e);
            }
        }));
        // Kept in variables, because GStreamer calls these only as long as something refers to them.
        Bus.EOS atEnd = source -> ended.countDown();
        Bus.ERROR atError = (source, code, message) -> {
            System.err.println(message);
            ended.countDown();
        };
        pipeline.getBus().connect(atEnd);
        pipeline.getBus().connect(atError);
        pipeline.play();
        // Waits until the first picture has arrived.
        while (ended.getCount() > 0 && pipeline.getState(100_000_000L) != State.PLAYING) {}

        Thread keys = new Thread(() -> {
            try {
                for (int key = System.in.read(); key >= 0; key = System.in.read()) {
                    switch (key) {
                        case 'd' -> toggle(filter, "deblock");
                        case 'c' -> toggle(filter, "cdef");
                        case 'i' -> sayStats(filter);
                        case 'q' -> ended.countDown();
                        default -> {}
                    }
                }
            } catch (IOException e) {
                System.err.println("no more keys: " + e.getMessage());
            }
        });
        keys.setDaemon(true);
        keys.start();
        ended.await();
        sayStats(filter);
        pipeline.stop();
        // GStreamer has called it until here.
        Reference.reachabilityFence(params);
    }

    /** Replaces Gst.parseLaunch, which in gst1-java-core 1.4.0 reads a GError after it has freed it. */
    private static Pipeline parse(String description) {
        Pointer[] mistake = {null};
        Element parsed = GstParseAPI.GSTPARSE_API.gst_parse_launch(description, mistake);
        if (mistake[0] != null) {
            // A GError has a domain and a code of four bytes each, and then a pointer to the message.
            System.err.println(mistake[0].getPointer(8).getString(0));
            System.exit(1);
        }
        return (Pipeline) parsed;
    }

    private static void toggle(Element filter, String property) {
        boolean on = !(Boolean) filter.get(property);
        filter.set(property, on);
        System.out.println(property + "=" + on);
    }

    private static void sayStats(Element filter) {
        Structure stats = (Structure) filter.get("stats");
        System.out.println(stats.getValue("frames") + " pictures on " + stats.getString("substrate") + ", "
                + stats.getValue("frames-with-params") + " with side information");
    }
}
