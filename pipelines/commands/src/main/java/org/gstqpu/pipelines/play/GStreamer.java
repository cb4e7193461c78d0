/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.play;

import static org.gstqpu.pipelines.cli.CommandFailedException.unavailable;

import com.sun.jna.Function;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import com.sun.jna.ptr.PointerByReference;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.freedesktop.gstreamer.Bin;
import org.freedesktop.gstreamer.Buffer;
import org.freedesktop.gstreamer.Bus;
import org.freedesktop.gstreamer.Element;
import org.freedesktop.gstreamer.ElementFactory;
import org.freedesktop.gstreamer.Gst;
import org.freedesktop.gstreamer.MiniObject;
import org.freedesktop.gstreamer.Pad;
import org.freedesktop.gstreamer.Pipeline;
import org.freedesktop.gstreamer.Registry;
import org.freedesktop.gstreamer.State;
import org.freedesktop.gstreamer.Structure;
import org.freedesktop.gstreamer.Version;
import org.freedesktop.gstreamer.event.Event;
import org.freedesktop.gstreamer.glib.Natives;
import org.freedesktop.gstreamer.lowlevel.GstAPI.GstSegmentStruct;
import org.gstqpu.pipelines.cli.CommandFailedException;
import org.gstqpu.pipelines.cli.Installation;

/** GStreamer in this process, with the element registered. Started once and never stopped; any thread. */
public final class GStreamer {
    /**
     * The reader of Matroska. Its timestamps are those of the file, and it counts from the earliest one of all streams. Before it has seen
     * that, it counts from the first packet: it begins a segment there, and another one if a packet of another stream is earlier.
     */
    static final String MATROSKA_READER = "matroskademux";

    /** The reader of AVI, which numbers its packets and has no other time of a picture: right where each is coded by itself. */
    static final String AVI_READER = "avidemux";

    /** The reader of MP4 and QuickTime films, whose edit lists may leave parts out, or show some twice. */
    static final String MP4_READER = "qtdemux";

    /** Place of the flags in a GstMiniObject, after its type and two counters. */
    private static final int FLAGS = 16;

    /** Place of the type in a GstEvent, after its GstMiniObject. */
    private static final int EVENT_TYPE = 64;

    /** GST_EVENT_EOS. */
    private static final int END = 28174;

    private static final long LOOK_MILLIS = 20;

    private static final long STOP_SECONDS = 60;

    /** GstTaskState: the thread of a pad that reads by itself has nothing more to do. */
    private static final int TASK_PAUSED = 2;

    private GStreamer() {}

    /**
     * Starts GStreamer, unless it runs already.
     *
     * @throws CommandFailedException when GStreamer or the plugin is missing
     */
    public static void start(Installation installation) {
        installation.requirePlugin();
        try {
            // GStreamer would treat any segmentation fault during the load of a plugin as a fault of that plugin. The
            // JVM causes and handles some of its own.
            Gst.setSegTrap(false);
            Gst.init(Version.of(1, 20), "qpu");
        } catch (UnsatisfiedLinkError e) {
            throw unavailable(
                    "there is no GStreamer: apt install libgstreamer1.0-0 ("
                            + String.valueOf(e.getMessage()).lines().findFirst().orElse("") + ")",
                    e);
        }
        if (!installation.searched()) {
            Registry.get().scanPath(installation.pluginFolder().toString());
        }
        if (!has("qpuloopfilter")) {
            throw unavailable(
                    "GStreamer does not load " + installation.pluginFolder() + "/libgstqpu.so: qpu doctor says more");
        }
    }

    /** Names what windows show, for all that are opened from now on. */
    static void title(String title) {
        NativeLibrary.getInstance("glib-2.0")
                .getFunction("g_set_application_name")
                .invokeVoid(new Object[] {title});
    }

    /** Whether an element of this name is installed. */
    static boolean has(String element) {
        return factory(element).isPresent();
    }

    /**
     * The factory of the elements of this name; empty if none is installed.
     *
     * <p>{@link ElementFactory#find} and {@link Element#getFactory} are not for use: they make a Java object that owns no
     * reference. When the registry then returns the same factory with a reference, the object is taken for its owner, and gives
     * back at its end what it never held; GLib warns of that.
     */
    static Optional<ElementFactory> factory(String element) {
        return Optional.ofNullable(Registry.get().lookupFeature(element))
                .filter(ElementFactory.class::isInstance)
                .map(ElementFactory.class::cast);
    }

    /** The factory that made an element; empty if none did, as with a pipeline that was made from a description. */
    static Optional<ElementFactory> factory(Element element) {
        Function get = NativeLibrary.getInstance("gstreamer-1.0").getFunction("gst_element_get_factory");
        return Optional.ofNullable(get.invokePointer(new Object[] {Natives.getRawPointer(element)}))
                .map(factory -> Natives.objectFor(factory, ElementFactory.class, true, true));
    }

