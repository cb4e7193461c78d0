/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.picture;

/**
 * A picture: memory, and where the planes lie in it. An implementation may return another memory or layout for each frame, so
 * that one object serves a stream; both stay the same from {@code begin} until that picture is done. Owns nothing.
 */
public interface Picture {
    /** A picture that always lies in this memory, with this layout. Immutable, but the memory may be a view that moves. */
    static Picture of(PictureMemory memory, PictureLayout layout) {
        return new PlacedPicture(memory, layout);
    }

    /** The memory that holds the samples. */
    PictureMemory memory();

    /** Where the planes lie in {@link #memory}, and their format and size. */
    PictureLayout layout();
}
