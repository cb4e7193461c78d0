/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.play;

import static org.gstqpu.pipelines.cli.CommandFailedException.unavailable;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.freedesktop.gstreamer.Buffer;
import org.freedesktop.gstreamer.BufferFlags;
import org.freedesktop.gstreamer.Bus;
import org.freedesktop.gstreamer.Caps;
import org.freedesktop.gstreamer.Element;
import org.freedesktop.gstreamer.ElementFactory;
import org.freedesktop.gstreamer.Format;
import org.freedesktop.gstreamer.Pad;
import org.freedesktop.gstreamer.PadProbeReturn;
import org.freedesktop.gstreamer.PadProbeType;
import org.freedesktop.gstreamer.Pipeline;
import org.freedesktop.gstreamer.Sample;
import org.freedesktop.gstreamer.elements.AppSink;
import org.freedesktop.gstreamer.event.EOSEvent;
import org.freedesktop.gstreamer.event.SeekFlags;
import org.gstqpu.pipelines.cli.CommandFailedException;
import org.gstqpu.pipelines.cli.Installation;

/**
 * Where an input can be cut into segments: the times of key frames. Reads what lies around the cuts alone. Immutable.
 *
 * @param zero the timestamp in nanoseconds that stands for the running time 0 when the input is read from its beginning
 * @param times timestamps in nanoseconds, ascending, of the key frames that segments begin with, without the first one
 * @param whole why the input cannot be cut; empty if it can, or need not
 */
public record CutTimes(long zero, List<Long> times, Optional<String> whole) {
    /** An input that is not cut. */
    public static final CutTimes NONE = new CutTimes(0, List.of(), Optional.empty());

    /** Readers that go to a time by an index, and give each packet the time that it has when read from the beginning. */
    private static final Set<String> EXACT =
            Set.of(GStreamer.MATROSKA_READER, GStreamer.MP4_READER, GStreamer.AVI_READER);

    private static final double NANOS_PER_SECOND = 1e9;

    private static final Set<String> INTRA = Set.of("image/jpeg", "video/x-dv", "video/x-raw");

    /**
     * Finds out where to cut an input.
     *
     * @param input a file or an address
     * @param least the least length of a segment in nanoseconds; the last one may have half of it
     * @throws CommandFailedException when GStreamer lacks what cutting needs
     * @throws IOException when the input's index cannot be read
     */
    public static CutTimes of(Installation installation, String input, long least) throws IOException {
        GStreamer.start(installation);
        for (String element : List.of("gdppay", "splitfilesrc")) {
            if (!GStreamer.has(element)) {
                throw unavailable("segments need the element " + element
                        + ": apt install gstreamer1.0-plugins-good gstreamer1.0-plugins-bad");
            }
        }
        try (Reader reader = new Reader(input)) {
            return reader.cut(least);
        }
    }

    private static CutTimes uncut(String why) {
        return new CutTimes(0, List.of(), Optional.of(why));
    }

    /** Owns a pipeline that gives the coded video packet by packet. Lives on one thread. */
    private static final class Reader implements AutoCloseable {
        private final String input;
        private final Pipeline pipeline;
        private final AppSink packets;
        private final AtomicReference<Long> zero = new AtomicReference<>();
        private final AtomicReference<String> failure = new AtomicReference<>();

        // GStreamer calls these only as long as something refers to them.
        private final Bus.ERROR onError;
        private final Element.PAD_ADDED onPad;
        private final Pad.PROBE onEvent = (pad, information) -> {
            GStreamer.segmentZero(information.getEvent()).ifPresent(first -> zero.compareAndSet(null, first));
            return PadProbeReturn.OK;
        };

