/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/** Calls for decoders that offload work by the block, on Vulkan compute or on the CPU. */
module org.gstqpu.kernels.blocks {
    requires transitive org.gstqpu.kernels.runtime;
    requires transitive org.gstqpu.kernels.filters;
    requires org.lwjgl;

    exports org.gstqpu.kernels.block;
    exports org.gstqpu.kernels.blocks;
}
