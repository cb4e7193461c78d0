/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.compare;

import org.gstqpu.pipelines.media.I420Picture;

/** Converts samples to RGB, by ITU-R BT.709. Stateless. */
final class Rgb {
    private Rgb() {}

    /**
     * Returns the colour of a pixel.
     *
     * @param fullRange true if samples range from 0 to 255, false if they have the limited range
     * @return red in bits 16 to 23, green in bits 8 to 15, blue in bits 0 to 7
     */
    static int of(I420Picture picture, int x, int y, boolean fullRange) {
        double luma = fullRange ? picture.sample(0, x, y) : (picture.sample(0, x, y) - 16) * 255.0 / 219;
        double chromaScale = fullRange ? 1 : 255.0 / 224;
        double cb = (picture.sample(1, x / 2, y / 2) - 128) * chromaScale;
        double cr = (picture.sample(2, x / 2, y / 2) - 128) * chromaScale;
        int red = clip(luma + 1.5748 * cr);
        int green = clip(luma - 0.1873 * cb - 0.4681 * cr);
        int blue = clip(luma + 1.8556 * cb);
        return red << 16 | green << 8 | blue;
    }

    private static int clip(double value) {
        return (int) Math.max(0, Math.min(255, Math.round(value)));
    }
}
