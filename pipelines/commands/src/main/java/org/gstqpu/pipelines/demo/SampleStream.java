/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.demo;

import java.nio.file.Path;
import org.gstqpu.pipelines.cli.CommandFailedException;
import org.gstqpu.pipelines.media.Ffmpeg;

/**
 * The demo's input: a video that ffmpeg draws, kept uncompressed as the reference, and that video as an H.264 stream. The stream is
 * coded coarsely and without a loop filter, so that its blocks are visible. Immutable.
 *
 * @param source YUV4MPEG2 file of the video
 * @param stream H.264 in Matroska
 */
record SampleStream(Path source, Path stream) {
    static final int WIDTH = 640;
    static final int HEIGHT = 360;

    /** Constant quantiser parameter of the stream. */
    static final int QP = 36;

    /** Of a fractal into which the camera moves and slow gradients: textures of every scale, sharp edges and soft areas. */
    private static final String SCENE =
            "gradients=size=%1$s:rate=25:seed=7:n=4:c0=0x20304a:c1=0xc8d8e8:c2=0xd09060:c3=0x486838:"
                    + "x0=0:y0=0:x1=639:y1=359:speed=0.02,format=gbrp[soft];"
                    + "mandelbrot=size=%1$s:rate=25:start_scale=0.3:end_scale=0.1:end_pts=250:maxiter=500,gblur=1,format=gbrp[sharp];"
                    + "[soft][sharp]blend=all_mode=average,scale=out_color_matrix=bt709,format=yuv420p";

    // The halves and the details of the picture that is to be looked at. Each is enlarged without interpolation.
    private static final String LOOK = "[0]select=eq(n\\,%1$d),split[b][bd];[1]select=eq(n\\,%1$d),split[a][ad];"
            + "[2]select=eq(n\\,%1$d)[sd];[b]crop=iw/2:ih:0:0[l];[a]crop=iw/2:ih:iw/2:0[r];"
            + "[l][r]hstack,scale=2*iw:2*ih:flags=neighbor[top];[bd]%2$s,pad=430:322:0:10[d1];"
            + "[ad]%2$s,pad=430:322:0:10[d2];[sd]%2$s,pad=420:322:0:10[d3];[d1][d2][d3]hstack=3[below];"
            + "[top][below]vstack,scale=in_color_matrix=bt709,format=rgb24";
    private static final String DETAIL = "crop=70:52:290:150,scale=420:312:flags=neighbor";

    /**
     * Draws and encodes a sample in {@code folder}; overwrites files there.
     *
     * @param frames length, 1 or more pictures
     * @throws CommandFailedException when ffmpeg is missing or fails
     */
    static SampleStream make(Path folder, int frames) {
        SampleStream sample = new SampleStream(folder.resolve("source.y4m"), folder.resolve("sample.mkv"));
        Ffmpeg.run("-f lavfi -i %s -frames:v %s %s", SCENE.formatted(WIDTH + "x" + HEIGHT), frames, sample.source);
        Ffmpeg.encodeWithoutLoopFilter(sample.source, QP, sample.stream);
        return sample;
    }

    /**
     * Writes an image of one picture: above, its left half before and its right half after filtering; below, a detail before,
     * after, and in the source.
     *
     * @param before YUV4MPEG2 file of the decoded pictures
     * @param after YUV4MPEG2 file of the filtered pictures
     * @param frame number of the picture, from 0
     * @param image a PNG file, which is overwritten
     * @throws CommandFailedException when ffmpeg is missing or fails
     */
    void draw(Path before, Path after, int frame, Path image) {
        Ffmpeg.run(
                "-i %s -i %s -i %s -filter_complex %s -frames:v 1 %s",
                before, after, source, LOOK.formatted(frame, DETAIL), image);
    }
}
