/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.lwjgl.vulkan.VK11.vkDestroyBuffer;

import org.gstqpu.kernels.internal.vulkan.ChildJvm;
import org.gstqpu.kernels.internal.vulkan.VulkanTestContexts;
import org.gstqpu.kernels.internal.vulkan.work.TestDevice;
import org.junit.jupiter.api.Test;

/** That the net under the other tests holds: what the layer says is counted and logged. */
class ValidationMessagesTest {
    /** In a process of its own, so that the message is not taken for one of these tests'. */
    @Test
    void aMistakeIsCountedAndLogged() throws Exception {
        assumeTrue(
                ValidationMessages.wanted(),
                "the Khronos validation layer is missing: apt install vulkan-validationlayers");
        ChildJvm child = ChildJvm.run(Mistake.class, "-Dorg.gstqpu.validation=true");
        assertTrue(child.output().contains("VUID-vkDestroyBuffer-buffer-parameter"), child.output());
        assertTrue(child.output().contains("counted: true"), child.output());
        assertEquals(0, child.exitValue(), child.output());
    }

    /** What that process runs. */
    static final class Mistake {
        private Mistake() {}

        public static void main(String[] arguments) throws Exception {
            try (TestDevice device = VulkanTestContexts.device()) {
                vkDestroyBuffer(device.handle(), 0xbadL, null);
            }
            System.out.println("counted: " + (ValidationMessages.count() > 0));
        }
    }
}
