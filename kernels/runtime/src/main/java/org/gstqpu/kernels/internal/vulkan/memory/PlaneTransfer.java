/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.memory;

import static org.lwjgl.system.MemoryUtil.memCopy;

import org.gstqpu.kernels.picture.PictureLayout;

/** Copies pictures between the user's memory and staging memory, on the CPU. Has no state. Any thread. */
public final class PlaneTransfer {
    private PlaneTransfer() {}

    /**
     * Copies the samples of a picture.
     *
     * @param source address from which the offsets of {@code sourceLayout} count
     * @param destination address from which the offsets of {@code destinationLayout} count
     * @param keepPadding true if the bytes between the rows of the destination must not change
     * @return the bytes of the samples
     * @throws IllegalArgumentException if one of the pictures is packed: only a device unpacks
     */
    public static long copy(
            long source,
            PictureLayout sourceLayout,
            long destination,
            PictureLayout destinationLayout,
            boolean keepPadding) {
        if (sourceLayout.isPacked() || destinationLayout.isPacked()) {
            throw new IllegalArgumentException("the CPU takes no picture with three samples in a word");
        }
        long samples = 0;
        for (int plane = 0; plane < sourceLayout.format().planes(); plane++) {
            long from = source + sourceLayout.offsetBytes(plane);
            long to = destination + destinationLayout.offsetBytes(plane);
            int fromStride = sourceLayout.strideBytes(plane);
            int toStride = destinationLayout.strideBytes(plane);
            int rowBytes = sourceLayout.rowBytes(plane);
            int rows = sourceLayout.rows(plane);
            samples += (long) rows * rowBytes;
            if (sourceLayout.isInColumns() || destinationLayout.isInColumns()) {
                copyColumns(source, sourceLayout, destination, destinationLayout, plane);
            } else if (fromStride == toStride && (fromStride == rowBytes || !keepPadding)) {
                memCopy(from, to, (long) (rows - 1) * fromStride + rowBytes);
            } else {
                for (int row = 0; row < rows; row++) {
                    memCopy(from, to, rowBytes);
                    from += fromStride;
                    to += toStride;
                }
            }
        }
        return samples;
    }

    /** Copies a plane that is stored in columns in the source, in the destination, or in both. */
    private static void copyColumns(
            long source, PictureLayout sourceLayout, long destination, PictureLayout destinationLayout, int plane) {
        int rowBytes = sourceLayout.rowBytes(plane);
        for (int row = 0; row < sourceLayout.rows(plane); row++) {
            for (int at = 0; at < rowBytes; at += PictureLayout.COLUMN_BYTES) {
                memCopy(
                        source + sourceLayout.offsetBytes(plane, row, at),
                        destination + destinationLayout.offsetBytes(plane, row, at),
                        Math.min(PictureLayout.COLUMN_BYTES, rowBytes - at));
            }
        }
    }
}
