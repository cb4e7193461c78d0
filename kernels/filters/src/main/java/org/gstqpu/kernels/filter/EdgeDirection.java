/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.filter;

/** Direction of an edge between blocks. */
public enum EdgeDirection {
    /** A vertical edge: samples left and right of it are filtered, along rows. */
    VERTICAL(0),
    /** A horizontal edge: samples above and below it are filtered, along columns. */
    HORIZONTAL(1);

    private final int code;

    EdgeDirection(int code) {
        this.code = code;
    }

    /** Code of the direction in records: 0 or 1. */
    public int code() {
        return code;
    }
}
