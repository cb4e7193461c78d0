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

/** Memory of pictures that the device has a VkBuffer over. Belongs to the context's thread. */
public interface ImportedMemory extends DeviceMemory {
    /** What the kernels load and store, and so what every row begins at a multiple of. */
    int WORD_BYTES = 4;

    /** Whether it was imported into that device. */
    boolean belongsTo(VulkanDevice other);

    /**
     * The whole buffer that a plane lies in; equal for planes in the same buffer.
     *
     * @throws IllegalStateException after {@link #close}
     */
    BufferRange range(int plane);

    /** How long the buffer that a plane lies in is, from where layouts count. */
    default long sizeBytes(int plane) {
        return sizeBytes();
    }

    /** The dmabufs behind it, through which fences of other drivers are reached. */
    default List<DmabufImport> dmabufs() {
        return List.of();
    }

    /** Unique among all buffers of the process. */
    long id();

    /** Bytes from the buffer's start to where layouts count from. */
    long baseBytes();

    /** Whether every row begins at a word. */
    default boolean wordsOnly(PictureLayout layout) {
        for (int plane = 0; plane < layout.format().planes(); plane++) {
            if (!wordsOnly(baseBytes(), layout, plane)) {
                return false;
            }
        }
        return true;
    }

    /** Whether every row of a plane begins at a word. */
    static boolean wordsOnly(long baseBytes, PictureLayout layout, int plane) {
        return (baseBytes + layout.offsetBytes(plane)) % WORD_BYTES == 0 && layout.strideBytes(plane) % WORD_BYTES == 0;
    }

    /** Bytes from where layouts count from to the end of the last word that holds a sample of a plane. */
    static long wordsEndBytes(PictureLayout layout, int plane) {
        int lastWord = (RowWords.words(layout.format(), plane, layout.width()) - 1) * WORD_BYTES;
        return layout.offsetBytes(plane, layout.rows(plane) - 1, lastWord) + WORD_BYTES;
    }

    /** Whether all words that hold samples lie in the memory. */
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

    /** Sizes, offsets and strides, as messages show them. */
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