    /** Whether the factory of this name made an element. */
    static boolean isMadeBy(Element element, String factory) {
        return factory(element)
                .map(ElementFactory::getName)
                .filter(factory::equals)
                .isPresent();
    }

    /** Whether a pipeline has an element that the factory of this name made. */
    static boolean has(Bin pipeline, String factory) {
        return pipeline.getElementsRecursive().stream().anyMatch(element -> isMadeBy(element, factory));
    }

    /** Adds to the running times of all that a source pad gives from now on. Nanoseconds, 0 or more. */
    static void shift(Pad pad, long nanos) {
        Function set = NativeLibrary.getInstance("gstreamer-1.0").getFunction("gst_pad_set_offset");
        set.invokeVoid(new Object[] {Natives.getRawPointer(pad), nanos});
    }

    /** Whether an event ends the stream. The binding's class of an event does not tell: it may be that of one that lay there before. */
    static boolean isEnd(Event event) {
        return Natives.getRawPointer(event).getInt(EVENT_TYPE) == END;
    }

    /** The segment that an event begins; empty if it begins none. */
    static Optional<GstSegmentStruct> segment(Event event) {
        Structure fields = event.getStructure();
        if (fields == null || !fields.getName().equals("GstEventSegment")) {
            return Optional.empty();
        }
        PointerByReference parsed = new PointerByReference();
        NativeLibrary.getInstance("gstreamer-1.0")
                .getFunction("gst_event_parse_segment")
                .invokeVoid(new Object[] {Natives.getRawPointer(event), parsed});
        GstSegmentStruct segment = new GstSegmentStruct(parsed.getValue());
        segment.read();
        return Optional.of(segment);
    }

    /** The timestamp in nanoseconds that stands for the running time 0 in a segment; empty if the event begins none. */
    static Optional<Long> segmentZero(Event event) {
        return segment(event).map(segment -> segment.start - segment.base);
    }

    /**
     * Waits until a pipeline that was told to play has its first data, or has ended.
     *
     * @param ended whether it has ended, as far as its bus says
     * @return false if its reader has given up, which the bus may not say: see {@link #hasGivenUp}
     */
    public static boolean awaitData(Pipeline pipeline, BooleanSupplier ended) {
        while (!ended.getAsBoolean() && pipeline.getState(LOOK_MILLIS, TimeUnit.MILLISECONDS) != State.PLAYING) {
            if (hasGivenUp(pipeline)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Stops and closes a pipeline whose handler of errors uses it. Messages come by a thread of their own, which may be in the handler
     * when the pipeline is closed.
     */
    public static void close(Pipeline pipeline, Bus.ERROR onError) {
        pipeline.getBus().disconnect(onError);
        // Messages are handled one by one: behind this, the handler has ended.
        CompletableFuture.runAsync(() -> {}, Gst.getExecutor()).join();
        pipeline.stop();
        pipeline.getState(STOP_SECONDS, TimeUnit.SECONDS);
        pipeline.close();
    }

    /**
     * Whether a reader has stopped before it had found any stream. It posts an error then. GStreamer's parsebin and decodebin drop the
     * errors of an element that they have just added, and that of a damaged file may come so soon: nothing else would ever come.
     */
    static boolean hasGivenUp(Pipeline pipeline) {
        return pipeline.getState(0) != State.PLAYING
                && pipeline.getElementsRecursive().stream()
                        .filter(element -> factory(element)
                                .filter(kind -> kind.getKlass().contains("Demuxer"))
                                .isPresent())
                        // In this order: one that has read a short file to its end pauses, too, but has had its streams
                        // before.
                        .filter(reader -> reader.getSinkPads().stream().anyMatch(GStreamer::isPaused))
                        .anyMatch(reader -> reader.getSrcPads().isEmpty());
    }

    private static boolean isPaused(Pad pad) {
        return NativeLibrary.getInstance("gstreamer-1.0")
                        .getFunction("gst_pad_get_task_state")
                        .invokeInt(new Object[] {Natives.getRawPointer(pad)})
                == TASK_PAUSED;
    }

    /**
     * A copy of a buffer or of caps. {@link MiniObject#copy} is not for use: it takes for the copy whatever object of any kind the binding
     * remembers at its address, such as an event that lay there before.
     */
    static <T extends MiniObject> T copy(T original, Class<T> kind) {
        Pointer copy = NativeLibrary.getInstance("gstreamer-1.0")
                .getFunction("gst_mini_object_copy")
                .invokePointer(new Object[] {Natives.getRawPointer(original)});
        return Natives.callerOwnsReturn(copy, kind);
    }

    /** All flags of a buffer, with those of its kind. */
    static int flags(Buffer buffer) {
        return Natives.getRawPointer(buffer).getInt(FLAGS);
    }
}
