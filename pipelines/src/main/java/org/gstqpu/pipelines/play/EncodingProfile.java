/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.play;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.freedesktop.gstreamer.Caps;
import org.freedesktop.gstreamer.ElementFactory;
import org.freedesktop.gstreamer.ElementFactory.ListType;
import org.freedesktop.gstreamer.PadDirection;
import org.freedesktop.gstreamer.PluginFeature.Rank;
import org.gstqpu.pipelines.cli.CommandFailedException;
import org.gstqpu.pipelines.cli.ExitStatus;

/**
 * A kind of output file, with the formats of video and sound that it may contain. The formats are chosen from those that the
 * installed GStreamer can encode. Immutable; any thread, after {@link GStreamer#start}.
 *
 * @param suffixes suffixes of the names of such files
 * @param container caps of the container
 * @param videos caps of the video formats, best first
 * @param sounds caps of the sound formats, best first
 */
record EncodingProfile(List<String> suffixes, String container, List<String> videos, List<String> sounds) {
    private static final List<EncodingProfile> ALL = List.of(
            new EncodingProfile(
                    List.of(".mkv"),
                    "video/x-matroska",
                    List.of("video/x-h264", "video/x-h265", "video/x-vp8", "video/mpeg,mpegversion=4"),
                    List.of("audio/x-opus", "audio/mpeg,mpegversion=4", "audio/x-vorbis", "audio/x-flac")),
            new EncodingProfile(
                    List.of(".mp4", ".m4v"),
                    "video/quicktime,variant=iso",
                    List.of("video/x-h264", "video/x-h265", "video/mpeg,mpegversion=4"),
                    List.of("audio/mpeg,mpegversion=4", "audio/mpeg,mpegversion=1,layer=3")),
            new EncodingProfile(
                    List.of(".webm"),
                    "video/webm",
                    List.of("video/x-vp8", "video/x-vp9"),
                    List.of("audio/x-opus", "audio/x-vorbis")));

    /**
     * Properties of encoders whose default is a bit rate, which would fit only some picture sizes. They set a constant quality
     * instead. Values of enumerations are numbers.
     */
    private static final Map<String, String> QUALITY = Map.of(
            "x264enc", "pass=5,quantizer=21",
            "vp8enc", "end-usage=2,cq-level=12,target-bitrate=40000000,deadline=1,cpu-used=4",
            "vp9enc", "end-usage=2,cq-level=24,target-bitrate=40000000,deadline=1,cpu-used=4");

    EncodingProfile {
        suffixes = List.copyOf(suffixes);
        videos = List.copyOf(videos);
        sounds = List.copyOf(sounds);
    }

    /**
     * The encoding profile for an output file, as encodebin takes it for its property {@code profile}.
     *
     * @throws CommandFailedException when the suffix of the name is unknown, or no installed element can encode such a file
     */
    static String forFile(String file) {
        String name = file.toLowerCase(Locale.ROOT);
        for (EncodingProfile profile : ALL) {
            if (profile.suffixes.stream().anyMatch(name::endsWith)) {
                return profile.text(file);
            }
        }
        throw new CommandFailedException(
                ExitStatus.UNUSABLE_INPUT,
                file + ": the suffix selects the container; it is one of "
                        + ALL.stream()
                                .flatMap(profile -> profile.suffixes.stream())
                                .collect(Collectors.joining(", ")));
    }

    private String text(String file) {
        if (first(ListType.MUXER, container).isEmpty()) {
            throw missing(file, "container " + container, "gstreamer1.0-plugins-good");
        }
        String video = videos.stream()
                .filter(format -> first(ListType.VIDEO_ENCODER, format).isPresent())
                .findFirst()
                .orElseThrow(() -> missing(file, "video", "gstreamer1.0-plugins-good gstreamer1.0-plugins-ugly"));
        String quality = first(ListType.VIDEO_ENCODER, video)
                .map(encoder -> QUALITY.get(encoder.getName()))
                .map(properties -> "|element-properties," + properties)
                .orElse("");
        String sound = sounds.stream()
                .filter(format -> first(ListType.AUDIO_ENCODER, format).isPresent())
                .findFirst()
                .orElseThrow(() -> missing(file, "sound", "gstreamer1.0-plugins-base gstreamer1.0-libav"));
        return container + ":" + video + quality + ":" + sound;
    }

    private static CommandFailedException missing(String file, String what, String packages) {
        return new CommandFailedException(
                ExitStatus.UNAVAILABLE,
                file + ": no installed element encodes its " + what + ": apt install " + packages);
    }

    /** The element that encodebin would choose for a format: the one with the highest rank. */
    private static Optional<ElementFactory> first(ListType type, String format) {
        return ElementFactory.listGetElementsFilter(
                        type, Rank.MARGINAL, Caps.fromString(format), PadDirection.SRC, false)
                .stream()
                .findFirst();
    }
}
