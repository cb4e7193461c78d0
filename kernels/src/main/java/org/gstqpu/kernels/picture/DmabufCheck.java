/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.picture;

/** What a dmabuf must pass before a device is let into it, in the order in which it is checked. */
public enum DmabufCheck {
    /** The device imports dmabufs as storage buffers at all. */
    DEVICE,
    /** Each file descriptor is open and that of a dmabuf. */
    DESCRIPTOR,
    /** Every row begins at a multiple of 4 bytes. */
    ALIGNMENT,
    /** The dmabuf, as long as it really is, holds its planes of the picture and what the device reads past its end. */
    SIZE,
    /** The device's storage buffers can be that large. */
    LIMIT,
    /** The device has a memory type for it. */
    MEMORY_TYPE,
    /** The driver makes a buffer of it. */
    DRIVER
}
