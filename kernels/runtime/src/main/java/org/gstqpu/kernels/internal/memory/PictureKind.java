/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.memory;

import org.gstqpu.kernels.picture.HostMemory;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PictureMemory;
import org.gstqpu.kernels.picture.PixelFormat;

/**
 * The format and size that a filter or a meter takes, and the check of each picture against them. Immutable.
 *
 * @param user what takes the pictures, as messages name it: "filter" or "meter"
 * @param format of the pictures
 * @param width luma samples a row
 * @param height luma rows
 */
public record PictureKind(String user, PixelFormat format, int width, int height) {
    /**
     * Checks that a picture has this format and size, and that its memory is long enough.
     *
     * @param which the picture's role, as messages name it
     * @throws IllegalArgumentException if the picture does not fit
     */
    public void check(String which, PictureMemory memory, PictureLayout layout) {
        if (layout.format() != format || layout.width() != width || layout.height() != height) {
            throw new IllegalArgumentException("this " + user + " is for " + format + " " + width + "x" + height
                    + ", the " + which + " picture is " + layout.format() + " " + layout.width() + "x"
                    + layout.height());
        }
        if (memory.sizeBytes() < layout.sizeBytes()) {
            throw new IllegalArgumentException("the " + which + " picture needs " + layout.sizeBytes()
                    + " bytes, its memory has " + memory.sizeBytes());
        }
    }

    /**
     * Returns the address of a picture for the CPU, which reads whole rows of the process's memory.
     *
     * @param which the picture's role, as messages name it
     * @throws IllegalArgumentException if the picture is not of this kind, if its memory is too small or not the
     *     process's, or if it lies in columns
     */
    public long address(String which, PictureMemory memory, PictureLayout layout) {
        check(which, memory, layout);
        if (layout.isInColumns()) {
            throw new IllegalArgumentException("the CPU takes whole rows, and the " + which + " picture is in columns");
        }
        if (!(memory instanceof HostMemory host)) {
            throw new IllegalArgumentException("the CPU cannot read the " + which + " picture's memory: " + memory);
        }
        return host.address();
    }

    /**
     * Checks that no plane of one picture overlaps a plane of the other. Pictures as a whole may interleave, because the planes of a
     * picture may lie anywhere.
     *
     * @param from address of the source's memory
     * @param to address of the destination's memory; both count from the same start
     * @throws IllegalArgumentException if they overlap
     */
    public static void checkApart(long from, PictureLayout source, long to, PictureLayout destination) {
        for (int a = 0; a < source.format().planes(); a++) {
            long sourceFirst = from + source.offsetBytes(a);
            for (int b = 0; b < destination.format().planes(); b++) {
                long destinationFirst = to + destination.offsetBytes(b);
                if (sourceFirst < destinationFirst + planeBytes(destination, b)
                        && destinationFirst < sourceFirst + planeBytes(source, a)) {
                    throw new IllegalArgumentException("source and destination overlap");
                }
            }
        }
    }

    /** Bytes from a plane's first sample to the end of its last. */
    private static long planeBytes(PictureLayout layout, int plane) {
        return layout.offsetBytes(plane, layout.rows(plane) - 1, layout.rowBytes(plane) - 1)
                + 1
                - layout.offsetBytes(plane);
    }
}
