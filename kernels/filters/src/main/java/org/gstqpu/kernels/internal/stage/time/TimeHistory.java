/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.stage.time;

import org.gstqpu.kernels.picture.PixelFormat;

/** The last pictures of a sequence. Owned by the stage. */
final class TimeHistory {
    final TimeTurns turns;

    /** By entry. */
    private final PastPicture[] pictures;

    TimeHistory(PixelFormat format, int width, int height, int ahead) {
        turns = new TimeTurns(ahead);
        pictures = new PastPicture[turns.entries()];
        for (int i = 0; i < pictures.length; i++) {
            pictures[i] = new PastPicture(format, width, height);
        }
    }

    PastPicture at(int entry) {
        return pictures[entry];
    }

    /** Bytes of the pictures. */
    long bytes() {
        long bytes = 0;
        for (PastPicture picture : pictures) {
            bytes += picture.bytes();
        }
        return bytes;
    }
}
