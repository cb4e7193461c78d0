/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.memory;

import static org.lwjgl.system.MemoryStack.stackPush;
import static org.lwjgl.system.MemoryUtil.memAddress;

import java.nio.IntBuffer;
import org.lwjgl.system.JNI;
import org.lwjgl.system.Library;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.SharedLibrary;

/** A pipe's two descriptors: something that can be waited for. */
final class TestPipe {
    private static final SharedLibrary LIBC = Library.loadNative(TestPipe.class, "org.gstqpu.kernels", "libc.so.6");

    private TestPipe() {}

    /** The end to read and the end to write. */
    static int[] open() {
        try (MemoryStack stack = stackPush()) {
            IntBuffer ends = stack.mallocInt(2);
            if (JNI.invokePI(memAddress(ends), LIBC.getFunctionAddress("pipe")) != 0) {
                throw new IllegalStateException("no pipe");
            }
            return new int[] {ends.get(0), ends.get(1)};
        }
    }

    /** Puts a byte in. */
    static void write(int end) {
        try (MemoryStack stack = stackPush()) {
            JNI.invokeNNN(end, stack.ncalloc(1, 1, 1), 1, LIBC.getFunctionAddress("write"));
        }
    }
}
