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
import org.gstqpu.kernels.picture.DmabufPicture;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PixelFormat;

/**
 * Finds the dmabufs and the layout of pictures without mapping them. Owns the native memory that this takes. Belongs to the
 * streaming thread; closed by the element. In the steady state (the same layout from frame to frame) nothing is allocated.
 *
 * <p>Size, offsets and strides come from a buffer's GstVideoMeta if it has one; each plane may lie in a GstMemory of its own. If
 * luma and chroma share columns, the caps give the column height, and the strides in GstVideoMeta mean nothing.
 */
final class DmabufFrame implements AutoCloseable {
    /** The column height of pictures that are not cut into columns. */
    static final int WHOLE_ROWS = -1;

    // Offsets of fields in GstVideoMeta.
    static final int META_FORMAT = 28;
    static final int META_WIDTH = 36;
    static final int META_HEIGHT = 40;
    static final int META_PLANES = 44;
    static final int META_OFFSET = 48;
    static final int META_STRIDE = 80;

    /** Number of bytes of a GstVideoMeta that are read. */
    static final int META_BYTES = META_STRIDE + 4 * Integer.BYTES;

    /** Offset of GstMemory.parent. */
    static final int MEMORY_PARENT = 72;

    /** Number of bytes of a GstMemory that are read. */
    private static final int MEMORY_BYTES = MEMORY_PARENT + Long.BYTES;

    private static final int MAX_PLANES = 3;

    // Offsets in the scratch memory: the results of native calls, then the copy of a struct.
    private static final int INDEX = 0;
    private static final int LENGTH = 8;
    private static final int SKIP = 16;
    private static final int MEMORY_OFFSET = 24;
    private static final int MAX_SIZE = 32;
    private static final int STRUCT = 40;

    private final Memory memory = new Memory(STRUCT + META_BYTES);
    private final long address = Pointer.nativeValue(memory);
    private final ByteBuffer scratch =
            memory.getByteBuffer(0, STRUCT + META_BYTES).order(ByteOrder.nativeOrder());
    private final long[] offsets = new long[MAX_PLANES];
    private final int[] strides = new int[MAX_PLANES];
    private final long[] memories = new long[MAX_PLANES];
    private final int[] descriptors = new int[MAX_PLANES];

    /** Number of rows of each plane's columns; unused if the picture is not cut into columns. */
    private final int[] columnRows = new int[MAX_PLANES];

    private PictureLayout layout;
    private String problem = "";

    /**
     * Finds the picture in a buffer.
     *
     * @param info describes the stream that the picture belongs to
     * @param buffer a GstBuffer; no reference is taken
     * @param columnHeight {@link #WHOLE_ROWS} if the picture is not cut into columns. If luma and chroma share columns: the rows of a
     *     column. If each plane has columns of its own, whose heights the buffer's GstVideoMeta tells: 0
     * @return false if the buffer holds no picture of the stream, or a part of the picture lies in no dmabuf. {@link #problem} says
     *     why, but is empty if the only reason is that a picture in whole rows lies in no dmabuf: it can be mapped then
     */
    boolean locate(VideoInfo info, long buffer, int columnHeight) {
        problem = "";
        PixelFormat format = info.format();
        int width = info.width();
        int height = info.height();
        long meta = GstVideoLibrary.gst_buffer_get_video_meta(buffer);
        if (meta != 0) {
            GstVideoLibrary.memcpy(address + STRUCT, meta, META_BYTES);
            width = scratch.getInt(STRUCT + META_WIDTH);
            height = scratch.getInt(STRUCT + META_HEIGHT);
            if (scratch.getInt(STRUCT + META_PLANES) != format.planes()) {
                return fail("its GstVideoMeta is of another format");
            }
            for (int plane = 0; plane < format.planes(); plane++) {
                offsets[plane] = scratch.getLong(STRUCT + META_OFFSET + Long.BYTES * plane);
                strides[plane] = scratch.getInt(STRUCT + META_STRIDE + Integer.BYTES * plane);
            }
        } else if (columnHeight == WHOLE_ROWS) {
            for (int plane = 0; plane < format.planes(); plane++) {
                offsets[plane] = info.offset(plane);
                strides[plane] = info.stride(plane);
            }
        } else if (columnHeight == 0) {
            return fail("it has no GstVideoMeta, and so no column heights");
        } else {
            // The layout that decoders write: two thirds of a column are luma.
            offsets[0] = 0;
            offsets[1] = columnHeight / 3 * 2L * PictureLayout.COLUMN_BYTES;
        }
        if (width < 1 || height < 1) {
            return fail("its GstVideoMeta says " + Integer.toUnsignedString(width) + "x"
                    + Integer.toUnsignedString(height));
        }
        boolean columns = columnHeight != WHOLE_ROWS;
        for (int plane = 0; plane < format.planes(); plane++) {
            if (columns) {
                strides[plane] = PictureLayout.COLUMN_BYTES;
                columnRows[plane] = columnHeight > 0 ? columnHeight : GstQpuLibrary.gst_qpu_column_rows(meta, plane);
                if (columnRows[plane] < format.planeRows(plane, height)) {
                    return fail("columns of " + columnRows[plane] + " rows do not hold the "
                            + format.planeRows(plane, height) + " of plane " + plane);
                }
            }
            if (!locatePlane(buffer, plane, format, width, height, columns)) {
                return false;
            }
        }
        if (layout == null
                || layout.format() != format
                || layout.width() != width
                || layout.height() != height
                || layout.isInColumns() != columns
                || !liesThere(layout)) {
            layout = columns
                    ? PictureLayout.inColumns(
                            format,
                            width,
                            height,
                            offsets[0],
                            columnRows[0] * PictureLayout.COLUMN_BYTES,
                            offsets[1],
                            columnRows[1] * PictureLayout.COLUMN_BYTES)
                    : inRows(format, width, height);
        }
        return true;
    }

