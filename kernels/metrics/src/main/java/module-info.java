/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/** How close a picture comes to its reference, on Vulkan compute or on the CPU. */
module org.gstqpu.kernels.metrics {
    requires transitive org.gstqpu.kernels.runtime;
    requires org.lwjgl;

    exports org.gstqpu.kernels.metrics;
    exports org.gstqpu.kernels.quality;
}
