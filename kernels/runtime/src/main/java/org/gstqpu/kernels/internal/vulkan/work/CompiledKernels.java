/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.work;

import static org.lwjgl.system.MemoryStack.stackPush;
import static org.lwjgl.system.MemoryUtil.memFree;
import static org.lwjgl.vulkan.VK11.*;

import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.gstqpu.kernels.internal.vulkan.device.DeviceHandle;
import org.gstqpu.kernels.internal.vulkan.device.PipelineCache;
import org.gstqpu.kernels.internal.vulkan.device.VulkanCounters;
import org.gstqpu.kernels.internal.vulkan.device.VulkanCounters.Counted;
import org.gstqpu.kernels.internal.vulkan.device.VulkanResult;
import org.gstqpu.kernels.substrate.DeviceException;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VkComputePipelineCreateInfo;
import org.lwjgl.vulkan.VkDescriptorSetLayoutBinding;
import org.lwjgl.vulkan.VkDescriptorSetLayoutCreateInfo;
import org.lwjgl.vulkan.VkDevice;
import org.lwjgl.vulkan.VkPipelineLayoutCreateInfo;
import org.lwjgl.vulkan.VkPushConstantRange;
import org.lwjgl.vulkan.VkShaderModuleCreateInfo;
import org.lwjgl.vulkan.VkSpecializationInfo;
import org.lwjgl.vulkan.VkSpecializationMapEntry;

/**
 * Owns the compute pipelines of a VkDevice and the layouts that they share. A pipeline is made for the first {@link KernelPipelines} that
 * asks for it, and destroyed when the last of these is done with it. Any thread: contexts that share the VkDevice share it.
 */
final class CompiledKernels implements AutoCloseable {
    /** A kernel with its specialisation constants, which are immutable. */
    record Specialised(Kernel kernel, List<Integer> constants) {}

    private static final class Shared {
        private final long pipeline;
        private int users;

        private Shared(long pipeline) {
            this.pipeline = pipeline;
        }
    }

    private final VkDevice device;
    private final PipelineCache pipelineCache;

    /** Guarded by this object. */
    private final Map<Kernel, Long> modules = new HashMap<>();

    /** Guarded by this object. */
    private final Map<Specialised, Shared> pipelines = new HashMap<>();

    private long setLayout;
    private long layout;

    /**
     * Makes the layouts.
     *
     * @param handle stays the caller's, and is closed after this object
     */
    CompiledKernels(DeviceHandle handle) {
        device = handle.device();
        pipelineCache = handle.pipelineCache();
        try (MemoryStack stack = stackPush()) {
            VkDescriptorSetLayoutBinding.Buffer bindings =
                    VkDescriptorSetLayoutBinding.calloc(KernelPipelines.BINDINGS, stack);
            for (int i = 0; i < KernelPipelines.BINDINGS; i++) {
                bindings.get(i)
                        .binding(i)
                        .descriptorType(VK_DESCRIPTOR_TYPE_STORAGE_BUFFER)
                        .descriptorCount(1)
                        .stageFlags(VK_SHADER_STAGE_COMPUTE_BIT);
            }
            LongBuffer result = stack.mallocLong(1);
            VkDescriptorSetLayoutCreateInfo setInfo = VkDescriptorSetLayoutCreateInfo.calloc(stack)
                    .sType$Default()
                    .pBindings(bindings);
            VulkanResult.check(
                    vkCreateDescriptorSetLayout(device, setInfo, null, result), "vkCreateDescriptorSetLayout");
            setLayout = result.get(0);
            VkPipelineLayoutCreateInfo layoutInfo = VkPipelineLayoutCreateInfo.calloc(stack)
                    .sType$Default()
                    .pSetLayouts(stack.longs(setLayout))
                    .pPushConstantRanges(VkPushConstantRange.calloc(1, stack)
                            .stageFlags(VK_SHADER_STAGE_COMPUTE_BIT)
                            .size(KernelPipelines.PUSH_CONSTANT_BYTES));
            VulkanResult.check(vkCreatePipelineLayout(device, layoutInfo, null, result), "vkCreatePipelineLayout");
            layout = result.get(0);
        } catch (DeviceException e) {
            close();
            throw e;
        }
    }

    long setLayout() {
        return setLayout;
    }

    long layout() {
        return layout;
    }

    /** Returns the pipeline, and makes it if there is none. Each call is a share, which {@link #release} gives back. */
    synchronized long acquire(Specialised specialised, VulkanCounters counters) {
        Shared shared = pipelines.computeIfAbsent(specialised, wanted -> new Shared(create(wanted, counters)));
        shared.users++;
        return shared.pipeline;
    }

    /** Gives a share of a pipeline back. No work of it that was submitted by the caller may be pending. */
    synchronized void release(Specialised specialised) {
        Shared shared = pipelines.get(specialised);
        if (--shared.users == 0) {
            pipelines.remove(specialised);
            vkDestroyPipeline(device, shared.pipeline, null);
        }
    }

    private long create(Specialised specialised, VulkanCounters counters) {
        long module = modules.computeIfAbsent(specialised.kernel(), kernel -> createModule(kernel, counters));
        try (MemoryStack stack = stackPush()) {
            int constants = specialised.constants().size();
            VkSpecializationMapEntry.Buffer entries = VkSpecializationMapEntry.calloc(constants, stack);
            ByteBuffer data = stack.malloc(4, constants * 4);
            for (int i = 0; i < constants; i++) {
                entries.get(i).constantID(i).offset(i * 4).size(4);
                data.putInt(specialised.constants().get(i));
            }
            VkComputePipelineCreateInfo.Buffer info =
                    VkComputePipelineCreateInfo.calloc(1, stack).sType$Default().layout(layout);
            info.stage()
                    .sType$Default()
                    .stage(VK_SHADER_STAGE_COMPUTE_BIT)
                    .module(module)
                    .pName(stack.UTF8("main"))
                    .pSpecializationInfo(VkSpecializationInfo.calloc(stack)
                            .pMapEntries(entries)
                            .pData(data.flip()));
            LongBuffer result = stack.mallocLong(1);
            counters.add(Counted.OBJECTS_CREATED);
            VulkanResult.check(
                    vkCreateComputePipelines(device, pipelineCache.handle(), info, null, result),
                    "vkCreateComputePipelines of " + specialised.kernel());
            return result.get(0);
        }
    }

    private long createModule(Kernel kernel, VulkanCounters counters) {
        ByteBuffer spirv = kernel.load();
        try (MemoryStack stack = stackPush()) {
            VkShaderModuleCreateInfo info =
                    VkShaderModuleCreateInfo.calloc(stack).sType$Default().pCode(spirv);
            LongBuffer result = stack.mallocLong(1);
            counters.add(Counted.OBJECTS_CREATED);
            VulkanResult.check(vkCreateShaderModule(device, info, null, result), "vkCreateShaderModule of " + kernel);
            return result.get(0);
        } finally {
            memFree(spirv);
        }
    }

    /** Destroys everything. Nobody has work pending. */
    @Override
    public synchronized void close() {
        pipelines.values().forEach(shared -> vkDestroyPipeline(device, shared.pipeline, null));
        modules.values().forEach(module -> vkDestroyShaderModule(device, module, null));
        vkDestroyPipelineLayout(device, layout, null);
        vkDestroyDescriptorSetLayout(device, setLayout, null);
        pipelines.clear();
        modules.clear();
        layout = 0;
        setLayout = 0;
    }
}
