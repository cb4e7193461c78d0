/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.memory;

import static org.lwjgl.system.MemoryStack.stackPush;
import static org.lwjgl.system.MemoryUtil.NULL;
import static org.lwjgl.system.MemoryUtil.memGetInt;
import static org.lwjgl.system.MemoryUtil.memGetLong;
import static org.lwjgl.system.MemoryUtil.memGetShort;
import static org.lwjgl.system.MemoryUtil.memPutInt;
import static org.lwjgl.system.MemoryUtil.memPutShort;

import org.lwjgl.system.JNI;
import org.lwjgl.system.Library;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.SharedLibrary;
import org.lwjgl.system.linux.FCNTL;
import org.lwjgl.system.linux.Stat;
import org.lwjgl.system.linux.UNISTD;

/**
 * What this package asks Linux about file descriptors; owns the C library's function addresses. Any thread; nothing is
 * allocated in Java.
 */
public final class FileDescriptors {
    /** POLLIN: of a dmabuf, that all who write it are done. */
    public static final int POLL_IN = 1;

    /** POLLOUT: of a dmabuf, that all who read or write it are done. */
    static final int POLL_OUT = 4;

    /** DMA_BUF_MAGIC of linux/magic.h, the file system that dmabufs are files of since Linux 5.3. */
    private static final long DMA_BUF_MAGIC = 0x444d4142;

    /** DMA_BUF_IOCTL_EXPORT_SYNC_FILE and IMPORT_SYNC_FILE of linux/dma-buf.h, since Linux 6.0: flags and descriptor. */
    private static final long DMA_BUF_EXPORT_SYNC_FILE = 0xc0086202L;

    private static final long DMA_BUF_IMPORT_SYNC_FILE = 0x40086203L;
    private static final int DMA_BUF_SYNC_READ = 1;
    private static final int DMA_BUF_SYNC_WRITE = 2;
    private static final int SYNC_FILE_BYTES = 8;
    private static final int SYNC_FILE_DESCRIPTOR = 4;

    private static final int SEEK_END = 2;

    /** Not less than sizeof (struct stat) and (struct statfs) of any 64-bit Linux: 144 and 120. */
    private static final int STAT_BYTES = 256;

    /** Offset of st_ino, the same on amd64 and arm64; f_type of struct statfs is at 0. */
    private static final int STAT_INODE = 8;

    private static final int POLL_BYTES = 8;
    private static final int POLL_EVENTS = 4;
    private static final int POLL_RETURNED_EVENTS = 6;

    private static final SharedLibrary LIBC =
            Library.loadNative(FileDescriptors.class, "org.gstqpu.kernels", "libc.so.6");
    private static final long LSEEK = LIBC.getFunctionAddress("lseek");
    private static final long FSTATFS = LIBC.getFunctionAddress("fstatfs");
    private static final long IOCTL = LIBC.getFunctionAddress("ioctl");
    private static final long POLL = LIBC.getFunctionAddress("poll");

    private FileDescriptors() {}

    /** Whether the descriptor is open and a dmabuf's. */
    static boolean isDmabuf(int descriptor) {
        try (MemoryStack stack = stackPush()) {
            long status = stack.ncalloc(8, STAT_BYTES, 1);
            return JNI.invokePI(descriptor, status, FSTATFS) == 0 && memGetLong(status) == DMA_BUF_MAGIC;
        }
    }

    /** Whether the descriptor is open. */
    static boolean isOpen(int descriptor) {
        return FCNTL.nfcntl(NULL, descriptor, FCNTL.F_GETFD) >= 0;
    }

    /** The number of the file, of which no two dmabufs have the same; 0 on failure. */
    static long inode(int descriptor) {
        try (MemoryStack stack = stackPush()) {
            long status = stack.ncalloc(8, STAT_BYTES, 1);
            return Stat.nfstat(NULL, descriptor, status) == 0 ? memGetLong(status + STAT_INODE) : 0;
        }
    }

    /** How long a dmabuf really is, negative on failure. */
    static long sizeBytes(int descriptor) {
        return JNI.invokeNNN(descriptor, 0, SEEK_END, LSEEK);
    }

    /** A new descriptor of the same file that programs started later do not inherit, negative on failure. */
    public static int duplicate(int descriptor) {
        return FCNTL.nfcntli(NULL, descriptor, FCNTL.F_DUPFD_CLOEXEC, 0);
    }

    public static void close(int descriptor) {
        UNISTD.nclose(NULL, descriptor);
    }

    /**
     * Waits until one of the events has come.
     *
     * @return whether it has, false after the time
     */
    public static boolean poll(int descriptor, int events, long timeoutNanos) {
        long end = System.nanoTime() + timeoutNanos;
        try (MemoryStack stack = stackPush()) {
            long asked = stack.ncalloc(4, POLL_BYTES, 1);
            memPutInt(asked, descriptor);
            memPutShort(asked + POLL_EVENTS, (short) events);
            long left = timeoutNanos;
            // A negative result is an interruption by a signal.
            while (JNI.invokePNI(asked, 1L, (int) (Math.max(left, 0) / 1_000_000), POLL) <= 0) {
                left = end - System.nanoTime();
                if (left <= 0) {
                    return false;
                }
            }
            return (memGetShort(asked + POLL_RETURNED_EVENTS) & events) != 0;
        }
    }

    /**
     * The fences of a dmabuf that a reader has to wait for, or where {@code toWrite}, those that a writer has to, as one sync
     * file.
     *
     * @return owned by the caller; negative where the kernel has no such call (before Linux 6.0) or refuses
     */
    static int exportSyncFile(int dmabuf, boolean toWrite) {
        try (MemoryStack stack = stackPush()) {
            long argument = stack.ncalloc(4, SYNC_FILE_BYTES, 1);
            memPutInt(argument, toWrite ? DMA_BUF_SYNC_WRITE : DMA_BUF_SYNC_READ);
            memPutInt(argument + SYNC_FILE_DESCRIPTOR, -1);
            return JNI.invokePPI(dmabuf, DMA_BUF_EXPORT_SYNC_FILE, argument, IOCTL) == 0
                    ? memGetInt(argument + SYNC_FILE_DESCRIPTOR)
                    : -1;
        }
    }

    /**
     * Attaches a sync file to a dmabuf as the fence of one who writes it.
     *
     * @param syncFile stays the caller's
     * @return whether it was done; never before Linux 6.0
     */
    public static boolean attachSyncFile(int dmabuf, int syncFile) {
        try (MemoryStack stack = stackPush()) {
            long argument = stack.ncalloc(4, SYNC_FILE_BYTES, 1);
            memPutInt(argument, DMA_BUF_SYNC_WRITE);
            memPutInt(argument + SYNC_FILE_DESCRIPTOR, syncFile);
            return JNI.invokePPI(dmabuf, DMA_BUF_IMPORT_SYNC_FILE, argument, IOCTL) == 0;
        }
    }
}
