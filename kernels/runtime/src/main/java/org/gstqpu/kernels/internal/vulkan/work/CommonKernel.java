/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.work;

/** Shaders that know nothing of what lies in memory. */
public enum CommonKernel implements Kernel {
    CLEAR("common/clear"),
    COPY("common/copy");

    private final String path;

    CommonKernel(String path) {
        this.path = path;
    }

    @Override
    public String path() {
        return path;
    }
}
