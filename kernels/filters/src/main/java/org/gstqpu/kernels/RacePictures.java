/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels;

import static org.lwjgl.system.MemoryUtil.memCopy;
import static org.lwjgl.system.MemoryUtil.memGetLong;
import static org.lwjgl.system.MemoryUtil.memPutByte;
import static org.lwjgl.system.MemoryUtil.nmemAlignedAllocChecked;
import static org.lwjgl.system.MemoryUtil.nmemAlignedFree;

import java.util.Random;
import org.gstqpu.kernels.picture.HostMemory;
import org.gstqpu.kernels.picture.Picture;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PixelFormat;

/** Owns equal pictures in the process's memory, which substrates filter in a race. Belongs to the thread of the race. */
final class RacePictures implements AutoCloseable {
    private static final int ALIGNMENT_BYTES = 64;

    /** So much of a picture is painted, and comes again: random numbers take time. */
    private static final long MOST_PAINTED = 1 << 20;

    private final PictureLayout layout;
    private final long bytes;
    private final long memory;

    RacePictures(PixelFormat format, int width, int height, int pictures) {
        layout = PictureLayout.packed(format, width, height, 4);
        bytes = (layout.sizeBytes() + ALIGNMENT_BYTES - 1) & -ALIGNMENT_BYTES;
        memory = nmemAlignedAllocChecked(ALIGNMENT_BYTES, pictures * bytes);
        paint(format.sampleBytes() * width);
        for (int picture = 1; picture < pictures; picture++) {
            memCopy(memory, memory + picture * bytes, bytes);
        }
    }

    /** Paints blocks of different brightness with some noise, so that all filters work everywhere. Below, that comes again. */
    private void paint(int rowBytes) {
        Random random = new Random(1);
        long painted = Math.min(bytes, MOST_PAINTED);
        for (long i = 0; i < painted; i++) {
            long x = i % rowBytes;
            long y = i / rowBytes;
            long block = (x / 8 * 5 + y / 8 * 11) % 13;
            memPutByte(memory + i, (byte) (60 + x / 8 + block + random.nextInt(7)));
        }
        for (long i = painted; i < bytes; i += painted) {
            memCopy(memory, memory + i, Math.min(painted, bytes - i));
        }
    }

    Picture at(int picture) {
        return Picture.of(new HostMemory().set(memory + picture * bytes, bytes), layout);
    }

    boolean equal(int a, int b) {
        for (long i = 0; i < bytes; i += Long.BYTES) {
            if (memGetLong(memory + a * bytes + i) != memGetLong(memory + b * bytes + i)) {
                return false;
            }
        }
        return true;
    }

    @Override
    public void close() {
        nmemAlignedFree(memory);
    }
}
