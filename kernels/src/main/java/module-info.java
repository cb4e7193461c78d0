/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/**
 * Loop filters of video codecs, on Vulkan compute or on the CPU.
 *
 * <p>An application adds the module {@code org.lwjgl.natives}, with LWJGL's native library for its machine: there is one of that name
 * for each machine.
 *
 * <p>On the CPU they work in vectors where the application adds the module {@code jdk.incubator.vector}. It is not required here, not
 * even as static: a compiler that warns of incubators would warn of it in each application.
 */
@SuppressWarnings("module") // The other two modules are compiled later.
module org.gstqpu.kernels {
    requires jdk.management;
    requires org.lwjgl;
    requires org.lwjgl.vulkan;

    exports org.gstqpu.kernels;
    exports org.gstqpu.kernels.block;
    exports org.gstqpu.kernels.filter;
    exports org.gstqpu.kernels.picture;
    exports org.gstqpu.kernels.quality;
    exports org.gstqpu.kernels.substrate;
    exports org.gstqpu.kernels.internal.cache to
            org.gstqpu.nativeloader,
            org.gstqpu.plugin;
}
