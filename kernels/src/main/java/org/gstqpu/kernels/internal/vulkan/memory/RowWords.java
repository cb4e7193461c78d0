/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.memory;

import org.gstqpu.kernels.picture.PixelFormat;

/** How the samples of a row fill 32-bit words, the last of them perhaps in part. */
public final class RowWords {
    private RowWords() {}

    private static int rowBytes(PixelFormat format, int plane, int width) {
        return format.planeRowSamples(plane, width) * format.sampleBytes();
    }

    /** Words that hold a row of a picture {@code width} luma samples wide. */
    public static int words(PixelFormat format, int plane, int width) {
        return (rowBytes(format, plane, width) + 3) / 4;
    }

    /** The bits of a row's last word that are samples. */
    public static int tailMask(PixelFormat format, int plane, int width) {
        int bytes = rowBytes(format, plane, width) % 4;
        return bytes == 0 ? -1 : (1 << (8 * bytes)) - 1;
    }
}
