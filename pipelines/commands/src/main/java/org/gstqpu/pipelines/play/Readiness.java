/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.play;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.freedesktop.gstreamer.Caps;
import org.freedesktop.gstreamer.ElementFactory;
import org.freedesktop.gstreamer.ElementFactory.ListType;
import org.freedesktop.gstreamer.PadDirection;
import org.freedesktop.gstreamer.PluginFeature.Rank;
import org.gstqpu.pipelines.cli.Installation;

/**
 * Whether the ready pipelines would run on this machine: whether their elements are installed, and a decoder and an encoder of what
 * they read and write, and whether a window opens. Immutable.
 */
public final class Readiness {
    /** Elements that find decoders by themselves. */
    private static final Set<String> DECODING = Set.of("decodebin", "uridecodebin", "playbin", "transcodebin");

    /** Elements that find encoders by themselves. */
    private static final Set<String> ENCODING = Set.of("transcodebin");

    /** A format of compressed video. */
    private enum Format {
        H264("H.264", "video/x-h264", "gstreamer1.0-libav", "gstreamer1.0-plugins-ugly"),
        HEVC("HEVC", "video/x-h265", "gstreamer1.0-libav", "gstreamer1.0-plugins-bad"),
        MPEG2(
                "MPEG-2",
                "video/mpeg,mpegversion=2,systemstream=false",
                "gstreamer1.0-libav",
                "gstreamer1.0-plugins-bad"),
        MPEG4("MPEG-4", "video/mpeg,mpegversion=4,systemstream=false", "gstreamer1.0-libav", "gstreamer1.0-libav"),
        MJPEG("MJPEG", "image/jpeg", "gstreamer1.0-plugins-good", "gstreamer1.0-plugins-good"),
        // GStreamer has elements that decode only video with transparency.
        VP8("VP8", "video/x-vp8,codec-alpha=false", "gstreamer1.0-plugins-good", "gstreamer1.0-plugins-good"),
        VP9("VP9", "video/x-vp9,codec-alpha=false", "gstreamer1.0-plugins-good", "gstreamer1.0-plugins-good"),
        AV1("AV1", "video/x-av1", "gstreamer1.0-plugins-bad", "gstreamer1.0-plugins-bad");

        final String title;
        final String caps;
        final String decoderPackage;
        final String encoderPackage;

        Format(String title, String caps, String decoderPackage, String encoderPackage) {
            this.title = title;
            this.caps = caps;
            this.decoderPackage = decoderPackage;
            this.encoderPackage = encoderPackage;
        }

        Optional<String> decoder() {
            return first(ListType.DECODER, PadDirection.SINK);
        }

        Optional<String> encoder() {
            return first(ListType.VIDEO_ENCODER, PadDirection.SRC);
        }

        private Optional<String> first(ListType type, PadDirection direction) {
            return ElementFactory.listGetElementsFilter(type, Rank.MARGINAL, Caps.fromString(caps), direction, false)
                    .stream()
                    .map(ElementFactory::getName)
                    .findFirst();
        }
    }

    /** What pipelines read that are made for one format; the others are judged by H.264. */
    private static final Map<String, Format> READS = Map.of("camera", Format.MJPEG, "dvd", Format.MPEG2);

    /** Formats that {@code qpu transcode} and the ready pipelines write. */
    private static final List<Format> WRITTEN = List.of(Format.H264, Format.HEVC, Format.VP8, Format.VP9, Format.AV1);

    /**
     * One finding.
     *
     * @param subject what was looked at
     * @param finding what was found, or what is lacking
     * @param cure what to do; empty if nothing is lacking
     */
    public record Finding(String subject, String finding, Optional<String> cure) {
        public boolean isWhole() {
            return cure.isEmpty();
        }
    }

    private final VideoSinks.Found window;
    private final List<Finding> pipelines;

    private Readiness(VideoSinks.Found window, List<Finding> pipelines) {
        this.window = window;
        this.pipelines = List.copyOf(pipelines);
    }

    /**
     * Looks at this machine, and opens a small window for a moment if there is a display.
     *
     * @throws org.gstqpu.pipelines.cli.CommandFailedException if GStreamer or the plugin is missing
     */
    public static Readiness look(Installation installation) {
        GStreamer.start(installation);
        VideoSinks.Found window = VideoSinks.find(System.getenv());
        List<Finding> pipelines = new ArrayList<>();
        for (ReadyPipeline ready : ReadyPipeline.all(installation)) {
            pipelines.add(look(ready, window));
        }
        return new Readiness(window, pipelines);
    }

    private static Finding look(ReadyPipeline ready, VideoSinks.Found window) {
        Set<String> elements = ready.elements();
        List<String> absent =
                elements.stream().filter(element -> !GStreamer.has(element)).toList();
        if (!absent.isEmpty()) {
            return new Finding(
                    ready.name(),
                    "not installed: " + String.join(", ", absent),
                    Optional.of("it needs " + ready.needs()));
        }
        Format read = READS.getOrDefault(ready.name(), Format.H264);
        if (elements.stream().anyMatch(DECODING::contains) && read.decoder().isEmpty()) {
            return new Finding(
                    ready.name(), "no decoder of " + read.title, Optional.of("apt install " + read.decoderPackage));
        }
        if (elements.stream().anyMatch(ENCODING::contains)
                && WRITTEN.stream().allMatch(format -> format.encoder().isEmpty())) {
            return new Finding(ready.name(), "no encoder", Optional.of("apt install " + Format.H264.encoderPackage));
        }
        if (elements.contains(VideoSinks.WINDOW) && window.sink().isEmpty()) {
            return new Finding(ready.name(), "no window opens", Optional.of(window.cure()));
        }
        return new Finding(ready.name(), ready.usage(), Optional.empty());
    }

    /** Whether a window opens, and by which element. */
    public Finding window() {
        return new Finding(
                "window", window.finding(), window.sink().isPresent() ? Optional.empty() : Optional.of(window.cure()));
    }

    /** The decoders of video that GStreamer would take, or the formats that have none. */
    public Finding decoders() {
        Map<Boolean, List<Format>> formats = Arrays.stream(Format.values())
                .collect(Collectors.partitioningBy(format -> format.decoder().isPresent()));
        return codecs(
                "decoders",
                formats.get(true).stream()
                        .map(format -> format.title + " " + format.decoder().orElseThrow()),
                formats.get(false),
                formats.get(false).stream().map(format -> format.decoderPackage));
    }

    /** The encoders of video that GStreamer would take; only H.264 is looked for: it is in every ready pipeline that encodes. */
    public Finding encoders() {
        List<Format> absent = Format.H264.encoder().isPresent() ? List.of() : List.of(Format.H264);
        return codecs(
                "encoders",
                WRITTEN.stream()
                        .filter(format -> format.encoder().isPresent())
                        .map(format -> format.title + " " + format.encoder().orElseThrow()),
                absent,
                absent.stream().map(format -> format.encoderPackage));
    }

    private static Finding codecs(
            String subject, Stream<String> present, List<Format> absent, Stream<String> packages) {
        String found = present.collect(Collectors.joining(", "));
        if (absent.isEmpty()) {
            return new Finding(subject, found, Optional.empty());
        }
        String lacking = absent.stream().map(format -> format.title).collect(Collectors.joining(", "));
        return new Finding(
                subject,
                "none of " + lacking + (found.isEmpty() ? "" : "; there is " + found),
                Optional.of("apt install " + packages.distinct().collect(Collectors.joining(" "))));
    }

    /** The ready pipelines, by name. */
    public List<Finding> pipelines() {
        return pipelines;
    }
}
