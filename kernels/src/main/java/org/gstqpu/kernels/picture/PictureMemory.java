/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.picture;

/** Memory that holds a picture; a {@link PictureLayout} says where its planes lie in it. */
public sealed interface PictureMemory permits HostMemory, DeviceMemory {
    /** Bytes that may be read and written. */
    long sizeBytes();
}
