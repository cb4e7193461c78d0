/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.filter;

/**
 * What temporal fusion has done. A field counts as a picture. Immutable.
 *
 * @param held pictures whose samples it keeps now, for those that come: those before, and those that wait
 * @param references how often a picture had another one to be fused with: each has up to four
 * @param dropped how often a guard left one of these out of a whole picture, such as at a cut; {@link #UNKNOWN} where a device decides that
 */
public record FusionCounts(int held, long references, long dropped) {
    /** What only the device knows. */
    public static final long UNKNOWN = -1;

    /** Before the first picture. */
    public static final FusionCounts NONE = new FusionCounts(0, 0, 0);

    /** What both have counted together. */
    public FusionCounts plus(FusionCounts more) {
        boolean known = dropped != UNKNOWN && more.dropped != UNKNOWN;
        return new FusionCounts(
                held + more.held, references + more.references, known ? dropped + more.dropped : UNKNOWN);
    }

    /** The same, when nothing is kept any more. */
    public FusionCounts released() {
        return new FusionCounts(0, references, dropped);
    }
}
