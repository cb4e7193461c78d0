package org.gstqpu.plugin;

import org.gstqpu.kernels.picture.DeviceMemory;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PictureMemory;
import org.gstqpu.plugin.ElementHost.ErrorCode;

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
    private String problem = "";

    /** The fields of the layout {@link #fieldsOf}. */
    private final PictureLayout[] fields = new PictureLayout[2];

    private PictureLayout fieldsOf;

    /** Why the dmabuf is copied that is held, empty where none is. */
    private String refusal = "";

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
     * @param columnHeight as {@link DmabufFrame#locate} takes it
     * @return false where the buffer does not hold such a picture; {@link #problem} says why
     * @throws ElementException where it is cut into columns and the device is not let into it
     */
    boolean hold(VideoInfo info, long buffer, boolean onDevice, int columnHeight) throws ElementException {
        boolean inColumns = columnHeight != DmabufFrame.WHOLE_ROWS;
        if (!onDevice && !inColumns) {
            return map(info, buffer, "");
        }
        if (!dmabuf.locate(info, buffer, columnHeight)) {
            problem = dmabuf.problem();
            return !inColumns && map(info, buffer, dmabuf.problem());
        }
        synchronized (imports) {
            imported = imports.place(dmabuf);
            if (imported != null) {
                return true;
            }
            if (inColumns) {
                throw new ElementException(
                        ErrorCode.RESOURCE_FAILED,
                        "Pictures in columns (SAND128) are filtered where they lie or not at all, and this one cannot be: "
                                + imports.obstacle() + "; have NV12 in rows there, if the element beside can");
            }
            refusal = imports.obstacle();
        }
        return map(info, buffer, refusal);
    }

    /** Maps the buffer; where that fails, what is known to be wrong with its dmabuf is the better explanation. */
    private boolean map(VideoInfo info, long buffer, String wrongWithDmabuf) {
        boolean held = mapped.map(info, buffer);
        problem = wrongWithDmabuf.isEmpty() ? mapped.problem() : wrongWithDmabuf;
        return held;
    }

    /** Ends {@link #hold}; does nothing where nothing is held. */
    void release() {
        imported = null;
        refusal = "";
        mapped.unmap();
    }

    /** Where the picture's planes lie in {@link #place}. */
    PictureLayout layout() {
        return imported != null ? dmabuf.layout() : mapped.layout();
    }

    /** Where one of its fields lies there, 0 or 1, which it {@linkplain PictureLayout#hasFields has}. */
    PictureLayout field(int field) {
        PictureLayout whole = layout();
        if (!whole.equals(fieldsOf)) {
            fields[0] = whole.field(0);
            fields[1] = whole.field(1);
            fieldsOf = whole;
        }
        return fields[field];
    }

    /** The picture as the device can best have it. The monitor of the imports is held. */
    PictureMemory place() {
        return imported != null ? imported : imports.place(mapped);
    }

    /** Takes notice that the picture held is copied, of which a dmabuf's user is told. The monitor of the imports is held. */
    void copies() {
        if (!refusal.isEmpty()) {
            imports.copiesDmabuf(refusal);
        }
    }

    /** Why the picture held has no place on the device: a part of a sentence. */
    String obstacle() {
        return refusal.isEmpty() ? imports.obstacle() : refusal;
    }

    /** Bytes that GStreamer copied to map the buffer. */
    long mergedBytes() {
        return imported != null ? 0 : mapped.mergedBytes();
    }

    /** Why the last {@link #hold} returned false: a part of a sentence, about the buffer. */
    String problem() {
        return problem;
    }

    @Override
    public void close() {
        release();
        try (mapped) {
            dmabuf.close();
        }
    }
}
