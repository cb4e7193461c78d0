/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.block;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.lwjgl.system.MemoryUtil.memGetByte;
import static org.lwjgl.system.MemoryUtil.memPutShort;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.gstqpu.kernels.Substrates;
import org.gstqpu.kernels.substrate.Substrate;
import org.gstqpu.kernels.substrate.SubstrateChoice;
import org.gstqpu.kernels.substrate.SubstrateRequest;
import org.junit.jupiter.api.Test;

/** The example of the library in docs/LIBRARY.md: it runs, and it is the one that stands there. */
class ReadmeExampleTest {
    private static final int BLOCKS = 100;
    private static final int STRIDE = 64;
    private static final int ROWS = 64;
    private static final Path SOURCE = Path.of("src/test/java/org/gstqpu/kernels/block/ReadmeExampleTest.java");

    @Test
    void theExampleRuns() throws Exception {
        // Example begins.
        SubstrateRequest request = new SubstrateRequest(Substrate.AUTO, Optional.empty(), 0);
        try (BlockContext context = Substrates.openBlocks(request);
                KernelBuffer coefficients = context.newBuffer(BLOCKS * Vp9IdctAdd.COEFFICIENT_BYTES);
                KernelBuffer records = context.newBuffer(BLOCKS * Vp9IdctAdd.RECORD_BYTES);
                KernelBuffer picture = context.newBuffer(STRIDE * ROWS);
                PreparedCall call = context.prepare(new Vp9IdctAdd(coefficients, records, BLOCKS, picture, STRIDE))) {
            // Where the first block's upper left sample lies; its coefficients are the first in their buffer.
            Vp9IdctAdd.putRecord(records, 0, 8 * STRIDE + 16);
            memPutShort(coefficients.address(), (short) 640);
            call.run(1);
            // CPU, and why: auto: vp9_idct8x8_add_8bit: CPU 448 ns, QPU 22.7 µs
            SubstrateChoice choice = call.choice(1);
            System.out.println(choice.substrate() + ", and why: " + choice.reason());
            // Example ends.
            assertTrue(
                    call.choice(1).reason().startsWith("auto: "), call.choice(1).reason());
            int samples = 0;
            for (int i = 0; i < STRIDE * ROWS; i++) {
                // A DC of 640 is 10 in each sample.
                assertTrue(memGetByte(picture.address() + i) == 0 || memGetByte(picture.address() + i) == 10);
                samples += memGetByte(picture.address() + i) == 10 ? 1 : 0;
            }
            assertEquals(64, samples);
        }
    }

    @Test
    void theLibrarysPageHasThisExample() throws Exception {
        List<String> example = Files.readAllLines(SOURCE).stream()
                .dropWhile(line -> !line.endsWith("// Example begins."))
                .skip(1)
                .takeWhile(line -> !line.endsWith("// Example ends."))
                .map(line -> line.substring(8))
                .toList();
        String page = Files.readString(Path.of("../docs/LIBRARY.md"));
        assertTrue(example.size() > 10, example::toString);
        assertTrue(page.contains("```java\n" + String.join("\n", example) + "\n}\n```"), example::toString);
    }
}
