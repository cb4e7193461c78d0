/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.picture;

import java.util.List;

/**
 * A picture that lies in a dmabuf, or in one for each plane, as its producer describes it; nothing of it is believed before {@link
 * org.gstqpu.kernels.filter.FilterContext#importDmabuf FilterContext.importDmabuf} has checked it. Owns nothing.
 *
 * @param descriptors file descriptors of dmabufs, the same or others, one for each plane, or one for all; they stay the
 *     caller's, who may close them after the import
 * @param layout where the planes lie, each counted from the start of its dmabuf
 */
public record DmabufPicture(List<Integer> descriptors, PictureLayout layout) {
    /**
     * Takes a copy of the list.
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
}
