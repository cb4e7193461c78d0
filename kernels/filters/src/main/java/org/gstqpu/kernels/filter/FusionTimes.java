/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.filter;

import java.util.List;

/**
 * How long a device takes for a picture of one format and size, in nanoseconds. Immutable.
 *
 * @param without with automatic shrinkage of 8 shifts, and no temporal fusion
 * @param fused the same with temporal fusion, by the number of pictures that it looks {@linkplain TimeParameters#ahead ahead}. Ends before
 *     the first that the device cannot hold, or that takes more than {@link #MOST_TIMES} times as long as {@link #without}
 */
public record FusionTimes(long without, List<Long> fused) {
    /** Fusion that takes more times as long as no fusion was not measured to its end. */
    public static final int MOST_TIMES = 4;

    /** Makes the list unmodifiable. */
    public FusionTimes {
        fused = List.copyOf(fused);
    }
}
