/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Gives all test classes that use clean machines the same Docker engine, because Testcontainers knows one engine for each process. The
 * first class starts it; it ends after all tests.
 */
final class SharedMachines implements BeforeAllCallback {
    private CleanMachines machines;

    @Override
    public void beforeAll(ExtensionContext context) {
        machines = context.getRoot()
                .getStore(ExtensionContext.Namespace.GLOBAL)
                .computeIfAbsent(CleanMachines.class, key -> open(), CleanMachines.class);
    }

    private static CleanMachines open() {
        try {
            return CleanMachines.open();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the engine starts", e);
        }
    }

    /** The machines, from the first {@code BeforeAll} method on. */
    CleanMachines get() {
        return machines;
    }
}
