/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/**
 * Loop filters of video codecs for whole pictures, on Vulkan compute or on the CPU.
 *
 * <p>On the CPU they work in vectors where the application adds the module {@code jdk.incubator.vector}. It is not required here, not
 * even as static: a compiler that warns of incubators would warn of it in each application.
 */
@SuppressWarnings("module") // The other modules are compiled later.
module org.gstqpu.kernels.filters {
    requires transitive org.gstqpu.kernels.runtime;
    requires jdk.management;
    requires org.lwjgl;

    exports org.gstqpu.kernels;
    exports org.gstqpu.kernels.filter;
    exports org.gstqpu.kernels.internal.picture to
            org.gstqpu.plugin;
    exports org.gstqpu.kernels.internal.stage to
            org.gstqpu.kernels.blocks;
    exports org.gstqpu.kernels.internal.stage.cdef to
            org.gstqpu.kernels.blocks;
    exports org.gstqpu.kernels.internal.stage.deblock to
            org.gstqpu.kernels.blocks;
}