    private PictureLayout inRows(PixelFormat format, int width, int height) {
        int planes = format.planes();
        return new PictureLayout(
                format,
                width,
                height,
                offsets[0],
                strides[0],
                planes > 1 ? offsets[1] : 0,
                planes > 1 ? strides[1] : 0,
                planes > 2 ? offsets[2] : 0,
                planes > 2 ? strides[2] : 0);
    }

    /** Turns the plane's offset in the buffer into an offset in its dmabuf. False if the plane does not lie in one dmabuf. */
    private boolean locatePlane(long buffer, int plane, PixelFormat format, int width, int height, boolean columns) {
        long samples = format.planeRowSamples(plane, width);
        long rowBytes = samples * format.sampleBytes();
        long before = 0;
        if (columns) {
            if (format.bitDepth() > 8) {
                // Three samples share a word.
                rowBytes =
                        (samples + PictureLayout.SAMPLES_PER_WORD - 1) / PictureLayout.SAMPLES_PER_WORD * Integer.BYTES;
            }
            long last = (rowBytes - 1) / PictureLayout.COLUMN_BYTES;
            before = last * columnRows[plane] * PictureLayout.COLUMN_BYTES;
            rowBytes -= last * PictureLayout.COLUMN_BYTES;
        }
        long planeBytes = before + (long) strides[plane] * (format.planeRows(plane, height) - 1) + rowBytes;
        if (strides[plane] < rowBytes) {
            return fail("plane " + plane + " has a stride of " + strides[plane] + " bytes, but rows of " + rowBytes);
        }
        if (GstVideoLibrary.gst_buffer_find_memory(
                        buffer, offsets[plane], 1, address + INDEX, address + LENGTH, address + SKIP)
                == 0) {
            return fail("plane " + plane + " begins at " + offsets[plane] + ", where the buffer has no bytes");
        }
        long skip = scratch.getLong(SKIP);
        long part = GstVideoLibrary.gst_buffer_peek_memory(buffer, scratch.getInt(INDEX));
        if (GstVideoLibrary.gst_is_dmabuf_memory(part) == 0) {
            // No problem is stated for whole rows: memory of any other kind can be mapped.
            return columns && fail("the memory of plane " + plane + " is no dmabuf");
        }
        long sizeBytes = GstVideoLibrary.gst_memory_get_sizes(part, address + MEMORY_OFFSET, address + MAX_SIZE);
        if (planeBytes > sizeBytes - skip) {
            return fail("plane " + plane + " takes " + planeBytes + " bytes, but " + (sizeBytes - skip) + " are there");
        }
        offsets[plane] = scratch.getLong(MEMORY_OFFSET) + skip;
        descriptors[plane] = GstVideoLibrary.gst_dmabuf_memory_get_fd(part);
        // A parser or payloader passes on parts of a memory. Each buffer has a new part, but its parent stays.
        GstVideoLibrary.memcpy(address + STRUCT, part, MEMORY_BYTES);
        long parent = scratch.getLong(STRUCT + MEMORY_PARENT);
        memories[plane] = parent != 0 ? parent : part;
        return true;
    }

    private boolean fail(String why) {
        problem = why;
        return false;
    }

    private boolean liesThere(PictureLayout cached) {
        for (int plane = 0; plane < cached.format().planes(); plane++) {
            if (cached.offsetBytes(plane) != offsets[plane]
                    || cached.strideBytes(plane) != strides[plane]
                    || (cached.isInColumns()
                            && cached.columnBytes(plane) != columnRows[plane] * PictureLayout.COLUMN_BYTES)) {
                return false;
            }
        }
        return true;
    }

    /** Why the last {@link #locate} returned false, as a part of a sentence whose subject is the buffer; or empty. */
    String problem() {
        return problem;
    }

    /** The layout of the located picture, with offsets from the start of the dmabuf. The same object until the layout changes. */
    PictureLayout layout() {
        return layout;
    }

    /** The GstMemory that exists for as long as the plane's dmabuf does. */
    long memory(int plane) {
        return memories[plane];
    }

    /** True if the located picture's dmabufs come from a pool of this element. */
    boolean isOwn() {
        for (int plane = 0; plane < layout.format().planes(); plane++) {
            if (GstQpuLibrary.gst_qpu_is_own_dmabuf(memories[plane]) == 0) {
                return false;
            }
        }
        return true;
    }

    /** The located picture, in the form in which a device imports it. */
    DmabufPicture picture() {
        Integer[] each = new Integer[layout.format().planes()];
        for (int plane = 0; plane < each.length; plane++) {
            each[plane] = descriptors[plane];
        }
        return new DmabufPicture(List.of(each), layout);
    }

    @Override
    public void close() {
        memory.close();
    }
}
