/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.bench.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class ResidentMemoryTest {
    @Test
    void theKernelsLineIsReadInBytes() {
        assertEquals(123_904 * 1024L, ResidentMemory.parse("VmHWM:\t  130000 kB\nVmRSS:\t  123904 kB\nThreads:\t3\n"));
    }

    @Test
    void aKernelWithoutTheLineIsAnError() {
        assertThrows(IllegalStateException.class, () -> ResidentMemory.parse("VmHWM:\t  130000 kB\n"));
    }

    @Test
    void memoryThatIsTouchedShows() {
        // More than the garbage collector may return to the system during the test.
        int bytes = 512 << 20;
        long before = ResidentMemory.bytes();
        ByteBuffer touched = ByteBuffer.allocateDirect(bytes);
        for (int i = 0; i < bytes; i += 4096) {
            touched.put(i, (byte) 1);
        }
        long growth = ResidentMemory.bytes() - before;
        assertEquals(1, touched.get(0));
        assertTrue(growth > bytes / 2, "grew by " + growth + " of " + bytes + " bytes");
    }
}
