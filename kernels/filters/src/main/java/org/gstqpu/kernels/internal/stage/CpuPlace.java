/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.stage;

import org.gstqpu.kernels.picture.PictureLayout;

/** Where the CPU finds a picture. Owns nothing. Mutable, so that a picture allocates nothing. */
public final class CpuPlace {
    private long address;
    private PictureLayout layout;

    /** Sets this place to a picture whose layout's offsets count from {@code address}. Returns this place. */
    public CpuPlace set(long address, PictureLayout layout) {
        this.address = address;
        this.layout = layout;
        return this;
    }

    public long address() {
        return address;
    }

    public PictureLayout layout() {
        return layout;
    }

    /** Address of a row of a plane. */
    public long row(int plane, int row) {
        return address + layout.offsetBytes(plane) + (long) row * layout.strideBytes(plane);
    }
}
