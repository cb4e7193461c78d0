/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.quality;

import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PixelFormat;

/**
 * Format and size of a meter's pictures, whose rows are whole words of 4 bytes where the device reads them.
 *
 * @param layout a packed layout of such pictures, of which format and size count
 */
record PairShape(PictureLayout layout) {
    static final int WORD_BYTES = 4;

    /** Throws {@link IllegalArgumentException} for a size that the format does not allow. */
    static PairShape of(PixelFormat format, int width, int height) {
        return new PairShape(PictureLayout.packed(format, width, height, WORD_BYTES));
    }

    PixelFormat format() {
        return layout.format();
    }

    int width() {
        return layout.width();
    }

    int height() {
        return layout.height();
    }
}
