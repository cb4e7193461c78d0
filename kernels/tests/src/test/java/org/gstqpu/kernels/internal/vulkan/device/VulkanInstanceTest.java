/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.lwjgl.vulkan.VK11.VK_ERROR_OUT_OF_HOST_MEMORY;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.gstqpu.kernels.internal.vulkan.ChildJvm;
import org.gstqpu.kernels.internal.vulkan.FaultLayer;
import org.gstqpu.kernels.substrate.SubstrateUnavailableException;
import org.junit.jupiter.api.Test;

class VulkanInstanceTest {
    /** So that whoever opened the device is told of a lack of memory or of threads, and not of a fault of this library. */
    @Test
    void anErrorOnTheThreadOfTheInstanceStaysThatError() {
        ExecutorService thread = Executors.newSingleThreadExecutor();
        OutOfMemoryError error = new OutOfMemoryError("unable to create native thread");
        assertSame(
                error,
                assertThrows(
                        OutOfMemoryError.class,
                        () -> VulkanInstance.createOn(thread, () -> {
                            throw error;
                        })));
        assertTrue(thread.isShutdown());
    }

    @Test
    void anInstanceThatCannotBeUsedIsDestroyed() throws Exception {
        assumeTrue(ValidationMessages.wanted(), "there is no messenger without vulkan-validationlayers");
        try (FaultLayer layer = FaultLayer.open()) {
            int alive = layer.alive();
            layer.failNext("vkCreateDebugUtilsMessengerEXT", VK_ERROR_OUT_OF_HOST_MEMORY);
            assertThrows(SubstrateUnavailableException.class, VulkanInstance::createOnItsThread);
            assertFalse(layer.failNone(), "no messenger was made");
            assertEquals(alive, layer.alive());
        }
    }

    /** Ends by the limit of the process, if it is not. */
    @Test
    void theLastShareHasUnusedMemoryGivenBack() throws Exception {
        ChildJvm ended = ChildJvm.run(MemoryGivenBack.class);
        assertTrue(ended.output().contains("given back"), ended.output());
    }
}
