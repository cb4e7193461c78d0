/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.picture;

import java.util.List;

/**
 * A picture in dmabufs, as its producer describes it. {@link MemoryImporter#importDmabuf} checks the description. Immutable; owns nothing.
 *
 * @param descriptors file descriptors of dmabufs: one for all planes, or one for each plane, where planes may share one. They
 *     stay the caller's, who may close them after the import
 * @param layout where the planes lie; the offset of each counts from the start of its dmabuf
 */
public record DmabufPicture(List<Integer> descriptors, PictureLayout layout) {
    /**
     * Copies the list.
     *
     * @throws IllegalArgumentException when there is neither one descriptor nor one for each plane
     */
    public DmabufPicture {
        descriptors = List.copyOf(descriptors);
        if (descriptors.size() != 1 && descriptors.size() != layout.format().planes()) {
            throw new IllegalArgumentException(layout.format() + " takes 1 descriptor or "
                    + layout.format().planes() + ", given " + descriptors.size());
        }
    }

    /** A picture whose planes all lie in one dmabuf. */
    public static DmabufPicture of(int descriptor, PictureLayout layout) {
        return new DmabufPicture(List.of(descriptor), layout);
    }
}
