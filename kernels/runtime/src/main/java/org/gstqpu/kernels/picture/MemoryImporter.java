/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.picture;

import java.util.Optional;

/**
 * Lets a device use memory that pictures lie in, so that these need no copy. The contexts are such; on the CPU they import nothing. An
 * import takes tens of microseconds, so it pays only for memory that is used again and again, such as a buffer pool's. Belongs to one
 * thread at a time.
 */
public interface MemoryImporter {
    /**
     * Lets the device use memory of the process, so that pictures in it need no copy.
     *
     * @param address of the first byte; the device gets the whole pages that hold the range
     * @param sizeBytes at least 1
     * @return the import, which the caller closes; empty if the device cannot import this memory, and always on the CPU. Pictures
     *     there are then passed as {@link HostMemory}
     * @throws org.gstqpu.kernels.substrate.DeviceException when the device failed
     */
    default Optional<DeviceMemory> importHost(long address, long sizeBytes) {
        return Optional.empty();
    }

    /** False if {@link #importDmabuf} refuses every dmabuf here; always false on the CPU. */
    default boolean importsDmabufs() {
        return false;
    }

    /**
     * Lets the device use the dmabufs of a picture, so that pictures in them need no copy and no mapping. The import holds the dmabufs:
     * the caller may close the descriptors.
     *
     * <p>Other drivers may have attached fences to a dmabuf for their own work in it. Each use of the picture waits for these fences: on
     * the device, or on the CPU if the device or Linux (before 6.0) cannot.
     *
     * @param picture the first picture that lies there. Other layouts may follow if {@link DeviceMemory#obstacle} has nothing
     *     against them
     * @return the import, which the caller closes
     * @throws DmabufRefusedException when a check fails, which the exception names; on the CPU always
     * @throws org.gstqpu.kernels.substrate.DeviceException when the device failed
     */
    default DeviceMemory importDmabuf(DmabufPicture picture) throws DmabufRefusedException {
        throw new DmabufRefusedException(DmabufCheck.DEVICE, "the CPU works on mapped memory; set substrate=qpu");
    }
}
