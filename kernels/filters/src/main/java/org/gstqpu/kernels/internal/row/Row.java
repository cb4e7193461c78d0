/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.row;

import java.util.List;
import org.gstqpu.kernels.internal.stage.RowFilter;
import org.gstqpu.kernels.internal.stage.cdef.Cdef;
import org.gstqpu.kernels.internal.stage.deblock.Deblock;
import org.gstqpu.kernels.internal.stage.shrinkage.Shrink;
import org.gstqpu.kernels.internal.stage.time.Time;

/** The filters that a picture goes through. */
public final class Row {
    /** In the order in which they run. */
    public static final List<RowFilter> FILTERS = List.of(Deblock.FILTER, Cdef.FILTER, Shrink.FILTER, Time.FILTER);

    private Row() {}
}
