/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.meter;

/** What a user may change of a model when it is read, as by the flags of libvmaf. */
enum ModelChange {
    /** Scores are not cut off below and above. */
    UNCLIPPED,
    /** The curve that the file has for scores counts though the file does not say so; for v0.6.1, that of a phone. */
    TRANSFORMED
}
