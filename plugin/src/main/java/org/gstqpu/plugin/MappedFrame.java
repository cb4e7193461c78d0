/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.plugin;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.gstqpu.kernels.picture.HostMemory;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PixelFormat;

/**
 * Owns a native GstVideoFrame, which maps one buffer at a time, and the layout of the mapped picture. Belongs to the streaming
 * thread; closed by the element. In the steady state (the same layout from frame to frame) mapping allocates nothing.
 *
 * <p>Size, offsets and strides come from a buffer's GstVideoMeta if it has one; each plane may then lie in a GstMemory of its own.
 * GStreamer merges a buffer of several GstMemory <em>without</em> GstVideoMeta: see {@link #mergedBytes}.
 */
final class MappedFrame implements AutoCloseable {
    /** sizeof (GstVideoFrame). */
    static final int SIZE_BYTES = 664;

    /** Offset of GstVideoFrame.info: the caps' GstVideoInfo with size and strides of the mapped buffer. */
    static final int INFO = 0;

    static final int META = 168;
    static final int DATA = 184;
    static final int MAP = 216;

    /** sizeof (GstMapInfo). */
    static final int MAP_BYTES = 104;

    static final int MAP_MEMORY = 0;
    static final int MAP_DATA = 16;
    static final int MAP_SIZE = 24;

    /** Offset of GstMemory.allocator. */
    static final int MEMORY_ALLOCATOR = 64;

    /** Offset of GstAllocator.mem_type. */
    static final int ALLOCATOR_TYPE = 88;

    private final int flags;
    private final Memory memory;
    private final ByteBuffer frame;
    private final HostMemory pixels = new HostMemory();
    private PictureLayout layout;
    private boolean mapped;
    private int memories;
    private long onlyMemory;
    private String problem = "";

    /**
     * Maps nothing yet.
     *
     * @param flags {@link GstVideoLibrary#MAP_READ} or {@link GstVideoLibrary#MAP_WRITE}
     */
    MappedFrame(int flags) {
        this.flags = flags | GstVideoLibrary.FRAME_MAP_NO_REF;
        memory = new Memory(SIZE_BYTES);
        memory.clear();
        frame = memory.getByteBuffer(0, SIZE_BYTES).order(ByteOrder.nativeOrder());
    }

    /**
     * Maps a buffer until {@link #unmap}.
     *
     * @param info describes the stream that the buffer belongs to
     * @param buffer a GstBuffer; no reference is taken, so the caller keeps it until {@link #unmap}
     * @return false, and nothing is mapped, if the buffer does not hold a picture of the stream; {@link #problem} says why
     */
    boolean map(VideoInfo info, long buffer) {
        if (!isOfStream(info, GstVideoLibrary.gst_buffer_get_video_meta(buffer))) {
            return false;
        }
        memories = GstVideoLibrary.gst_buffer_n_memory(buffer);
        if (GstVideoLibrary.gst_video_frame_map(Pointer.nativeValue(memory), info.address(), buffer, flags) == 0) {
            problem = "it has " + GstVideoLibrary.gst_buffer_get_size(buffer) + " bytes, a picture of " + info.format()
                    + " " + info.width() + "x" + info.height() + " has " + info.sizeBytes()
                    + ", or its memory cannot be mapped";
            return false;
        }
        mapped = true;
        boolean held = locate(info.format());
        if (!held) {
            unmap();
        }
        return held;
    }

    /**
     * False if a GstVideoMeta says a format or a size that no picture of the stream has. GStreamer maps any size that is not smaller, and
     * has a critical message for another format.
     */
    private boolean isOfStream(VideoInfo info, long meta) {
        if (meta == 0) {
            return true;
        }
        // The native frame is free until a buffer is mapped.
        GstVideoLibrary.memcpy(Pointer.nativeValue(memory), meta, DmabufFrame.META_BYTES);
        if (frame.getInt(DmabufFrame.META_FORMAT) != info.formatNumber()
                || frame.getInt(DmabufFrame.META_PLANES) != info.format().planes()) {
            problem = "its GstVideoMeta is of another format";
            return false;
        }
        int width = frame.getInt(DmabufFrame.META_WIDTH);
        int height = frame.getInt(DmabufFrame.META_HEIGHT);
        if (width >= info.width() && height >= info.height()) {
            return true;
        }
        problem = "its GstVideoMeta says " + Integer.toUnsignedString(width) + "x" + Integer.toUnsignedString(height)
                + ", and its caps " + info.width() + "x" + info.height();
        return false;
    }

