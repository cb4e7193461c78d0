/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.device;

import static org.lwjgl.system.libc.LibCStdlib.nfree;
import static org.lwjgl.system.libc.LibCStdlib.nmalloc;

import java.nio.file.Files;
import java.nio.file.Path;
import org.lwjgl.system.MemoryUtil;

/** Frees 64 MiB that glibc keeps, because what lies behind them is in use, and ends once they are the system's. */
final class MemoryGivenBack {
    private static final int PIECES = 4096;
    private static final int BYTES = 16384;
    private static final int PAGE = 4096;
    private static final long STEP_MILLIS = 100;

    private MemoryGivenBack() {}

    public static void main(String[] arguments) throws Exception {
        VulkanInstance share = VulkanInstance.open();
        long[] pieces = new long[PIECES];
        for (int i = 0; i < PIECES; i++) {
            pieces[i] = nmalloc(BYTES);
            MemoryUtil.memSet(pieces[i], 1, BYTES);
        }
        for (int i = 0; i < PIECES - 1; i++) {
            nfree(pieces[i]);
        }
        long held = resident();
        share.close();
        while (resident() > held - PIECES * BYTES / 2) {
            Thread.sleep(STEP_MILLIS);
        }
        System.out.println("given back");
    }

    private static long resident() throws Exception {
        return Long.parseLong(Files.readString(Path.of("/proc/self/statm")).split(" ", -1)[1]) * PAGE;
    }
}
