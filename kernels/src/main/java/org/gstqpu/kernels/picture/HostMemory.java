/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.picture;

/**
 * A movable view of memory that somebody else owns and that the CPU can read and write. One object can be pointed at
 * frame after frame, so that no frame allocates; the memory must stay valid until the filter call that uses it has
 * returned. Belongs to one thread at a time.
 *
 * <p>Only the planes of a picture are touched, each from its first to its last sample. So the planes may be allocations
 * of their own, and the view the whole span that they lie in, whatever else is there.
 */
public final class HostMemory implements PictureMemory {
    private long address;
    private long sizeBytes;

    /** A view of nothing, until {@link #set}. */
    public HostMemory() {}

    /** Points this view at {@code sizeBytes} bytes from {@code address}; returns itself. */
    public HostMemory set(long address, long sizeBytes) {
        if (address == 0 || sizeBytes < 1) {
            throw new IllegalArgumentException("no memory: address " + address + ", size " + sizeBytes);
        }
        this.address = address;
        this.sizeBytes = sizeBytes;
        return this;
    }

    /** Address of the first byte; 0 before the first {@link #set}. */
    public long address() {
        return address;
    }

    @Override
    public long sizeBytes() {
        return sizeBytes;
    }
}
