/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.play;

import java.util.Set;
import org.freedesktop.gstreamer.Caps;

/** What a stream of a file is for. */
enum StreamKind {
    VIDEO,
    SOUND,
    SUBTITLES,
    OTHER;

    private static final Set<String> SUBTITLE_TYPES = Set.of(
            "text/x-raw", "application/x-ssa", "application/x-ass", "application/x-usf", "application/x-teletext");

    /** The kind of a stream with these caps, coded or not. */
    static StreamKind of(Caps caps) {
        String type = caps.isEmpty() || caps.isAny() ? "" : caps.getStructure(0).getName();
        if (type.startsWith("video/") || type.startsWith("image/") || type.equals("application/x-yuv4mpeg")) {
            return VIDEO;
        }
        if (type.startsWith("audio/")) {
            return SOUND;
        }
        return type.startsWith("subpicture/") || type.startsWith("subtitle/") || SUBTITLE_TYPES.contains(type)
                ? SUBTITLES
                : OTHER;
    }
}
