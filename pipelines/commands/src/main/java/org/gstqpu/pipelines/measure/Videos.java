/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.measure;

import java.util.Optional;
import org.gstqpu.pipelines.cli.Installation;
import org.gstqpu.pipelines.play.GStreamer;

/** Chooses what reads a video. Stateless. */
final class Videos {
    private Videos() {}

    /**
     * Opens a video: a file of YUV4MPEG2, or whatever GStreamer decodes.
     *
     * @param input a file or an address
     * @param conversion what it is converted to; empty for the video as it is
     * @throws org.gstqpu.pipelines.cli.CommandFailedException when it holds no video that can be decoded or converted
     */
    static Video open(String input, Optional<Conversion> conversion) {
        if (Y4mVideo.isOne(input) && conversion.isEmpty()) {
            return Y4mVideo.open(input);
        }
        GStreamer.start(Installation.current());
        Video decoded = DecodedVideo.open(input, conversion);
        return conversion.map(wanted -> wanted.range().of(decoded)).orElse(decoded);
    }
}
