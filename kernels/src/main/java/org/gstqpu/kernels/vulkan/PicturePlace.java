package org.gstqpu.kernels.vulkan;

import org.gstqpu.kernels.PictureLayout;

/**
 * Where the device finds a picture: the buffer, the byte of it that offsets of the layout count from, and the layout.
 * Mutable, so that a frame allocates nothing; belongs to the context's thread.
 */
final class PicturePlace {
    private long id;
    private BufferRange range;
    private long baseBytes;
    private PictureLayout layout;

    /**
     * @param id unique among all buffers that the context ever had, since Vulkan may give a handle out again
     */
    PicturePlace set(long id, BufferRange range, long baseBytes, PictureLayout layout) {
        this.id = id;
        this.range = range;
        this.baseBytes = baseBytes;
        this.layout = layout;
        return this;
    }

    long id() {
        return id;
    }

    BufferRange range() {
        return range;
    }

    long baseBytes() {
        return baseBytes;
    }

    PictureLayout layout() {
        return layout;
    }

    /** Index of the word that holds a plane's first sample. */
    int offsetWords(int plane) {
        return (int) ((baseBytes + layout.offsetBytes(plane)) / 4);
    }

    int strideWords(int plane) {
        return layout.strideBytes(plane) / 4;
    }
}
