/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.meter;

import org.gstqpu.kernels.picture.HostMemory;
import org.gstqpu.kernels.picture.Picture;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PictureMemory;
import org.gstqpu.kernels.picture.PixelFormat;
import org.lwjgl.system.MemoryUtil;

/**
 * A picture that C has mapped: its planes, wherever they lie. One object serves a stream; it makes a layout only when that has
 * changed. Owns nothing; belongs to the streaming thread.
 */
final class MappedPlanes implements Picture {
    /** Planes of a picture; the numbers are as many addresses and as many strides. */
    private static final int PLANES = 3;

    /** Bytes of the numbers of a picture. */
    static final long SIZE_BYTES = 2L * PLANES * Long.BYTES;

    private final PixelFormat format;
    private final int width;
    private final int height;
    private final HostMemory memory = new HostMemory();
    private PictureLayout layout;

    MappedPlanes(PixelFormat format, int width, int height) {
        this.format = format;
        this.width = width;
        this.height = height;
    }

    /** Adopts the planes that the numbers at an address tell. */
    void set(long numbers) {
        long first = Long.MAX_VALUE;
        long end = 0;
        for (int plane = 0; plane < format.planes(); plane++) {
            long data = data(numbers, plane);
            long rowBytes = (long) format.planeRowSamples(plane, width) * format.sampleBytes();
            first = Math.min(first, data);
            end = Math.max(
                    end, data + (long) stride(numbers, plane) * (format.planeRows(plane, height) - 1) + rowBytes);
        }
        memory.set(first, end - first);
        if (layout == null || !liesAt(numbers, first)) {
            layout = new PictureLayout(
                    format,
                    width,
                    height,
                    data(numbers, 0) - first,
                    stride(numbers, 0),
                    format.planes() > 1 ? data(numbers, 1) - first : 0,
                    stride(numbers, 1),
                    format.planes() > 2 ? data(numbers, 2) - first : 0,
                    stride(numbers, 2));
        }
    }

    private boolean liesAt(long numbers, long first) {
        for (int plane = 0; plane < format.planes(); plane++) {
            if (layout.offsetBytes(plane) != data(numbers, plane) - first
                    || layout.strideBytes(plane) != stride(numbers, plane)) {
                return false;
            }
        }
        return true;
    }

    private static long data(long numbers, int plane) {
        return MemoryUtil.memGetLong(numbers + (long) plane * Long.BYTES);
    }

    private static int stride(long numbers, int plane) {
        return (int) MemoryUtil.memGetLong(numbers + (long) (PLANES + plane) * Long.BYTES);
    }

    @Override
    public PictureMemory memory() {
        return memory;
    }

    @Override
    public PictureLayout layout() {
        return layout;
    }
}
