/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.picture;

/** Memory that holds a picture. A {@link PictureLayout} says where the planes lie in the memory. */
public sealed interface PictureMemory permits HostMemory, DeviceMemory {
    /** Size of the memory in bytes. */
    long sizeBytes();
}
