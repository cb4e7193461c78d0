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
 * The input side or the output side of the filter: holds one buffer at a time, and finds the picture in it and the memory in which
 * the device uses that picture. A dmabuf that the device can import is used without mapping; any other buffer is mapped. Owns the
 * native memory that this takes. Belongs to the streaming thread; closed by the element. Nothing is allocated in the steady state.
 */
final class FrameSide implements Picture, AutoCloseable {
    private final DmabufFrame dmabuf = new DmabufFrame();
    private final MappedFrame mapped;
    private final ImportCache imports;

    /** The dmabuf of the held picture; null if the picture is mapped instead. */
    private DeviceMemory imported;

    private String problem = "";

    /** The GstBuffer of the last {@link #hold}. */
    private long buffer;

    /** The memory in which the device uses the held picture; null before {@link #place}. */
    private PictureMemory placed;

    /** Why the held dmabuf has to be copied; empty if no dmabuf is held, or if it needs no copy. */
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
     * Holds a buffer, and finds the picture in it, until {@link #release}.
     *
     * @param info describes the stream that the picture belongs to
     * @param buffer a GstBuffer; no reference is taken, so the caller keeps it until {@link #release}
     * @param onDevice true if a device filters the picture, so that the buffer need not be mapped
     * @param columnHeight as {@link DmabufFrame#locate} takes it
     * @return false if the buffer does not hold a picture of the stream; {@link #problem} says why
     * @throws ElementException if the picture is cut into columns and the device cannot import it
     */
    boolean hold(VideoInfo info, long buffer, boolean onDevice, int columnHeight) throws ElementException {
        this.buffer = buffer;
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
                        "Pictures in columns (SAND128) can only be filtered where they lie, and this one cannot: "
                                + imports.obstacle() + "; use pictures in rows with that element, if it can");
            }
            refusal = imports.obstacle();
        }
        return map(info, buffer, refusal);
    }

    /** Maps the buffer. If that fails, a known problem of its dmabuf is a better explanation than the failed mapping. */
    private boolean map(VideoInfo info, long buffer, String wrongWithDmabuf) {
        boolean held = mapped.map(info, buffer);
        problem = wrongWithDmabuf.isEmpty() ? mapped.problem() : wrongWithDmabuf;
        return held;
    }

    /** Takes a reference of the held buffer that nobody gives back. Called between {@link #hold} and {@link #release}. */
    void keepForEver() {
        GstVideoLibrary.gst_mini_object_ref(buffer);
    }

    /**
     * Takes references of the held dmabufs that nobody gives back. Takes the place of {@link #keepForEver} where the buffer was passed
     * on, and may be gone.
     */
    void keepDmabufsForEver() {
        for (int plane = 0; plane < layout().format().planes(); plane++) {
            GstVideoLibrary.gst_mini_object_ref(dmabuf.memory(plane));
        }
    }

    /** Ends {@link #hold}; does nothing if no buffer is held. */
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

    /** Finds the memory in which the device uses the held picture: its {@link #memory} until {@link #release}. */
    void place() {
        synchronized (imports.contextLock) {
            placed = imported != null ? imported : imports.place(mapped);
        }
    }

    /** Why the picture has to be copied for a device, as a part of a sentence; empty if it need not be. Called after {@link #place}. */
    Optional<String> copyReason() {
        synchronized (imports.contextLock) {
            return placed instanceof DeviceMemory memory
                    ? memory.obstacle(layout())
                    : Optional.of(refusal.isEmpty() ? imports.obstacle() : refusal);
        }
    }

    /** Warns the user if the held picture lies in a dmabuf and is copied nevertheless. */
    void copies() {
        if (!refusal.isEmpty()) {
            synchronized (imports.contextLock) {
                imports.copiesDmabuf(refusal);
            }
        }
    }

    /** Number of bytes that GStreamer copied to map the buffer. */
    long mergedBytes() {
        return imported != null ? 0 : mapped.mergedBytes();
    }

    /** Why the last {@link #hold} returned false, as a part of a sentence whose subject is the buffer. */
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
