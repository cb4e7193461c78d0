/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.util.Set;
import org.junit.jupiter.api.Test;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.linux.DynamicLinkLoader;

class ResidentLibrariesTest {
    /** A library of glibc that nothing here uses. */
    private static final String LIBRARY = "libBrokenLocale.so.1";

    @Test
    void aLibraryThatIsKeptOutlivesItsLastUser() throws Exception {
        assertEquals(Set.of(), ResidentLibraries.mapped(LIBRARY));
        long handle = load();
        Set<String> loaded = ResidentLibraries.mapped(LIBRARY);
        assertEquals(1, loaded.size(), loaded.toString());
        DynamicLinkLoader.dlclose(handle);
        assertEquals(Set.of(), ResidentLibraries.mapped(LIBRARY), "the test needs a library that goes when unkept");

        handle = load();
        ResidentLibraries.keep(LIBRARY);
        DynamicLinkLoader.dlclose(handle);
        assertEquals(loaded, ResidentLibraries.mapped(LIBRARY));
    }

    private static long load() {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            long handle = DynamicLinkLoader.dlopen(stack.UTF8(LIBRARY), DynamicLinkLoader.RTLD_LAZY);
            assertNotEquals(0, handle, DynamicLinkLoader.dlerror());
            return handle;
        }
    }
}
