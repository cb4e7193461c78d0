/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/**
 * What filters, block calls and metrics stand on: pictures and their memory, the choice of CPU or device, Vulkan, and the CPU's
 * threads.
 *
 * <p>An application adds the module {@code org.lwjgl.natives}, with LWJGL's native library for its machine: there is one of that name
 * for each machine.
 */
@SuppressWarnings("module") // The other modules are compiled later.
module org.gstqpu.kernels.runtime {
    requires org.lwjgl;
    requires org.lwjgl.vulkan;

    exports org.gstqpu.kernels.picture;
    exports org.gstqpu.kernels.substrate;
    exports org.gstqpu.kernels.internal.cache to
            org.gstqpu.kernels.blocks,
            org.gstqpu.kernels.filters,
            org.gstqpu.kernels.metrics,
            org.gstqpu.nativeloader,
            org.gstqpu.plugin;
    exports org.gstqpu.kernels.internal.cpu.work to
            org.gstqpu.kernels.blocks,
            org.gstqpu.kernels.filters,
            org.gstqpu.kernels.metrics;
    exports org.gstqpu.kernels.internal.memory to
            org.gstqpu.kernels.filters,
            org.gstqpu.kernels.metrics;
    exports org.gstqpu.kernels.internal.race to
            org.gstqpu.kernels.blocks,
            org.gstqpu.kernels.filters;
    exports org.gstqpu.kernels.internal.vulkan.device to
            org.gstqpu.kernels.blocks,
            org.gstqpu.kernels.filters,
            org.gstqpu.kernels.metrics,
            org.gstqpu.plugin;
    exports org.gstqpu.kernels.internal.vulkan.memory to
            org.gstqpu.kernels.blocks,
            org.gstqpu.kernels.filters,
            org.gstqpu.kernels.metrics;
    exports org.gstqpu.kernels.internal.vulkan.work to
            org.gstqpu.kernels.blocks,
            org.gstqpu.kernels.filters,
            org.gstqpu.kernels.metrics;
    exports org.gstqpu.kernels.internal.vulkan.work.layout to
            org.gstqpu.kernels.filters;
}
