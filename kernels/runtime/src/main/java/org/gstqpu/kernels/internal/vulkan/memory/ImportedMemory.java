/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.memory;

import java.util.List;
import java.util.Optional;
import org.gstqpu.kernels.internal.vulkan.device.VulkanDevice;
import org.gstqpu.kernels.picture.DeviceMemory;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PictureMemory;

/**
 * Memory of pictures that a device uses through VkBuffers. Each implementation owns the buffers. Belongs to the context's
 * thread; closed before the context.
 */
public interface ImportedMemory extends DeviceMemory {
    /** The size of a load or store of the kernels. Each row must begin at a multiple of it. */
    int WORD_BYTES = 4;

    /** Returns true if this memory was imported into that device. */
    boolean belongsTo(VulkanDevice other);

    /**
     * Returns the whole buffer in which a plane lies. Planes in the same buffer have equal ranges.
     *
     * @throws IllegalStateException after {@link #close}
     */
    BufferRange range(int plane);

    /** Returns the bytes of the plane's buffer, counted from where the offsets of layouts count. */
    default long sizeBytes(int plane) {
        return sizeBytes();
    }

    /**
     * Returns the imports of the dmabufs that hold this memory; empty if none do. They give access to the fences of other
     * drivers.
     */
    default List<DmabufImport> dmabufs() {
        return List.of();
    }

    /** Returns true if a picture's memory is also used by drivers of other devices, which then own its buffers between two uses here. */
    static boolean isForeign(PictureMemory memory, VulkanDevice device) {
        return memory instanceof ImportedMemory imported && !imported.dmabufs().isEmpty() && device.canOwnForeign();
    }

    /** Returns an id that no other memory or buffer of the process ever has. */
    long id();

    /** Returns the byte of the buffer from which the offsets of layouts count. */
    long baseBytes();

    /** Returns true if each row begins at a multiple of {@link #WORD_BYTES}. */
    default boolean wordsOnly(PictureLayout layout) {
        for (int plane = 0; plane < layout.format().planes(); plane++) {
            if (!wordsOnly(baseBytes(), layout, plane)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Returns true if each row of a plane begins at a multiple of {@link #WORD_BYTES}. {@code baseBytes} is that of the memory.
     */
    static boolean wordsOnly(long baseBytes, PictureLayout layout, int plane) {
        return (baseBytes + layout.offsetBytes(plane)) % WORD_BYTES == 0 && layout.strideBytes(plane) % WORD_BYTES == 0;
    }

    /** Returns the offset of the end of the last word that holds a sample of a plane, counted as layouts count. */
    static long wordsEndBytes(PictureLayout layout, int plane) {
        int lastWord = (layout.rowBytes(plane) - 1) / WORD_BYTES * WORD_BYTES;
        return layout.offsetBytes(plane, layout.rows(plane) - 1, lastWord) + WORD_BYTES;
    }

    /** Returns true if all words that hold samples lie in this memory. */
    default boolean holdsWords(PictureLayout layout) {
        for (int plane = 0; plane < layout.format().planes(); plane++) {
            if (wordsEndBytes(layout, plane) > sizeBytes(plane)) {
                return false;
            }
        }
        return true;
    }

    @Override
    default Optional<String> obstacle(PictureLayout layout) {
        if (!wordsOnly(layout)) {
            return Optional.of("rows begin at multiples of " + WORD_BYTES + " bytes for this device, and these do not: "
                    + describe(layout) + "; take another stride or width");
        }
        for (int plane = 0; plane < layout.format().planes(); plane++) {
            if (wordsEndBytes(layout, plane) > sizeBytes(plane)) {
                return Optional.of("the picture takes " + wordsEndBytes(layout, plane) + " bytes, and "
                        + sizeBytes(plane) + " are there: " + describe(layout)
                        + "; correct its producer's GstVideoMeta, or its size");
            }
        }
        return Optional.empty();
    }

    /** Returns format, size, offsets and strides, for messages. */
    static String describe(PictureLayout layout) {
        StringBuilder text = new StringBuilder();
        text.append(layout.format())
                .append(' ')
                .append(layout.width())
                .append('x')
                .append(layout.height());
        for (int plane = 0; plane < layout.format().planes(); plane++) {
            text.append(plane == 0 ? ", plane " : "; ")
                    .append(plane)
                    .append(" at ")
                    .append(layout.offsetBytes(plane))
                    .append(" stride ")
                    .append(layout.strideBytes(plane));
            if (layout.isInColumns()) {
                text.append(" column height ").append(layout.columnBytes(plane) / PictureLayout.COLUMN_BYTES);
            }
        }
        return text.toString();
    }
}
