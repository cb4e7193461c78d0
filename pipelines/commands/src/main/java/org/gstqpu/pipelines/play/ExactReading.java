/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.play;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.freedesktop.gstreamer.Bin;
import org.freedesktop.gstreamer.Buffer;
import org.freedesktop.gstreamer.ElementFactory;
import org.freedesktop.gstreamer.Gst;
import org.freedesktop.gstreamer.Pad;
import org.freedesktop.gstreamer.PadProbeReturn;
import org.freedesktop.gstreamer.PadProbeType;
import org.freedesktop.gstreamer.Pipeline;

/**
 * Lets a pipeline's readers and decoders give all that a film has, as exactly as they can, and keeps from them what would end the
 * process: see {@link DeepStream}.
 *
 * <p>GStreamer's reader of MP4 (1.22) takes the duration of what an edit list shows, as {@code ffmpeg -ss} and phones cut a film's
 * beginning, for a time of what lies in the file, and ends a track at the first key frame behind it: pictures at the end are lost, or
 * all of them. It sees a longer duration. Its decoder of JPEG has a quick inverse transform by default, which costs fine pictures some
 * decibels, and an exact one. Its decoders by libav crash in a format of pictures that it does not know (yuv440p of FFV1, for one) where
 * these were to be written into the next element's buffers; where they are copied, they say so.
 */
public final class ExactReading {
    /** The value islow of jpegdec's property. */
    private static final int EXACT_TRANSFORM = 0;

    /** Whether a decoder of libav writes into the buffers that it passes on. */
    private static final String DIRECT = "direct-rendering";

    /** Decoders whose pictures hardly ever are of a format that GStreamer does not know. */
    private static final Set<String> OF_USUAL_PICTURES = Set.of(
            "avdec_h264",
            "avdec_h265",
            "avdec_mjpeg",
            "avdec_mpeg2video",
            "avdec_mpeg4",
            "avdec_mpegvideo",
            "avdec_vc1",
            "avdec_vp8",
            "avdec_vp9");

    // GStreamer calls these only as long as something refers to them.
    private static final Pad.PROBE ON_DATA = (pad, information) -> {
        Buffer data = information.getBuffer();
        // Nobody but the reader has this memory yet. A buffer to which Java refers, too, cannot be mapped for writing.
        ByteBuffer bytes = data.map(false);
        try {
            return EditLists.lengthen(bytes.order(ByteOrder.BIG_ENDIAN)) ? PadProbeReturn.REMOVE : PadProbeReturn.OK;
        } finally {
            data.unmap();
        }
    };

    private static final Set<PadProbeType> READ = EnumSet.of(PadProbeType.BUFFER, PadProbeType.PUSH, PadProbeType.PULL);

    private final Runnable onDeep;
    private final List<Pad.PROBE> probes = new CopyOnWriteArrayList<>();

    private final Bin.DEEP_ELEMENT_ADDED onElement = (bin, part, element) -> GStreamer.factory(element)
            .map(ElementFactory::getName)
            .ifPresent(name -> {
                DeepStream.of(name).ifPresent(stream -> watch(element.getStaticPad("sink"), stream));
                if (name.equals(GStreamer.MP4_READER)) {
                    element.getStaticPad("sink").addProbe(READ, ON_DATA);
                } else if (name.equals("jpegdec")) {
                    element.set("idct-method", EXACT_TRANSFORM);
                } else if (name.startsWith("avdec_")
                        && !OF_USUAL_PICTURES.contains(name)
                        && element.listPropertyNames().contains(DIRECT)) {
                    element.set(DIRECT, false);
                }
            });

    private ExactReading(Runnable onDeep) {
        this.onDeep = onDeep;
    }

    private void watch(Pad pad, DeepStream stream) {
        AtomicBoolean told = new AtomicBoolean();
        Pad.PROBE probe = (sink, information) -> {
            boolean pulls = information.getType().contains(PadProbeType.PULL);
            Buffer data = information.getBuffer();
            boolean deep = stream.isDeep(data.map(false), pulls ? data.getOffset() : -1);
            data.unmap();
            if (deep && told.compareAndSet(false, true)) {
                // Whoever is told may wait for the reader's thread.
                Gst.getExecutor().execute(onDeep);
            }
            return deep ? PadProbeReturn.DROP : PadProbeReturn.OK;
        };
        probes.add(probe);
        pad.addProbe(READ, probe);
    }

    /**
     * Prepares a pipeline that has not been started yet; any thread.
     *
     * @param onDeep runs, on the thread of messages, where something would end a reader by its depth, which is not given that: see {@link
     *     InputAddress#DEEP}
     */
    public static void ask(Pipeline pipeline, Runnable onDeep) {
        pipeline.connect(new ExactReading(onDeep).onElement);
    }
}
