/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.device;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Fails every test of this module during which the Vulkan validation layer said something. */
public final class ValidationIsSilent implements BeforeEachCallback, AfterEachCallback {
    private long before;

    @Override
    public void beforeEach(ExtensionContext context) {
        before = ValidationMessages.count();
    }

    @Override
    public void afterEach(ExtensionContext context) {
        assertEquals(before, ValidationMessages.count(), "messages of the Vulkan validation layer, see the output");
    }
}
