/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.memory;

import static org.lwjgl.system.MemoryStack.stackPush;
import static org.lwjgl.system.MemoryUtil.NULL;
import static org.lwjgl.system.MemoryUtil.memAddress;
import static org.lwjgl.system.MemoryUtil.memByteBuffer;
import static org.lwjgl.system.MemoryUtil.memPutInt;
import static org.lwjgl.system.MemoryUtil.memPutLong;

import java.nio.file.Files;
import java.nio.file.Path;
import org.lwjgl.system.JNI;
import org.lwjgl.system.Library;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.SharedLibrary;
import org.lwjgl.system.linux.FCNTL;
import org.lwjgl.system.linux.MMAN;

/** Owns a file in memory, the real dmabuf that /dev/udmabuf makes of it where it can, and a mapping of its bytes. */
public final class TestDmabuf implements AutoCloseable {
    static final int PAGE_BYTES = 4096;

    private static final Path DEVICE = Path.of("/dev/udmabuf");
    private static final SharedLibrary LIBC = Library.loadNative(TestDmabuf.class, "org.gstqpu.kernels", "libc.so.6");
    private static final long MEMFD_CREATE = LIBC.getFunctionAddress("memfd_create");
    private static final long FTRUNCATE = LIBC.getFunctionAddress("ftruncate");
    private static final long IOCTL = LIBC.getFunctionAddress("ioctl");
    private static final int MFD_CLOEXEC_AND_ALLOW_SEALING = 3;
    private static final int PROT_WRITE = 2;

    /** UDMABUF_CREATE of linux/udmabuf.h, whose argument is 24 bytes: memfd, flags, offset and size. */
    private static final long UDMABUF_CREATE = 0x40187542L;

    private static final int UDMABUF_FLAGS_CLOEXEC = 1;

    private final int memory;
    private final int dmabuf;
    private final long address;
    private final int sizeBytes;

    private TestDmabuf(int sizeBytes, boolean real) {
        this.sizeBytes = sizeBytes;
        memory = memoryFile(sizeBytes);
        dmabuf = real ? dmabuf(memory, sizeBytes) : -1;
        address = MMAN.nmmap(NULL, NULL, sizeBytes, MMAN.PROT_READ | PROT_WRITE, MMAN.MAP_SHARED, memory, 0);
        if (address == -1) {
            throw new IllegalStateException("a memory file cannot be mapped");
        }
    }

    /** Whether {@link #of} can work on this machine. */
    public static boolean available() {
        return Files.isWritable(DEVICE);
    }

    /** A dmabuf of that many bytes, a multiple of {@link #PAGE_BYTES}. */
    public static TestDmabuf of(int sizeBytes) {
        return new TestDmabuf(sizeBytes, true);
    }

    /** A file in memory of which no dmabuf is made. */
    static TestDmabuf plainMemory(int sizeBytes) {
        return new TestDmabuf(sizeBytes, false);
    }

    private static int memoryFile(int sizeBytes) {
        try (MemoryStack stack = stackPush()) {
            int made = JNI.invokePI(memAddress(stack.UTF8("test-dmabuf")), MFD_CLOEXEC_AND_ALLOW_SEALING, MEMFD_CREATE);
            if (made < 0
                    || JNI.invokePI(made, (long) sizeBytes, FTRUNCATE) != 0
                    || FCNTL.fcntli(null, made, FCNTL.F_ADD_SEALS, FCNTL.F_SEAL_SHRINK) != 0) {
                throw new IllegalStateException("no memory file of " + sizeBytes + " bytes");
            }
            return made;
        }
    }

    private static int dmabuf(int memory, int sizeBytes) {
        try (MemoryStack stack = stackPush()) {
            int device = FCNTL.open(null, DEVICE.toString(), FCNTL.O_RDWR | FCNTL.O_CLOEXEC, 0);
            long create = stack.ncalloc(8, 24, 1);
            memPutInt(create, memory);
            memPutInt(create + 4, UDMABUF_FLAGS_CLOEXEC);
            memPutLong(create + 16, sizeBytes);
            int made = JNI.invokePPI(device, UDMABUF_CREATE, create, IOCTL);
            FileDescriptors.close(device);
            if (made < 0) {
                throw new IllegalStateException("no dmabuf of " + sizeBytes + " bytes from " + DEVICE);
            }
            return made;
        }
    }

    /** The dmabuf, or the plain file. */
    public int descriptor() {
        return dmabuf < 0 ? memory : dmabuf;
    }

    /** Where the CPU sees the bytes. */
    long address() {
        return address;
    }

    public byte[] bytes() {
        byte[] copy = new byte[sizeBytes];
        memByteBuffer(address, sizeBytes).get(copy);
        return copy;
    }

    public void write(byte[] bytes) {
        memByteBuffer(address, sizeBytes).put(bytes);
    }

    @Override
    public void close() {
        MMAN.nmunmap(NULL, address, sizeBytes);
        if (dmabuf >= 0) {
            FileDescriptors.close(dmabuf);
        }
        FileDescriptors.close(memory);
    }
}
