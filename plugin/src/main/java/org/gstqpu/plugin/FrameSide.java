package org.gstqpu.plugin;

import org.gstqpu.kernels.DeviceMemory;
import org.gstqpu.kernels.PictureLayout;
import org.gstqpu.kernels.PictureMemory;

/**
 * The input or the output of the filter: finds the picture in one buffer after the other and where the device can best have
 * it. Tries first, without mapping, a dmabuf that the device is let into; then maps the buffer. Owns what mapping takes;
 * belongs to the streaming thread and is closed by the element. Nothing is allocated in the steady state.
 */
final class FrameSide implements AutoCloseable {
    private final DmabufFrame dmabuf = new DmabufFrame();
    private final MappedFrame mapped;
    private final ImportCache imports;
    private DeviceMemory imported;

    /**
     * Holds no buffer yet.
     *
     * @param flags {@link GstVideoLibrary#MAP_READ} or {@link GstVideoLibrary#MAP_WRITE}
     */
    FrameSide(int flags, ImportCache imports) {
        mapped = new MappedFrame(flags);
        this.imports = imports;
    }

    /**
     * Finds the picture of the stream that {@code info} describes, until {@link #release}.
     *
     * @param buffer a GstBuffer, not referenced: the caller keeps it until {@link #release}
     * @param onDevice whether a device filters it, so that the CPU need not see it
     * @return false where the buffer does not hold such a picture; {@link #problem} says why
     */
    boolean hold(VideoInfo info, long buffer, boolean onDevice) {
        if (onDevice && dmabuf.locate(info, buffer)) {
            synchronized (imports) {
                imported = imports.place(dmabuf);
            }
            if (imported != null) {
                return true;
            }
        }
        return mapped.map(info, buffer);
    }

    /** Ends {@link #hold}; does nothing where nothing is held. */
    void release() {
        imported = null;
        mapped.unmap();
    }

    /** Where the picture's planes lie in {@link #place}. */
    PictureLayout layout() {
        return imported != null ? dmabuf.layout() : mapped.layout();
    }

    /** The picture as the device can best have it. The monitor of the imports is held. */
    PictureMemory place() {
        return imported != null ? imported : imports.place(mapped);
    }

    /** Bytes that GStreamer copied to map the buffer. */
    long mergedBytes() {
        return imported != null ? 0 : mapped.mergedBytes();
    }

    /** Why the last {@link #hold} returned false: a part of a sentence, about the buffer. */
    String problem() {
        return mapped.problem();
    }

    @Override
    public void close() {
        release();
        try (mapped) {
            dmabuf.close();
        }
    }
}
