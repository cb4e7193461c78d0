package org.gstqpu.plugin;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.gstqpu.kernels.DmabufPicture;
import org.gstqpu.kernels.PictureLayout;
import org.gstqpu.kernels.PixelFormat;

/**
 * Finds where the planes of pictures in dmabufs lie, without mapping them; owns the native memory that this takes. Belongs
 * to the streaming thread; closed by the element. In the steady state (planes that lie the same from frame to frame)
 * nothing is allocated.
 *
 * <p>A buffer's GstVideoMeta is honoured, in size, offsets and strides; each plane may lie in a GstMemory of its own.
 */
final class DmabufFrame implements AutoCloseable {
    /** Offsets in GstVideoMeta. */
    static final int META_WIDTH = 36;

    static final int META_HEIGHT = 40;
    static final int META_PLANES = 44;
    static final int META_OFFSET = 48;
    static final int META_STRIDE = 80;

    /** As much of a GstVideoMeta as is read. */
    private static final int META_BYTES = META_STRIDE + 4 * Integer.BYTES;

    /** Offset of GstMemory.parent, and as much of a GstMemory as is read. */
    static final int MEMORY_PARENT = 72;

    private static final int MEMORY_BYTES = MEMORY_PARENT + Long.BYTES;
    private static final int MAX_PLANES = 3;

    /** Places in {@link #scratch}: results of calls, then the copy of a struct. */
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
    private PictureLayout layout;

    /**
     * Finds a picture of the stream that {@code info} describes.
     *
     * @param buffer a GstBuffer, not referenced
     * @return false where a part of it is no dmabuf, or no such picture is there: mapping it then says what is wrong
     */
    boolean locate(VideoInfo info, long buffer) {
        PixelFormat format = info.format();
        int width = info.width();
        int height = info.height();
        long meta = GstVideoLibrary.gst_buffer_get_video_meta(buffer);
        if (meta == 0) {
            for (int plane = 0; plane < format.planes(); plane++) {
                offsets[plane] = info.offset(plane);
                strides[plane] = info.stride(plane);
            }
        } else {
            GstVideoLibrary.memcpy(address + STRUCT, meta, META_BYTES);
            width = scratch.getInt(STRUCT + META_WIDTH);
            height = scratch.getInt(STRUCT + META_HEIGHT);
            if (scratch.getInt(STRUCT + META_PLANES) != format.planes()) {
                return false;
            }
            for (int plane = 0; plane < format.planes(); plane++) {
                offsets[plane] = scratch.getLong(STRUCT + META_OFFSET + Long.BYTES * plane);
                strides[plane] = scratch.getInt(STRUCT + META_STRIDE + Integer.BYTES * plane);
            }
        }
        for (int plane = 0; plane < format.planes(); plane++) {
            if (!locatePlane(buffer, plane, format, width, height)) {
                return false;
            }
        }
        if (layout == null
                || layout.format() != format
                || layout.width() != width
                || layout.height() != height
                || !liesThere(layout)) {
            int planes = format.planes();
            layout = new PictureLayout(
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
        return true;
    }

    /** Turns the plane's offset in the buffer into one in its dmabuf, if it lies in one wholly. */
    private boolean locatePlane(long buffer, int plane, PixelFormat format, int width, int height) {
        long rowBytes = (long) format.planeRowSamples(plane, width) * format.sampleBytes();
        long planeBytes = (long) strides[plane] * (format.planeRows(plane, height) - 1) + rowBytes;
        if (width < 1
                || height < 1
                || strides[plane] < rowBytes
                || GstVideoLibrary.gst_buffer_find_memory(
                                buffer, offsets[plane], 1, address + INDEX, address + LENGTH, address + SKIP)
                        == 0) {
            return false;
        }
        long skip = scratch.getLong(SKIP);
        long part = GstVideoLibrary.gst_buffer_peek_memory(buffer, scratch.getInt(INDEX));
        if (GstVideoLibrary.gst_is_dmabuf_memory(part) == 0) {
            return false;
        }
        long sizeBytes = GstVideoLibrary.gst_memory_get_sizes(part, address + MEMORY_OFFSET, address + MAX_SIZE);
        if (planeBytes > sizeBytes - skip) {
            return false;
        }
        offsets[plane] = scratch.getLong(MEMORY_OFFSET) + skip;
        descriptors[plane] = GstVideoLibrary.gst_dmabuf_memory_get_fd(part);
        // A part of a memory, such as a parser or payloader hands on, is new with each buffer; the whole stays.
        GstVideoLibrary.memcpy(address + STRUCT, part, MEMORY_BYTES);
        long parent = scratch.getLong(STRUCT + MEMORY_PARENT);
        memories[plane] = parent != 0 ? parent : part;
        return true;
    }

    private boolean liesThere(PictureLayout cached) {
        for (int plane = 0; plane < cached.format().planes(); plane++) {
            if (cached.offsetBytes(plane) != offsets[plane] || cached.strideBytes(plane) != strides[plane]) {
                return false;
            }
        }
        return true;
    }

    /** Where the planes lie, counted from the start of the dmabuf; the same object while they lie the same. */
    PictureLayout layout() {
        return layout;
    }

    /** The GstMemory that lasts as long as a plane's dmabuf is the same one. */
    long memory(int plane) {
        return memories[plane];
    }

    /** Whether it comes from a pool of this element. */
    boolean isOwn() {
        for (int plane = 0; plane < layout.format().planes(); plane++) {
            if (GstQpuLibrary.gst_qpu_is_own_dmabuf(memories[plane]) == 0) {
                return false;
            }
        }
        return true;
    }

    /** The located picture, for a device to check. */
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
