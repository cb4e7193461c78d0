/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan;

import java.util.List;
import java.util.stream.Stream;
import org.gstqpu.kernels.internal.stage.PictureKernel;
import org.gstqpu.kernels.internal.vulkan.block.CallKernel;
import org.gstqpu.kernels.internal.vulkan.quality.QualityKernel;
import org.gstqpu.kernels.internal.vulkan.work.CommonKernel;
import org.gstqpu.kernels.internal.vulkan.work.Kernel;

/** The shaders of all products. */
public final class AllKernels {
    private AllKernels() {}

    public static List<Kernel> list() {
        return Stream.<Kernel[]>of(
                        CommonKernel.values(), PictureKernel.values(), CallKernel.values(), QualityKernel.values())
                .flatMap(Stream::of)
                .toList();
    }
}
