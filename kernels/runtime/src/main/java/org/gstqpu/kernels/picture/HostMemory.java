/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.picture;

import static org.lwjgl.system.MemoryUtil.memAddress;

import java.nio.ByteBuffer;
import org.gstqpu.kernels.internal.cache.LwjglLibrary;

/**
 * A view of memory of the process that the CPU can read and write. {@link #set} moves the view, so that one object serves frame
 * after frame without allocation. Belongs to one thread at a time.
 *
 * <p>The memory stays its owner's. It must stay valid until {@code filter} or
 * {@code finish} has returned for the picture.
 *
 * <p>Only the samples of a picture are touched, not the bytes between its rows and planes. So each plane may be an allocation of
 * its own: the view is then the whole span from the first plane to the end of the last, and what lies between is left alone.
 */
public final class HostMemory implements PictureMemory {
    private long address;
    private long sizeBytes;

    /** Keeps the memory of a direct buffer allocated while this view points at it; null if {@link #set} moved the view. */
    @SuppressWarnings("UnusedVariable") // Only to be reachable.
    private ByteBuffer buffer;

    /** A view that points nowhere until {@link #set}. */
    public HostMemory() {}

    /**
     * A view of a direct buffer, from its position to its limit. The view keeps the buffer reachable until {@link #set}.
     *
     * @throws IllegalArgumentException when the buffer is not direct, or nothing is left in it
     */
    public static HostMemory of(ByteBuffer buffer) {
        if (!buffer.isDirect()) {
            throw new IllegalArgumentException("a picture lies in a direct buffer, given one in an array");
        }
        LwjglLibrary.prepare();
        HostMemory memory = new HostMemory().set(memAddress(buffer), buffer.remaining());
        memory.buffer = buffer;
        return memory;
    }

    /**
     * Points this view at {@code sizeBytes} bytes from {@code address} on; returns itself.
     *
     * @throws IllegalArgumentException when the address is 0 or the size is below 1
     */
    public HostMemory set(long address, long sizeBytes) {
        if (address == 0 || sizeBytes < 1) {
            throw new IllegalArgumentException("no memory: address " + address + ", size " + sizeBytes);
        }
        this.address = address;
        this.sizeBytes = sizeBytes;
        this.buffer = null;
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
