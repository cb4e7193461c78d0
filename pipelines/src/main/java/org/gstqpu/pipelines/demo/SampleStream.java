/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.demo;

import java.io.IOException;
import java.nio.file.Path;
import org.gstqpu.pipelines.cli.CommandFailedException;
import org.gstqpu.pipelines.media.Ffmpeg;
import org.gstqpu.pipelines.media.I420Picture;
import org.gstqpu.pipelines.media.Y4mWriter;

/**
 * The demo's input: a drawn scene, kept uncompressed as the reference, and that scene as an H.264 stream. The stream is coded
 * coarsely and without a loop filter, so that its blocks are visible. Immutable.
 *
 * @param source YUV4MPEG2 file of the scene
 * @param stream H.264 in Matroska
 */
record SampleStream(Path source, Path stream) {
    /** Constant quantiser parameter of the stream. */
    static final int QP = 36;

    /**
     * Draws and encodes a sample in {@code folder}; overwrites files there.
     *
     * @param frames length, 1 to 250 pictures
     * @throws CommandFailedException when ffmpeg is missing or fails
     * @throws IOException when the files cannot be written
     */
    static SampleStream make(Path folder, int width, int height, int frames) throws IOException {
        SampleStream sample = new SampleStream(folder.resolve("source.y4m"), folder.resolve("sample.mkv"));
        SampleScene scene = new SampleScene(width, height);
        I420Picture picture = new I420Picture(width, height);
        try (Y4mWriter writer = new Y4mWriter(sample.source, width, height, SampleScene.FRAMES_PER_SECOND)) {
            for (int frame = 0; frame < frames; frame++) {
                scene.draw(frame, picture);
                writer.write(picture);
            }
        }
        Ffmpeg.encodeWithoutLoopFilter(sample.source, QP, sample.stream);
        return sample;
    }
}
