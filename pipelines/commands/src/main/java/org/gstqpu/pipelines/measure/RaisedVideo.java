/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.measure;

import static org.lwjgl.system.MemoryUtil.memGetByte;
import static org.lwjgl.system.MemoryUtil.memPutShort;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import org.gstqpu.kernels.picture.HostMemory;
import org.gstqpu.kernels.picture.Picture;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PixelFormat;

/**
 * A video of 8 bits a sample with two zero bits below each sample, as libvmaf compares videos of different depth. Owns the memory of
 * one picture, not the video that it reads. Belongs to one thread.
 */
final class RaisedVideo implements Video.Reader {
    private static final Map<PixelFormat, PixelFormat> RAISED = Map.of(
            PixelFormat.I420, PixelFormat.I420_10LE,
            PixelFormat.Y42B, PixelFormat.I422_10LE,
            PixelFormat.Y444, PixelFormat.Y444_10LE);

    private static final int ADDED_BITS = 2;

    private final Video video;
    private final Picture picture;

    private RaisedVideo(Video video, PixelFormat format) {
        this.video = video;
        PictureLayout layout = PictureLayout.packed(
                format, video.layout().width(), video.layout().height(), Short.BYTES);
        ByteBuffer samples = ByteBuffer.allocateDirect(Math.toIntExact(layout.sizeBytes()));
        picture = Picture.of(HostMemory.of(samples), layout);
    }

    /** The video itself, or raised to the depth of another one that is like it but for its 10 bits. */
    static Video toDepthOf(Video other, Video video) {
        PixelFormat raised = RAISED.get(video.layout().format());
        if (raised == null || raised != other.layout().format()) {
            return video;
        }
        RaisedVideo reader = new RaisedVideo(video, raised);
        return new Video(
                video.name(),
                reader.picture.layout(),
                video.rate(),
                video.colorimetry(),
                video.isFullRange(),
                video.pictures(),
                reader);
    }

    @Override
    public Optional<Picture> next() {
        return video.next().map(this::raise);
    }

    @Override
    public long nanos() {
        return video.nanos();
    }

    private Picture raise(Picture from) {
        PictureLayout given = from.layout();
        for (int plane = 0; plane < given.format().planes(); plane++) {
            int width = given.rowBytes(plane);
            for (int y = 0; y < given.rows(plane); y++) {
                long in = address(from, plane, y);
                long out = address(picture, plane, y);
                for (int x = 0; x < width; x++) {
                    memPutShort(out + (long) Short.BYTES * x, (short) ((memGetByte(in + x) & 0xff) << ADDED_BITS));
                }
            }
        }
        return picture;
    }

    private static long address(Picture picture, int plane, int row) {
        PictureLayout layout = picture.layout();
        return ((HostMemory) picture.memory()).address()
                + layout.offsetBytes(plane)
                + (long) row * layout.strideBytes(plane);
    }

    @Override
    public void close() {}
}
