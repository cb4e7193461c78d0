/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.memory;

import org.gstqpu.kernels.picture.PixelFormat;

/** How the samples of a row fill 32-bit words. The last word may be filled in part. Has no state. Any thread. */
public final class RowWords {
    private RowWords() {}

    private static int rowBytes(PixelFormat format, int plane, int width) {
        return format.planeRowSamples(plane, width) * format.sampleBytes();
    }

    /** Returns the number of words that hold a row of a plane. The picture is {@code width} luma samples wide. */
    public static int words(PixelFormat format, int plane, int width) {
        return (rowBytes(format, plane, width) + 3) / 4;
    }

    /** Returns a mask of those bits of the last word of a row that belong to samples. */
    public static int tailMask(PixelFormat format, int plane, int width) {
        int bytes = rowBytes(format, plane, width) % 4;
        return bytes == 0 ? -1 : (1 << (8 * bytes)) - 1;
    }
}
