/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.picture;

import java.util.Optional;

/**
 * Memory that the device of a context can read and write, so that pictures in it are filtered, or measured, where they lie. Made by a
 * {@link MemoryImporter}. All that this context has made can use it; another context refuses it.
 *
 * <p>The caller owns the import and closes it before the context. Imported memory of the process must stay valid until then. A
 * dmabuf stays valid by itself: the import holds it.
 *
 * <p>A picture is read or written in place if its plane offsets (counted from a word boundary of the address space) and its
 * strides are multiples of 4 bytes. Any other picture in memory of the process is copied, as from {@link HostMemory}. Any other
 * picture in a dmabuf is refused.
 */
public non-sealed interface DeviceMemory extends PictureMemory, AutoCloseable {
    /**
     * Says why a picture of this layout cannot be read and written in place here. Does not allocate if it can.
     *
     * @return a part of a line; empty if the picture can be read and written in place
     */
    Optional<String> obstacle(PictureLayout layout);

    /** Ends the device's use of the memory; the memory itself stays. A second call does nothing. */
    @Override
    void close();
}
