/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.picture;

import org.gstqpu.kernels.picture.HostMemory;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PictureMemory;
import org.gstqpu.kernels.picture.PixelFormat;

/**
 * What the pictures of a filter or a meter have in common, and so what each is checked for. Immutable.
 *
 * @param user what takes those pictures, a word that messages begin with
 * @param format of the pictures
 * @param width luma samples a row
 * @param height luma rows
 */
public record PictureKind(String user, PixelFormat format, int width, int height) {
    /**
     * Checks that a picture is of this kind, and its memory long enough for it.
     *
     * @param which the picture's part, as messages name it
     * @throws IllegalArgumentException when it is not
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
     * Where a picture begins for the CPU, which reads whole rows of memory of the process.
     *
     * @param which as above
     * @throws IllegalArgumentException when it is not of this kind, its memory is too small or none of the process's, or it lies
     *     in columns
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
}
