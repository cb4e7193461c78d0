/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.device;

import java.io.Closeable;
import java.io.FileInputStream;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.gstqpu.kernels.substrate.SubstrateUnavailableException;

/**
 * Tells a driver that is missing from one that could not open its files: Vulkan's loader reports both alike. Has no state. Any
 * thread.
 */
final class OpenFiles {
    /** How many files a loader and its drivers have open at the same time, with some to spare. */
    private static final int ENOUGH = 16;

    private OpenFiles() {}

    /**
     * Does nothing if the process can open enough files for a Vulkan driver.
     *
     * @param failure what would otherwise be told
     * @throws SubstrateUnavailableException if it cannot; the failure is its cause
     */
    static void requireEnough(Exception failure) throws SubstrateUnavailableException {
        Deque<Closeable> opened = new ArrayDeque<>();
        try {
            try {
                while (opened.size() < ENOUGH) {
                    opened.push(new FileInputStream("/dev/null"));
                }
            } finally {
                while (!opened.isEmpty()) {
                    opened.pop().close();
                }
            }
        } catch (IOException e) {
            failure.addSuppressed(e);
            throw new SubstrateUnavailableException(
                    "too few files can be opened for a Vulkan driver: raise the limit of open files (ulimit -n)",
                    failure);
        }
    }
}
