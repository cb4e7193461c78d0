/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.measure;

import static org.lwjgl.system.MemoryUtil.memGetByte;
import static org.lwjgl.system.MemoryUtil.memGetShort;
import static org.lwjgl.system.MemoryUtil.memPutByte;
import static org.lwjgl.system.MemoryUtil.memPutShort;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntUnaryOperator;
import org.gstqpu.kernels.picture.HostMemory;
import org.gstqpu.kernels.picture.Picture;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PixelFormat;

/**
 * A video each of whose samples is replaced by another one: two zero bits below 8, as libvmaf compares videos of different depth, or
 * the same brightness or colour in another range. Owns the memory of one picture, not the video that it reads. Belongs to one thread.
 */
final class MappedVideo implements Video.Reader {
    private static final Map<PixelFormat, PixelFormat> RAISED = Map.of(
            PixelFormat.I420, PixelFormat.I420_10LE,
            PixelFormat.Y42B, PixelFormat.I422_10LE,
            PixelFormat.Y444, PixelFormat.Y444_10LE);

    private static final int ADDED_BITS = 2;

    // ITU-R BT.601, of samples of 8 bits.
    private static final int BLACK = 16;
    private static final int LUMA_STEPS = 219;
    private static final int CHROMA_STEPS = 224;

    private final Video video;
    private final Picture picture;
    private final short[] luma;
    private final short[] chroma;

    private MappedVideo(Video video, PixelFormat format, IntUnaryOperator luma, IntUnaryOperator chroma) {
        this.video = video;
        PictureLayout layout = PictureLayout.packed(
                format, video.layout().width(), video.layout().height(), format.sampleBytes());
        ByteBuffer samples = ByteBuffer.allocateDirect(Math.toIntExact(layout.sizeBytes()));
        picture = Picture.of(HostMemory.of(samples), layout);
        this.luma = table(luma);
        this.chroma = table(chroma);
    }

    private short[] table(IntUnaryOperator mapped) {
        short[] table = new short[1 << video.layout().format().bitDepth()];
        for (int i = 0; i < table.length; i++) {
            table[i] = (short) mapped.applyAsInt(i);
        }
        return table;
    }

    /** The video itself, or raised to the depth of another one that is like it but for its 10 bits. */
    static Video toDepthOf(Video other, Video video) {
        PixelFormat raised = RAISED.get(video.layout().format());
        if (raised == null || raised != other.layout().format()) {
            return video;
        }
        IntUnaryOperator raise = sample -> sample << ADDED_BITS;
        return new MappedVideo(video, raised, raise, raise).asVideo(video.isFullRange());
    }

    /** A video that has chroma, and is in the other range, in full range or in that of video. */
    static Video toRange(Video video, boolean full) {
        PixelFormat format = video.layout().format();
        int one = 1 << (format.bitDepth() - 8);
        int middle = 1 << (format.bitDepth() - 1);
        IntUnaryOperator luma = ranged(format.bitDepth(), full, LUMA_STEPS * one, BLACK * one, 0);
        IntUnaryOperator chroma = ranged(format.bitDepth(), full, CHROMA_STEPS * one, middle, middle);
        return new MappedVideo(video, format, luma, chroma).asVideo(full);
    }

    /** Samples of one range in the other: zero is what stands for black or for no colour. */
    private static IntUnaryOperator ranged(int bits, boolean toFull, int steps, int zero, int fullZero) {
        int most = (1 << bits) - 1;
        return toFull
                ? sample -> Math.max(
                        0, Math.min(most, (int) Math.round((sample - zero) * (double) most / steps) + fullZero))
                : sample -> (int) Math.round((sample - fullZero) * (double) steps / most) + zero;
    }

    private Video asVideo(boolean fullRange) {
        return new Video(
                video.name(), picture.layout(), video.rate(), video.colorimetry(), fullRange, video.pictures(), this);
    }

    @Override
    public Optional<Picture> next() {
        return video.next().map(this::map);
    }

    @Override
    public long nanos() {
        return video.nanos();
    }

    private Picture map(Picture from) {
        PictureLayout given = from.layout();
        PixelFormat format = picture.layout().format();
        for (int plane = 0; plane < given.format().planes(); plane++) {
            short[] table = plane == 0 ? luma : chroma;
            int width = given.rowBytes(plane) / given.format().sampleBytes();
            for (int y = 0; y < given.rows(plane); y++) {
                long in = address(from, plane, y);
                long out = address(picture, plane, y);
                for (int x = 0; x < width; x++) {
                    int sample = given.format().sampleBytes() == 1
                            ? memGetByte(in + x) & 0xff
                            : memGetShort(in + (long) Short.BYTES * x) & (table.length - 1);
                    if (format.sampleBytes() == 1) {
                        memPutByte(out + x, (byte) table[sample]);
                    } else {
                        memPutShort(out + (long) Short.BYTES * x, table[sample]);
                    }
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
    public void close() {
        video.close();
    }
}
