package org.gstqpu.kernels;

/**
 * Memory that a {@link FilterContext} has made known to its device, so that pictures in it are filtered where they lie.
 * Made by {@link FilterContext#importHost}; owned by its user, who keeps the memory behind it alive until {@link #close}
 * and closes it before the context. Usable with every filter of that context and no other.
 *
 * <p>Pictures whose plane offsets (counted from a word boundary of the address space) and strides are multiples of 4
 * bytes are read or written in place; others are copied, as from {@link HostMemory}.
 */
public non-sealed interface DeviceMemory extends PictureMemory, AutoCloseable {
    /** Ends the device's use of the memory, not the memory; a second call does nothing. */
    @Override
    void close();
}
