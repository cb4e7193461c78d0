/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.picture;

import java.util.Optional;

/**
 * Memory that a {@link org.gstqpu.kernels.filter.FilterContext} has made known to its device, so that pictures in it are filtered where they lie.
 * Made by {@link org.gstqpu.kernels.filter.FilterContext#importHost FilterContext.importHost} or {@link org.gstqpu.kernels.filter.FilterContext#importDmabuf FilterContext.importDmabuf}; owned by its user, who keeps memory of
 * the process behind it alive until {@link #close} (a dmabuf is held by the import) and closes it before the context. Usable with every filter of that context and no other.
 *
 * <p>Pictures whose plane offsets (counted from a word boundary of the address space) and strides are multiples of 4
 * bytes are read or written in place. Others are copied, as from {@link HostMemory}, where it is memory of the process; in
 * a dmabuf they are refused.
 */
public non-sealed interface DeviceMemory extends PictureMemory, AutoCloseable {
    /**
     * Why a picture of that layout cannot be read and written in place here: part of a line; empty where it can. Allocates
     * nothing then.
     */
    Optional<String> obstacle(PictureLayout layout);

    /** Ends the device's use of the memory, not the memory; a second call does nothing. */
    @Override
    void close();
}
