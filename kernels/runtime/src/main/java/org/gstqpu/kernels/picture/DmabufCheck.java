/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.picture;

/** The checks that a dmabuf passes before a device may use it, in their order. */
public enum DmabufCheck {
    /** The device imports dmabufs as storage buffers at all. */
    DEVICE,
    /** Each file descriptor is open and belongs to a dmabuf. */
    DESCRIPTOR,
    /** Every row of every plane begins at a multiple of 4 bytes. */
    ALIGNMENT,
    /** The dmabuf is long enough for its planes and for what the device reads past their end. Its real length counts. */
    SIZE,
    /** A storage buffer of the device can be as large as the dmabuf. */
    LIMIT,
    /** The device has a memory type for the dmabuf. */
    MEMORY_TYPE,
    /** The driver makes a buffer of the dmabuf. */
    DRIVER
}