    /** Ends the mapping; does nothing if no buffer is mapped. */
    void unmap() {
        if (mapped) {
            mapped = false;
            GstVideoLibrary.gst_video_frame_unmap(Pointer.nativeValue(memory));
        }
    }

    /** Finds the planes. False if a plane does not lie completely inside its memory; {@link #problem} says which one. */
    private boolean locate(PixelFormat format) {
        int width = frame.getInt(INFO + VideoInfo.WIDTH);
        int height = frame.getInt(INFO + VideoInfo.HEIGHT);
        long first = Long.MAX_VALUE;
        long end = 0;
        onlyMemory = merged() ? 0 : frame.getLong(MAP + MAP_MEMORY);
        for (int plane = 0; plane < format.planes(); plane++) {
            long data = data(plane);
            long stride = stride(plane);
            long rowBytes = (long) format.planeRowSamples(plane, width) * format.sampleBytes();
            long planeBytes = stride * (format.planeRows(plane, height) - 1) + rowBytes;
            int map = map(plane);
            long skippedBytes = data - frame.getLong(map + MAP_DATA);
            long mappedBytes = frame.getLong(map + MAP_SIZE) - skippedBytes;
            if (stride < rowBytes || skippedBytes < 0 || planeBytes > mappedBytes) {
                problem = "plane " + plane + " of " + format + " " + width + "x" + height + " with a stride of "
                        + stride + " bytes, at least " + rowBytes + ", takes " + planeBytes + " bytes, but "
                        + mappedBytes + " are there";
                return false;
            }
            if (frame.getLong(map + MAP_MEMORY) != onlyMemory) {
                onlyMemory = 0;
            }
            first = Math.min(first, data);
            end = Math.max(end, data + planeBytes);
        }
        if (onlyMemory != 0) {
            first = frame.getLong(MAP + MAP_DATA);
            end = first + frame.getLong(MAP + MAP_SIZE);
        }
        pixels.set(first, end - first);
        if (layout == null
                || layout.format() != format
                || layout.width() != width
                || layout.height() != height
                || !liesAt(layout, first)) {
            layout = layoutFrom(format, width, height, first);
        }
        return true;
    }

    /** Offset of a plane's GstMapInfo. Without GstVideoMeta the first mapping covers the whole buffer. */
    private int map(int plane) {
        return MAP + MAP_BYTES * (frame.getLong(META) == 0 ? 0 : plane);
    }

    private boolean merged() {
        return memories > 1 && frame.getLong(META) == 0;
    }

    private boolean liesAt(PictureLayout cached, long first) {
        for (int plane = 0; plane < cached.format().planes(); plane++) {
            if (cached.offsetBytes(plane) != data(plane) - first || cached.strideBytes(plane) != stride(plane)) {
                return false;
            }
        }
        return true;
    }

    private PictureLayout layoutFrom(PixelFormat format, int width, int height, long first) {
        int planes = format.planes();
        return new PictureLayout(
                format,
                width,
                height,
                data(0) - first,
                stride(0),
                planes > 1 ? data(1) - first : 0,
                planes > 1 ? stride(1) : 0,
                planes > 2 ? data(2) - first : 0,
                planes > 2 ? stride(2) : 0);
    }

    private long data(int plane) {
        return frame.getLong(DATA + Long.BYTES * plane);
    }

    private int stride(int plane) {
        return frame.getInt(INFO + VideoInfo.STRIDE + Integer.BYTES * plane);
    }

    /** The layout of the mapped picture in {@link #pixels}. The same object until the layout changes. */
    PictureLayout layout() {
        return layout;
    }

    /** The memory of the mapped picture: its GstMemory; or, if it has several, the address range that spans its planes. */
    HostMemory pixels() {
        return pixels;
    }

    /** The GstMemory that holds the whole mapped picture; 0 if there are several, or if it was merged for this mapping only. */
    long memory() {
        return onlyMemory;
    }

    /** True if the allocator of {@link #memory} has this name. */
    boolean isMemoryOf(String allocator) {
        Pointer of = new Pointer(onlyMemory).getPointer(MEMORY_ALLOCATOR);
        return of != null && allocator.equals(of.getPointer(ALLOCATOR_TYPE).getString(0, "UTF-8"));
    }

    /** Number of bytes that GStreamer copied to map the buffer: the buffer's size if it was merged, else 0. */
    long mergedBytes() {
        return merged() ? frame.getLong(MAP + MAP_SIZE) : 0;
    }

    /** Why the last {@link #map} returned false, as a part of a sentence whose subject is the buffer. */
    String problem() {
        return problem;
    }

    @Override
    public void close() {
        unmap();
        memory.close();
    }
}
