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

import org.gstqpu.kernels.internal.vulkan.device.Patience;
import org.lwjgl.system.JNI;
import org.lwjgl.system.Library;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.SharedLibrary;
import org.lwjgl.system.linux.FCNTL;
import org.lwjgl.system.linux.Stat;
import org.lwjgl.system.linux.UNISTD;

/**
 * System calls on file descriptors, by functions of the C library. Any thread. No method allocates Java memory.
 */
public final class FileDescriptors {
    /** POLLIN. On a dmabuf: all who write it are done. */
    public static final int POLL_IN = 1;

    /** POLLOUT. On a dmabuf: all who read or write it are done. */
    static final int POLL_OUT = 4;

    /** DMA_BUF_MAGIC of linux/magic.h: the type of the file system of dmabufs, since Linux 5.3. */
    private static final long DMA_BUF_MAGIC = 0x444d4142;

    /** DMA_BUF_IOCTL_EXPORT_SYNC_FILE of linux/dma-buf.h, since Linux 6.0. */
    private static final long DMA_BUF_EXPORT_SYNC_FILE = 0xc0086202L;
    /** DMA_BUF_IOCTL_IMPORT_SYNC_FILE of linux/dma-buf.h, since Linux 6.0. */
    private static final long DMA_BUF_IMPORT_SYNC_FILE = 0x40086203L;

    private static final int DMA_BUF_SYNC_READ = 1;
    private static final int DMA_BUF_SYNC_WRITE = 2;
    /** The size of struct dma_buf_export_sync_file and of struct dma_buf_import_sync_file: flags and fd. */
    private static final int SYNC_FILE_BYTES = 8;
    /** The offset of fd in both. */
    private static final int SYNC_FILE_DESCRIPTOR = 4;

    private static final int SEEK_END = 2;

    /** More than sizeof (struct stat), 144, and sizeof (struct statfs), 120, on 64-bit Linux. */
    private static final int STAT_BYTES = 256;

    /** The offset of st_ino in struct stat, on amd64 and arm64. The offset of f_type in struct statfs is 0. */
    private static final int STAT_INODE = 8;

    /** The size of struct pollfd. */
    private static final int POLL_BYTES = 8;
    /** The offset of events in struct pollfd. */
    private static final int POLL_EVENTS = 4;
    /** The offset of revents in struct pollfd. */
    private static final int POLL_RETURNED_EVENTS = 6;

    private static final SharedLibrary LIBC =
            Library.loadNative(FileDescriptors.class, "org.gstqpu.kernels", "libc.so.6");
    private static final long LSEEK = LIBC.getFunctionAddress("lseek");
    private static final long FSTATFS = LIBC.getFunctionAddress("fstatfs");
    private static final long IOCTL = LIBC.getFunctionAddress("ioctl");
    private static final long POLL = LIBC.getFunctionAddress("poll");

    private FileDescriptors() {}

    /** Returns true if the descriptor is open and is that of a dmabuf. */
    static boolean isDmabuf(int descriptor) {
        try (MemoryStack stack = stackPush()) {
            long status = stack.ncalloc(8, STAT_BYTES, 1);
            return JNI.invokePI(descriptor, status, FSTATFS) == 0 && memGetLong(status) == DMA_BUF_MAGIC;
        }
    }

    /** Returns true if the descriptor is open. */
    static boolean isOpen(int descriptor) {
        return FCNTL.nfcntl(NULL, descriptor, FCNTL.F_GETFD) >= 0;
    }

    /** Returns the inode number of the file; 0 on failure. Two dmabufs never have the same number. */
    static long inode(int descriptor) {
        try (MemoryStack stack = stackPush()) {
            long status = stack.ncalloc(8, STAT_BYTES, 1);
            return Stat.nfstat(NULL, descriptor, status) == 0 ? memGetLong(status + STAT_INODE) : 0;
        }
    }

    /** Returns the real size of a dmabuf; negative on failure. */
    static long sizeBytes(int descriptor) {
        return JNI.invokeNNN(descriptor, 0, SEEK_END, LSEEK);
    }

    /**
     * Returns a new descriptor of the same file; negative on failure. The caller owns it. Programs that are started later do
     * not inherit it.
     */
    public static int duplicate(int descriptor) {
        return FCNTL.nfcntli(NULL, descriptor, FCNTL.F_DUPFD_CLOEXEC, 0);
    }

    /** Closes the descriptor. */
    public static void close(int descriptor) {
        UNISTD.nclose(NULL, descriptor);
    }

    /**
     * Waits until one of the events has happened, {@link #POLL_IN} for instance.
     *
     * @return true if it has happened; false if it took longer than {@code timeoutNanos}, or if the file is in error
     */
    public static boolean poll(int descriptor, int events, long timeoutNanos) {
        long end = System.nanoTime() + timeoutNanos;
        try (MemoryStack stack = stackPush()) {
            long asked = asked(descriptor, events, stack);
            long left = timeoutNanos;
            while (!pollOnce(asked, left)) {
                left = end - System.nanoTime();
                if (left <= 0) {
                    return false;
                }
            }
            return hasHappened(asked, events);
        }
    }

    /**
     * Waits until one of the events has happened, as {@link #poll} does, as long as the patience lasts.
     *
     * @return false if it was over before, or if the file is in error
     */
    static boolean await(int descriptor, int events, Patience patience) {
        try (MemoryStack stack = stackPush()) {
            long asked = asked(descriptor, events, stack);
            long partNanos;
            do {
                partNanos = patience.nextPart();
                if (pollOnce(asked, partNanos)) {
                    return hasHappened(asked, events);
                }
            } while (partNanos > 0);
            return false;
        }
    }

    /** Returns a struct pollfd, which lives as long as the stack's frame. */
    private static long asked(int descriptor, int events, MemoryStack stack) {
        long asked = stack.ncalloc(4, POLL_BYTES, 1);
        memPutInt(asked, descriptor);
        memPutShort(asked + POLL_EVENTS, (short) events);
        return asked;
    }

    /** Returns false if nothing has happened in the time, or if a signal interrupted the wait. */
    private static boolean pollOnce(long asked, long nanos) {
        return JNI.invokePNI(asked, 1L, (int) (Math.max(nanos, 0) / 1_000_000), POLL) > 0;
    }

    private static boolean hasHappened(long asked, int events) {
        return (memGetShort(asked + POLL_RETURNED_EVENTS) & events) != 0;
    }

    /**
     * Returns the fences of a dmabuf as one sync file, which the caller owns.
     *
     * @param toWrite true for the fences that a writer must wait for, false for those that a reader must wait for
     * @return a file descriptor; negative if the kernel is older than Linux 6.0 or refuses
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
     * Adds a sync file to the fences of a dmabuf, as that of a writer.
     *
     * @param syncFile stays the caller's
     * @return false if the kernel is older than Linux 6.0 or refuses
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
