/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.plugin;

/** What C is told of a picture: {@code begin} and {@code finish} of gstqpuruntime.h return one of these, or another GstFlowReturn. */
final class Flow {
    /** The output holds the result. Different from every GstFlowReturn, and from the 0 that JNA returns if a callback throws. */
    static final int FILTERED = 1;

    /** The output must not be used before {@code finish}; or {@code finish} would block. */
    static final int PENDING = 2;

    /** The output may be passed on before {@code finish} to elements that wait for its fences. */
    static final int HANDED_OVER = 3;

    /** GST_BASE_TRANSFORM_FLOW_DROPPED: no buffer is pushed. */
    static final int DROPPED = 100;

    /** GST_FLOW_ERROR: the stream ends. */
    static final int ERROR = -5;

    private Flow() {}
}
