/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.plugin;

import java.util.Optional;
import org.gstqpu.kernels.picture.DeviceMemory;
import org.gstqpu.kernels.picture.Picture;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PictureMemory;
import org.gstqpu.plugin.ElementHost.ErrorCode;

/**
 * The input or the output of the filter: finds the picture in one buffer after the other and where the device can best have
 * it. Tries first, without mapping, a dmabuf that the device is let into; then maps the buffer. Owns what mapping takes;
 * belongs to the streaming thread and is closed by the element. Nothing is allocated in the steady state.
 */
final class FrameSide implements Picture, AutoCloseable {
    private final DmabufFrame dmabuf = new DmabufFrame();
    private final MappedFrame mapped;
    private final ImportCache imports;
    private DeviceMemory imported;
    private String problem = "";

    /** Where the device has the held picture; null before {@link #place}. */
    private PictureMemory placed;

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
        synchronized (imports.contextLock) {
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
        placed = null;
        refusal = "";
        mapped.unmap();
    }

    @Override
    public PictureLayout layout() {
        return imported != null ? dmabuf.layout() : mapped.layout();
    }

    @Override
    public PictureMemory memory() {
        return placed;
    }

    /** Finds where the device can best have the held picture: its {@link #memory}, until {@link #release}. */
    void place() {
        synchronized (imports.contextLock) {
            placed = imported != null ? imported : imports.place(mapped);
        }
    }

    /** Why a device has to copy the picture: a part of a sentence; empty where it does not. After {@link #place}. */
    Optional<String> copyReason() {
        synchronized (imports.contextLock) {
            return placed instanceof DeviceMemory memory
                    ? memory.obstacle(layout())
                    : Optional.of(refusal.isEmpty() ? imports.obstacle() : refusal);
        }
    }

    /** Tells the user that the held picture is copied, if it is in a dmabuf. */
    void copies() {
        if (!refusal.isEmpty()) {
            synchronized (imports.contextLock) {
                imports.copiesDmabuf(refusal);
            }
        }
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
