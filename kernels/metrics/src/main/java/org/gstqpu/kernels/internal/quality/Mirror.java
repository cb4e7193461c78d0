/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.quality;

/** Which sample stands for one beyond the end of a row or column. */
public final class Mirror {
    private Mirror() {}

    /** Mirrored at the first and the last sample, which are not repeated. At most {@code size - 1} beyond an end. */
    public static int index(int at, int size) {
        if (at < 0) {
            return -at;
        }
        return at < size ? at : 2 * size - 2 - at;
    }
}
