/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.plugin;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.plugin.ElementHost.ErrorCode;

/**
 * Owns a native GstVideoInfo, which is made from the caps of a stream. Belongs to the streaming thread; closed by the element.
 *
 * <p>The offsets hold for 64-bit Linux, on amd64 and on arm64. GStreamer does not change them within 1.x.
 */
final class VideoInfo implements AutoCloseable {
    /** sizeof (GstVideoInfo). */
    static final int SIZE_BYTES = 152;

    static final int FINFO = 0;
    static final int INTERLACE_MODE = 8;
    static final int WIDTH = 16;
    static final int HEIGHT = 20;
    static final int SIZE = 24;
    static final int FPS_N = 64;
    static final int FPS_D = 68;
    static final int OFFSET = 72;
    static final int STRIDE = 104;
    static final int MULTIVIEW_MODE = 120;

    /** Offset of GstVideoFormatInfo.format. */
    static final int FORMAT_NUMBER = 0;

    /** Offset of GstVideoFormatInfo.name. */
    static final int FORMAT_NAME = 8;

    static final int INTERLACE_MODE_INTERLEAVED = 1;
    static final int INTERLACE_MODE_MIXED = 2;
    static final int INTERLACE_MODE_FIELDS = 3;
    static final int MULTIVIEW_MODE_SEPARATED = 34;

    private final Memory memory;
    private final ByteBuffer info;
    private PixelFormat format;
    private int formatNumber;

    VideoInfo() {
        memory = new Memory(SIZE_BYTES);
        info = memory.getByteBuffer(0, SIZE_BYTES).order(ByteOrder.nativeOrder());
    }

    /**
     * Adopts what the caps say.
     *
     * @param caps a GstCaps; no reference to it is kept
     * @throws ElementException if the caps are not of video that can be filtered
     */
    void set(long caps) throws ElementException {
        format = null;
        if (GstVideoLibrary.gst_video_info_from_caps(address(), caps) == 0) {
            throw new ElementException(
                    ErrorCode.STREAM_FORMAT, "The caps are not of raw video: put videoconvert before qpuloopfilter");
        }
        String name = readFormat();
        PixelFormat given = Stream.of(PixelFormat.values())
                .filter(one -> one.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new ElementException(
                        ErrorCode.STREAM_FORMAT,
                        String.format(
                                Locale.ROOT,
                                "Video in %s is not filtered, only %s is: put videoconvert before qpuloopfilter",
                                name,
                                List.of(PixelFormat.values()).stream()
                                        .map(Enum::name)
                                        .collect(Collectors.joining(", ")))));
        if (info.getInt(INTERLACE_MODE) == INTERLACE_MODE_FIELDS) {
            throw new ElementException(
                    ErrorCode.STREAM_NOT_IMPLEMENTED,
                    "Buffers that hold two fields apart (interlace-mode=fields) are not filtered:"
                            + " put deinterlace before qpuloopfilter");
        }
        if (info.getInt(MULTIVIEW_MODE) == MULTIVIEW_MODE_SEPARATED) {
            throw new ElementException(
                    ErrorCode.STREAM_NOT_IMPLEMENTED,
                    "Buffers that hold several views apart (multiview-mode=separated) are not filtered:"
                            + " put glviewconvert before qpuloopfilter");
        }
        if (width() > PictureLayout.LARGEST_SIDE || height() > PictureLayout.LARGEST_SIDE) {
            throw new ElementException(
                    ErrorCode.STREAM_FORMAT,
                    "Pictures of " + width() + "x" + height() + " are not filtered, only up to "
                            + PictureLayout.LARGEST_SIDE + "x" + PictureLayout.LARGEST_SIDE
                            + ": put videoscale before qpuloopfilter");
        }
        format = given;
    }

    /**
     * Adopts another GstVideoInfo.
     *
     * @param other its address; of video in a {@link PixelFormat}
     */
    void copy(long other) {
        GstVideoLibrary.memcpy(address(), other, SIZE_BYTES);
        format = PixelFormat.valueOf(readFormat());
    }

    /** Reads GStreamer's number of the format, and returns its name. */
    private String readFormat() {
        Pointer formatInfo = new Pointer(info.getLong(FINFO));
        formatNumber = formatInfo.getInt(FORMAT_NUMBER);
        return formatInfo.getPointer(FORMAT_NAME).getString(0, "US-ASCII");
    }

    /** Address of the native GstVideoInfo. */
    long address() {
        return Pointer.nativeValue(memory);
    }

    /** The pixel format; null before the first {@link #set}. */
    PixelFormat format() {
        return format;
    }

    /** GStreamer's number of the format, as a GstVideoMeta has it. */
    int formatNumber() {
        return formatNumber;
    }

    /** Number of luma samples in a row. */
    int width() {
        return info.getInt(WIDTH);
    }

    /** Number of luma rows. */
    int height() {
        return info.getInt(HEIGHT);
    }

    /** True if the caps say that each picture interleaves the rows of two fields of different times. */
    boolean isInterleaved() {
        return info.getInt(INTERLACE_MODE) == INTERLACE_MODE_INTERLEAVED;
    }

    /** True if the caps leave it to each buffer whether it is two fields, and this one is. */
    boolean isTwoFields(long buffer) {
        return info.getInt(INTERLACE_MODE) == INTERLACE_MODE_MIXED
                && (GstVideoLibrary.gst_buffer_get_flags(buffer) & GstVideoLibrary.BUFFER_FLAG_INTERLACED) != 0;
    }

    /** True if the buffer says that it does not continue the one before. */
    static boolean isDiscontinuous(long buffer) {
        return (GstVideoLibrary.gst_buffer_get_flags(buffer) & GstVideoLibrary.BUFFER_FLAG_DISCONT) != 0;
    }

    /** Nanoseconds from one picture to the next; 0 if the caps do not say. */
    long frameNanos() {
        long rate = info.getInt(FPS_N);
        return rate == 0 ? 0 : TimeUnit.SECONDS.toNanos(1) * info.getInt(FPS_D) / rate;
    }

    /** Byte offset of a plane in a buffer without GstVideoMeta. */
    long offset(int plane) {
        return info.getLong(OFFSET + Long.BYTES * plane);
    }

    /** Bytes from one row of a plane to the next row in a buffer without GstVideoMeta. */
    int stride(int plane) {
        return info.getInt(STRIDE + Integer.BYTES * plane);
    }

    /** Size in bytes of a buffer without GstVideoMeta. */
    long sizeBytes() {
        return info.getLong(SIZE);
    }

    @Override
    public void close() {
        memory.close();
    }
}
