/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.work;

import static org.lwjgl.system.MemoryUtil.memAddress;
import static org.lwjgl.system.MemoryUtil.memCopy;

import java.nio.ByteBuffer;
import java.util.List;
import org.gstqpu.kernels.internal.vulkan.device.MemoryKind;
import org.gstqpu.kernels.internal.vulkan.device.VulkanDevice;
import org.gstqpu.kernels.internal.vulkan.memory.BufferPool;
import org.gstqpu.kernels.internal.vulkan.memory.BufferRange;
import org.gstqpu.kernels.internal.vulkan.memory.DeviceBuffer;
import org.gstqpu.kernels.internal.vulkan.memory.ImportedMemory;
import org.gstqpu.kernels.internal.vulkan.work.layout.WordRange;

/**
 * Owns the memory of one picture that the device reaches fastest; the CPU reaches it only by copies. Benchmarks of the
 * kernels alone use it. Belongs to its user, who closes it before the context, and to the context's thread.
 */
public final class DevicePicture implements ImportedMemory {
    private static final int COPY_INVOCATIONS = 256;

    private final VulkanDevice device;
    private final BufferPool pool;
    private final KernelPipelines pipelines;
    private final long timeoutNanos;
    private final long sizeBytes;
    private DeviceBuffer buffer;

    public DevicePicture(DeviceRuntime runtime, long sizeBytes) {
        device = runtime.device();
        pool = runtime.pool();
        pipelines = runtime.pipelines();
        timeoutNanos = runtime.timeoutNanos();
        this.sizeBytes = (sizeBytes + WORD_BYTES - 1) / WORD_BYTES * WORD_BYTES;
        buffer = pool.acquire(MemoryKind.DEVICE, this.sizeBytes);
    }

    /**
     * Fills the memory, and waits until the copy is done.
     *
     * @param bytes direct, with {@link #sizeBytes} bytes from its position on; the position stays as it is
     * @throws org.gstqpu.kernels.substrate.DeviceException if the device failed
     */
    public void write(ByteBuffer bytes) {
        check(bytes);
        DeviceBuffer upload = pool.acquire(MemoryKind.UPLOAD, sizeBytes);
        try {
            memCopy(memAddress(bytes), upload.address(), sizeBytes);
            copy(upload.handle(), range(0).buffer());
        } finally {
            pool.release(upload);
        }
    }

    /**
     * Reads the memory, after all work that was submitted before.
     *
     * @param bytes direct, with room for {@link #sizeBytes} bytes from its position on; the position stays as it is
     * @throws org.gstqpu.kernels.substrate.DeviceException if the device failed
     */
    public void read(ByteBuffer bytes) {
        check(bytes);
        DeviceBuffer download = pool.acquire(MemoryKind.DOWNLOAD, sizeBytes);
        try {
            copy(range(0).buffer(), download.handle());
            memCopy(download.address(), memAddress(bytes), sizeBytes);
        } finally {
            pool.release(download);
        }
    }

    private void check(ByteBuffer bytes) {
        if (!bytes.isDirect() || bytes.remaining() < sizeBytes) {
            throw new IllegalArgumentException("a direct buffer of " + sizeBytes + " bytes is needed, given "
                    + bytes.remaining() + (bytes.isDirect() ? "" : " in an array"));
        }
    }

    private void copy(long from, long to) {
        int words = Math.toIntExact(sizeBytes / WORD_BYTES);
        try (SubmitRing ring = new SubmitRing(device, pipelines.setLayout(), 1, 1)) {
            SubmitSlot slot = ring.slot(0);
            slot.writeDescriptors(0, List.of(new BufferRange(from, 0, sizeBytes), new BufferRange(to, 0, sizeBytes)));
            Commands commands = slot.record(pipelines.layout());
            // Filters may have written the memory just before.
            commands.barrier();
            commands.bindDescriptorSet(slot.descriptorSet(0));
            commands.bindPipeline(pipelines.pipeline(CommonKernel.COPY, COPY_INVOCATIONS));
            commands.push(WordRange.COUNT, words);
            commands.dispatch(Commands.groups(words, COPY_INVOCATIONS), 1, 1);
            commands.barrier();
            slot.recorded(commands);
            slot.submit();
            slot.await(timeoutNanos);
        }
    }

    @Override
    public boolean belongsTo(VulkanDevice other) {
        return device == other;
    }

    @Override
    public BufferRange range(int plane) {
        if (buffer == null) {
            throw new IllegalStateException("the picture's memory is closed");
        }
        return buffer.range();
    }

    @Override
    public long id() {
        return buffer.id();
    }

    @Override
    public long baseBytes() {
        return 0;
    }

    @Override
    public long sizeBytes() {
        return sizeBytes;
    }

    @Override
    public void close() {
        if (buffer != null) {
            pool.release(buffer);
            buffer = null;
        }
    }
}
