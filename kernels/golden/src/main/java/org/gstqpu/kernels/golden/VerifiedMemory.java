/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.golden;

import java.util.Optional;
import org.gstqpu.kernels.filter.FilterContext;
import org.gstqpu.kernels.picture.DeviceMemory;
import org.gstqpu.kernels.picture.HostMemory;
import org.gstqpu.kernels.picture.Picture;
import org.gstqpu.kernels.picture.PictureLayout;
import org.lwjgl.system.MemoryUtil;

/** Memory of a picture, zero at first. A packed picture is imported where the device can do that. Owns both. One thread. */
final class VerifiedMemory implements AutoCloseable {
    private final long address;
    private final PictureLayout layout;
    private final Optional<DeviceMemory> imported;

    VerifiedMemory(FilterContext context, PictureLayout layout) {
        this.layout = layout;
        address = MemoryUtil.nmemCallocChecked(1, layout.sizeBytes());
        imported = layout.isPacked() ? context.importHost(address, layout.sizeBytes()) : Optional.empty();
    }

    long address() {
        return address;
    }

    boolean isImported() {
        return imported.isPresent();
    }

    Picture picture() {
        return imported.isPresent()
                ? Picture.of(imported.get(), layout)
                : Picture.of(new HostMemory().set(address, layout.sizeBytes()), layout);
    }

    @Override
    public void close() {
        imported.ifPresent(DeviceMemory::close);
        MemoryUtil.nmemFree(address);
    }
}