        Reader(String input) {
            this.input = input;
            pipeline = (Pipeline) LaunchLine.parse(
                    "urisourcebin uri=" + ReadyPipeline.quoted(InputAddress.of(input))
                            + " ! parsebin name=reader appsink name=packets sync=false max-buffers=4",
                    Transcoding::unusable);
            packets = (AppSink) pipeline.getElementByName("packets");
            Pad sink = packets.getStaticPad("sink");
            sink.addProbe(PadProbeType.EVENT_DOWNSTREAM, onEvent);
            onPad = (reader, pad) -> {
                Caps caps = pad.getCurrentCaps() == null ? pad.queryCaps(null) : pad.getCurrentCaps();
                if (StreamKind.of(caps) == StreamKind.VIDEO && !sink.isLinked()) {
                    pad.link(sink);
                }
            };
            pipeline.getElementByName("reader").connect(onPad);
            onError =
                    (source, code, message) -> fail(message.lines().findFirst().orElse(message));
            pipeline.getBus().connect(onError);
            ExactReading.ask(pipeline, () -> fail(InputAddress.DEEP));
            pipeline.play();
        }

        private void fail(String why) {
            failure.compareAndSet(null, why);
            // Whoever waits for a packet gets none then.
            packets.sendEvent(new EOSEvent());
        }

        CutTimes cut(long least) throws IOException {
            Sample first = GStreamer.awaitData(pipeline, () -> failure.get() != null) ? packets.pullSample() : null;
            if (first == null) {
                return uncut(failure.get() == null ? "holds no video" : failure.get());
            }
            String type = first.getCaps().getStructure(0).getName();
            first.dispose();
            long duration = pipeline.queryDuration(Format.TIME);
            if (duration > 0 && duration < least + least / 2) {
                return NONE;
            }
            Set<String> readers = pipeline.getElementsRecursive().stream()
                    .flatMap(element -> GStreamer.factory(element).stream())
                    .map(ElementFactory::getName)
                    .filter(EXACT::contains)
                    .collect(Collectors.toSet());
            if (duration <= 0 || readers.isEmpty()) {
                return uncut("its container has no index: put it into a .mkv or .mp4 first");
            }
            if (readers.contains(GStreamer.AVI_READER) && !INTRA.contains(type)) {
                return uncut("an .avi does not say when a picture of " + type
                        + " is shown: put it into a .mkv or .mp4 first");
            }
            Optional<ProbedInput> probed =
                    readers.contains(GStreamer.AVI_READER) ? Optional.empty() : ProbedInput.of(input);
            if (probed.filter(
                            film -> !film.video().equals(film.videos().stream().findFirst()))
                    .isPresent()) {
                return uncut("its first video is not the default one");
            }
            if (probed.isPresent() && probed.get().jumps()) {
                return uncut("its edit list leaves out parts in its middle");
            }
            if (readers.contains(GStreamer.MATROSKA_READER)) {
                zero.set(probed.map(file -> Math.max(0, Math.round(file.start() * NANOS_PER_SECOND)))
                        .orElse(0L));
            }
            List<Long> times = new ArrayList<>();
            long last = 0;
            while (last + least + least / 2 <= duration) {
                Optional<Long> next = keyFrame(last + least);
                if (next.isEmpty() || next.get() - zero.get() + least / 2 > duration) {
                    break;
                }
                last = next.get() - zero.get();
                times.add(next.get());
            }
            return new CutTimes(zero.get(), List.copyOf(times), Optional.empty());
        }

        /** The timestamp of the first key frame from a time on; empty if there is none. */
        private Optional<Long> keyFrame(long from) {
            if (!pipeline.seekSimple(Format.TIME, EnumSet.of(SeekFlags.FLUSH, SeekFlags.ACCURATE), from)) {
                return Optional.empty();
            }
            while (true) {
                Sample sample = packets.pullSample();
                if (sample == null) {
                    return Optional.empty();
                }
                Buffer packet = sample.getBuffer();
                long time = packet.getPresentationTimestamp();
                boolean key = !packet.getFlags().contains(BufferFlags.DELTA_UNIT);
                sample.dispose();
                if (key && time >= zero.get() + from) {
                    return Optional.of(time);
                }
            }
        }

        @Override
        public void close() {
            GStreamer.close(pipeline, onError);
        }
    }
}
