/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example of the kernels for C has its pictures in dmabufs where the device imports these. */
@Tag(RealDmabufs.TAG)
final class DmabufKernelPackIT {
    private static final Path KERNELS = BuildTree.root().resolve("kernels");
    private static final Path VECTORS = KERNELS.resolve("tests/src/test/resources/vectors");

    @Test
    void theExampleFiltersPicturesInDmabufs(@TempDir Path folder) throws IOException {
        Map<String, String> environment = Processes.plainEnvironment();
        environment.put("VK_INSTANCE_LAYERS", "VK_LAYER_KHRONOS_validation");
        List<String> lines = Processes.run(
                        List.of(
                                CProgram.kernelPackExample(BuildTree.workFolder())
                                        .toString(),
                                KERNELS.resolve("filters/target/classes/org/gstqpu/kernels/spir-v")
                                        .toString(),
                                unpacked("operations/h264i_p1_f1", folder),
                                unpacked("av1m_320x240_b8_cq40_s4_f0", folder)),
                        environment,
                        Path.of("/dev/null"),
                        Duration.ofMinutes(10))
                .requireSuccess()
                .output()
                .lines()
                .toList();
        assertEquals(3, lines.size(), lines::toString);
        assertTrue(lines.get(0).endsWith(", pictures in dmabufs"), lines::toString);
        assertTrue(lines.get(1).startsWith("H.264 ") && lines.get(1).endsWith(", 0 samples differ"), lines::toString);
        assertTrue(lines.get(2).startsWith("AV1 ") && lines.get(2).endsWith(", 0 samples differ"), lines::toString);
    }

    private static String unpacked(String name, Path folder) throws IOException {
        Path file = folder.resolve(name.replaceFirst(".*/", "") + ".gvp");
        try (InputStream in = new GZIPInputStream(Files.newInputStream(VECTORS.resolve(name + ".gvp.gz")))) {
            Files.copy(in, file);
        }
        return file.toString();
    }
}
