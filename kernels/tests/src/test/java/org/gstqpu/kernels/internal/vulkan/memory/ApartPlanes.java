/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.memory;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.gstqpu.kernels.internal.vulkan.device.VulkanDevice;
import org.gstqpu.kernels.internal.vulkan.work.DevicePicture;
import org.gstqpu.kernels.internal.vulkan.work.DeviceRuntime;
import org.gstqpu.kernels.picture.Picture;
import org.gstqpu.kernels.picture.PictureLayout;
import org.lwjgl.system.MemoryUtil;

/**
 * A picture each of whose planes lies in memory of its own, as in dmabufs of their own, on devices that import none, too. Closed by the
 * test before the context.
 */
public final class ApartPlanes implements ImportedMemory, Picture {
    /** What lies before a plane in its memory, and behind each of its rows. */
    private static final int GAP_BYTES = 12;

    private final List<DevicePicture> planes = new ArrayList<>();
    private final PictureLayout layout;
    private final VulkanDevice device;

    /** A copy of a picture, which stays the caller's. */
    public ApartPlanes(DeviceRuntime runtime, long address, PictureLayout whole) {
        device = runtime.device();
        int[] strides = new int[3];
        int[] offsets = new int[3];
        for (int plane = 0; plane < whole.format().planes(); plane++) {
            int rowBytes = whole.rowBytes(plane);
            strides[plane] = (rowBytes + WORD_BYTES - 1) / WORD_BYTES * WORD_BYTES + GAP_BYTES * (plane + 1);
            offsets[plane] = GAP_BYTES;
            ByteBuffer bytes = MemoryUtil.memCalloc(GAP_BYTES + strides[plane] * whole.rows(plane));
            for (int row = 0; row < whole.rows(plane); row++) {
                MemoryUtil.memCopy(
                        address + whole.offsetBytes(plane) + (long) row * whole.strideBytes(plane),
                        MemoryUtil.memAddress(bytes) + GAP_BYTES + (long) row * strides[plane],
                        rowBytes);
            }
            DevicePicture made = new DevicePicture(runtime, bytes.capacity());
            planes.add(made);
            made.write(bytes);
            MemoryUtil.memFree(bytes);
        }
        layout = new PictureLayout(
                whole.format(),
                whole.width(),
                whole.height(),
                offsets[0],
                strides[0],
                offsets[1],
                strides[1],
                offsets[2],
                strides[2]);
    }

    /** Writes the rows of the planes into the bytes of a picture whose planes lie together. */
    public void put(byte[] bytes, PictureLayout whole) {
        for (int plane = 0; plane < planes.size(); plane++) {
            ByteBuffer own = MemoryUtil.memAlloc((int) planes.get(plane).sizeBytes());
            planes.get(plane).read(own);
            for (int row = 0; row < whole.rows(plane); row++) {
                int from = (int) layout.offsetBytes(plane) + row * layout.strideBytes(plane);
                int to = (int) whole.offsetBytes(plane) + row * whole.strideBytes(plane);
                own.get(from, bytes, to, whole.rowBytes(plane));
            }
            MemoryUtil.memFree(own);
        }
    }

    @Override
    public ApartPlanes memory() {
        return this;
    }

    @Override
    public PictureLayout layout() {
        return layout;
    }

    @Override
    public boolean belongsTo(VulkanDevice other) {
        return device == other;
    }

    @Override
    public BufferRange range(int plane) {
        return planes.get(plane).range(0);
    }

    @Override
    public long id() {
        return planes.get(0).id();
    }

    @Override
    public long baseBytes() {
        return 0;
    }

    @Override
    public long sizeBytes() {
        return sizeBytes(0);
    }

    @Override
    public long sizeBytes(int plane) {
        return planes.get(plane).sizeBytes();
    }

    @Override
    public void close() {
        planes.forEach(DevicePicture::close);
    }
}
