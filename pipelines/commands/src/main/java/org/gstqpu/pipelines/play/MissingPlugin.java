/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.play;

import static org.gstqpu.pipelines.cli.CommandFailedException.unavailable;
import static org.gstqpu.pipelines.cli.CommandFailedException.unusable;

import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.freedesktop.gstreamer.Caps;
import org.freedesktop.gstreamer.Structure;
import org.gstqpu.pipelines.cli.CommandFailedException;

/**
 * What GStreamer lacks to go on, from the message {@code missing-plugin} of an element, with the Debian package that has it.
 * Immutable.
 *
 * @param what GStreamer's own words for it, such as {@code H.264 (High Profile) decoder}
 * @param debianPackage the package, or several, separated by spaces
 */
record MissingPlugin(String what, String debianPackage) {
    /** The structure's name, in the message and in the ones that it is found by. */
    private static final String NAME = "missing-plugin";

    private static final String BASE = "gstreamer1.0-plugins-base";
    private static final String GOOD = "gstreamer1.0-plugins-good";
    private static final String BAD = "gstreamer1.0-plugins-bad";
    private static final String LIBAV = "gstreamer1.0-libav";

    /** Packages that decode or demultiplex a type better than libav, or at all. */
    private static final Map<String, String> BY_TYPE = Map.ofEntries(
            Map.entry("video/x-vp8", GOOD),
            Map.entry("video/x-vp9", GOOD),
            Map.entry("image/jpeg", GOOD),
            Map.entry("image/png", GOOD),
            Map.entry("video/x-dv", GOOD),
            Map.entry("video/x-raw", BASE),
            Map.entry("audio/x-raw", BASE),
            Map.entry("video/x-theora", BASE),
            Map.entry("audio/x-opus", BASE),
            Map.entry("audio/x-vorbis", BASE),
            Map.entry("application/ogg", BASE),
            Map.entry("audio/x-flac", GOOD),
            Map.entry("video/x-matroska", GOOD),
            Map.entry("video/webm", GOOD),
            Map.entry("video/quicktime", GOOD),
            Map.entry("video/x-msvideo", GOOD),
            Map.entry("video/x-flv", GOOD),
            Map.entry("video/mpegts", BAD),
            Map.entry("video/x-av1", BAD),
            Map.entry("application/x-yuv4mpeg", BAD),
            Map.entry("application/x-hls", BAD),
            Map.entry("application/dash+xml", BAD),
            Map.entry("video/x-ms-asf", "gstreamer1.0-plugins-ugly"));

    /** Packages that read addresses of a protocol. */
    private static final Map<String, String> BY_PROTOCOL = Map.of(
            "http", GOOD, "https", GOOD, "rtsp", GOOD, "rtsps", GOOD, "udp", GOOD, "rtmp", BAD, "rtmps", BAD, "srt",
            BAD);

    /** Reads a message. Empty if it is about something else. */
    static Optional<MissingPlugin> of(Structure message) {
        if (message == null || !NAME.equals(message.getName())) {
            return Optional.empty();
        }
        String what = message.hasField("name") ? message.getString("name") : "an element";
        return Optional.of(new MissingPlugin(what, debianPackage(message)));
    }

    /** The failure of a command that cannot go on without it. */
    CommandFailedException failure() {
        if (debianPackage.isEmpty()) {
            return unusable("GStreamer has no " + what + ": name a file, or an address of "
                    + String.join(", ", new TreeSet<>(BY_PROTOCOL.keySet())));
        }
        return unavailable("GStreamer has no " + what + ": apt install " + debianPackage);
    }

    private static String debianPackage(Structure message) {
        Object detail = message.hasField("detail") ? message.getValue("detail") : null;
        if (detail instanceof Caps caps && !caps.isEmpty() && !caps.isAny()) {
            String type = caps.getStructure(0).getName();
            boolean stream = type.equals("video/mpeg")
                    && caps.getStructure(0).hasField("systemstream")
                    && Boolean.TRUE.equals(caps.getStructure(0).getValue("systemstream"));
            return stream ? BAD : BY_TYPE.getOrDefault(type, LIBAV);
        }
        return "urisource".equals(message.getString("type"))
                ? BY_PROTOCOL.getOrDefault(String.valueOf(detail), "")
                : String.join(" ", BASE, GOOD, BAD, LIBAV);
    }
}
