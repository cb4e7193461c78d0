/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.picture;

/** A picture: its memory, and where its planes lie in that memory. */
public interface Picture {
    /** A picture in this memory with this layout. */
    static Picture of(PictureMemory memory, PictureLayout layout) {
        return new PlacedPicture(memory, layout);
    }

    /** The memory that holds the samples. */
    PictureMemory memory();

    /** Where the planes lie in {@link #memory}. */
    PictureLayout layout();
}
