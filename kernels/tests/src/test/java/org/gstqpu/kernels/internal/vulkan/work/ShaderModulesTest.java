/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.work;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.lwjgl.system.MemoryUtil.memFree;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ShaderModulesTest {
    private static final int SPIRV_MAGIC = 0x07230203;
    private static final int SPIRV_1_3 = 0x00010300;

    @ParameterizedTest
    @MethodSource("org.gstqpu.kernels.internal.vulkan.AllKernels#list")
    void everyKernelIsValidSpirvForVulkan11(Kernel kernel, @TempDir Path folder) throws Exception {
        ByteBuffer module = kernel.load();
        byte[] bytes = new byte[module.remaining()];
        assertEquals(SPIRV_MAGIC, module.getInt(0));
        assertEquals(SPIRV_1_3, module.getInt(4));
        module.get(bytes);
        memFree(module);
        Path file = folder.resolve(kernel + ".spv");
        Files.write(file, bytes);
        Process validator = start("spirv-val", "--target-env", "vulkan1.1", file.toString());
        String output = new String(validator.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        if (!validator.waitFor(600, TimeUnit.SECONDS)) {
            validator.destroyForcibly();
            fail("spirv-val did not end");
        }
        assertEquals(0, validator.exitValue(), output);
        assertEquals("", output);
    }

    private static Process start(String... command) {
        try {
            return new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException e) {
            return abort("spirv-val is missing: apt install spirv-tools");
        }
    }
}
