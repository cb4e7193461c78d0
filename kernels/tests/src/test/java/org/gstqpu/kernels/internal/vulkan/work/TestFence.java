/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.work;

import static org.lwjgl.system.MemoryStack.stackPush;
import static org.lwjgl.system.MemoryUtil.memGetInt;
import static org.lwjgl.system.MemoryUtil.memPutInt;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.gstqpu.kernels.internal.vulkan.memory.FileDescriptors;
import org.gstqpu.kernels.internal.vulkan.memory.TestDmabuf;
import org.lwjgl.system.JNI;
import org.lwjgl.system.Library;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.SharedLibrary;
import org.lwjgl.system.linux.FCNTL;

/** Owns a fence of the kernel's sw_sync, as a sync file, that is signalled when the test likes. */
public final class TestFence implements AutoCloseable {
    private static final Path DEBUG = Path.of("/sys/kernel/debug");
    private static final Path DEVICE = DEBUG.resolve("sync/sw_sync");
    private static final SharedLibrary LIBC = Library.loadNative(TestFence.class, "org.gstqpu.kernels", "libc.so.6");
    private static final long IOCTL = LIBC.getFunctionAddress("ioctl");

    /** SW_SYNC_IOC_CREATE_FENCE of the kernel's sw_sync.c: value, 32 bytes of name, descriptor of the fence. */
    private static final long CREATE_FENCE = 0xc0285700L;

    private static final int CREATE_BYTES = 40;
    private static final int CREATE_DESCRIPTOR = 36;

    /** SW_SYNC_IOC_INC: by how much. */
    private static final long INCREMENT = 0x40045701L;

    private final int timeline;
    private final int fence;

    /** A fence that is not signalled. */
    public TestFence() {
        try (MemoryStack stack = stackPush()) {
            timeline = FCNTL.open(null, DEVICE.toString(), FCNTL.O_RDWR | FCNTL.O_CLOEXEC, 0);
            long create = stack.ncalloc(4, CREATE_BYTES, 1);
            memPutInt(create, 1);
            if (timeline < 0 || JNI.invokePPI(timeline, CREATE_FENCE, create, IOCTL) != 0) {
                throw new IllegalStateException("no fence from " + DEVICE);
            }
            fence = memGetInt(create + CREATE_DESCRIPTOR);
        }
    }

    /** Whether this machine makes such fences, and for this user. */
    public static boolean available() throws IOException, InterruptedException {
        if (!Files.isWritable(DEVICE) && Files.isWritable(DEBUG)) {
            new ProcessBuilder(List.of("mount", "-t", "debugfs", "debug", DEBUG.toString()))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        }
        return Files.isWritable(DEVICE);
    }

    /** Attaches it to a dmabuf, as one who writes that. */
    public void attachTo(TestDmabuf dmabuf) {
        if (!FileDescriptors.attachSyncFile(dmabuf.descriptor(), fence)) {
            throw new IllegalStateException("the kernel attaches no fences to dmabufs");
        }
    }

    /** A descriptor of it that the caller owns. */
    public int newDescriptor() {
        return FileDescriptors.duplicate(fence);
    }

    /** Says that the writer is done. */
    public void signal() {
        try (MemoryStack stack = stackPush()) {
            if (JNI.invokePPI(timeline, INCREMENT, stack.nint(1), IOCTL) != 0) {
                throw new IllegalStateException("the fence is not signalled");
            }
        }
    }

    @Override
    public void close() {
        FileDescriptors.close(fence);
        FileDescriptors.close(timeline);
    }
}
