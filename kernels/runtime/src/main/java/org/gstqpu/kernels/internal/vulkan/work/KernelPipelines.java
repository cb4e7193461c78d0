/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.work;

import static org.lwjgl.system.MemoryUtil.memFree;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.gstqpu.kernels.internal.vulkan.device.VulkanDevice;
import org.gstqpu.kernels.internal.vulkan.work.CompiledKernels.Specialised;

/**
 * The compute pipelines that a context uses. Each is made when it is first asked for, unless another context that shares the
 * VkDevice has it. Belongs to the context's thread.
 */
public final class KernelPipelines implements AutoCloseable {
    /** Bytes of push constants of every kernel: the most that Vulkan guarantees. */
    static final int PUSH_CONSTANT_BYTES = 128;

    /** Number of bindings of every kernel. All are storage buffers; each pass decides what they hold. */
    public static final int BINDINGS = 7;

    private final VulkanDevice device;
    private final CompiledKernels compiled;

    private final Map<Specialised, Long> pipelines = new HashMap<>();

    /** Has no pipeline yet. {@code compiled} stays the caller's, who closes it after this object. */
    KernelPipelines(VulkanDevice device, CompiledKernels compiled) {
        this.device = device;
        this.compiled = compiled;
    }

    public long setLayout() {
        return compiled.setLayout();
    }

    public long layout() {
        return compiled.layout();
    }

    /**
     * The pipeline of a kernel with these specialisation constants.
     *
     * @param constants 32 bits each, numbered from 0, as the kernel's class of constants has them; constant 0 is the number of
     *     invocations of a workgroup. Immutable
     */
    public long pipeline(Kernel kernel, List<Integer> constants) {
        return pipelines.computeIfAbsent(new Specialised(kernel, constants), this::acquire);
    }

    /** The same, with the constants one by one. */
    public long pipeline(Kernel kernel, int... constants) {
        return pipeline(kernel, Arrays.stream(constants).boxed().toList());
    }

    /** The kernels of which this context uses pipelines. */
    public Set<Kernel> kernels() {
        return pipelines.keySet().stream().map(Specialised::kernel).collect(Collectors.toUnmodifiableSet());
    }

    /** Number of pipelines that this context uses. */
    public int count() {
        return pipelines.size();
    }

    private long acquire(Specialised specialised) {
        checkNeeds(specialised);
        return compiled.acquire(specialised, device.counters());
    }

    private void checkNeeds(Specialised specialised) {
        ByteBuffer spirv = specialised.kernel().load();
        try {
            KernelNeeds.of(spirv, specialised.constants())
                    .check(
                            "the kernel " + specialised.kernel(),
                            specialised.constants().get(0),
                            device.capabilities());
        } finally {
            memFree(spirv);
        }
    }

    @Override
    public void close() {
        if (device.mayDestroy()) {
            pipelines.keySet().forEach(compiled::release);
        }
        pipelines.clear();
    }
}
