/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.bench.dispatch;

import static org.lwjgl.system.MemoryStack.stackPush;
import static org.lwjgl.vulkan.VK11.*;

import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import org.gstqpu.kernels.internal.vulkan.device.VulkanDevice;
import org.gstqpu.kernels.internal.vulkan.device.VulkanResult;
import org.gstqpu.kernels.internal.vulkan.work.Commands;
import org.gstqpu.kernels.substrate.DeviceException;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VkComputePipelineCreateInfo;
import org.lwjgl.vulkan.VkDescriptorSetLayoutBinding;
import org.lwjgl.vulkan.VkDescriptorSetLayoutCreateInfo;
import org.lwjgl.vulkan.VkPipelineLayoutCreateInfo;
import org.lwjgl.vulkan.VkPushConstantRange;
import org.lwjgl.vulkan.VkShaderModuleCreateInfo;
import org.lwjgl.vulkan.VkSpecializationInfo;
import org.lwjgl.vulkan.VkSpecializationMapEntry;

/** Owns the pipeline of a {@link DispatchWork} and the pipeline's layouts. Belongs to the context's thread. */
final class WorkPipeline implements AutoCloseable {
    private static final int WORD_BYTES = 4;

    private final VulkanDevice device;
    private final DispatchWork work;
    private long setLayout;
    private long layout;
    private long pipeline;

    /**
     * @throws DeviceException when the driver cannot make the pipeline; nothing is leaked
     */
    WorkPipeline(VulkanDevice device, DispatchWork work) {
        this.device = device;
        this.work = work;
        try (MemoryStack stack = stackPush()) {
            createLayouts(stack);
            createPipeline(stack);
        } catch (DeviceException e) {
            close();
            throw e;
        }
    }

    private void createLayouts(MemoryStack stack) {
        VkDescriptorSetLayoutBinding.Buffer bindings =
                VkDescriptorSetLayoutBinding.calloc(work.buffers().size(), stack);
        for (int i = 0; i < work.buffers().size(); i++) {
            bindings.get(i)
                    .binding(i)
                    .descriptorType(VK_DESCRIPTOR_TYPE_STORAGE_BUFFER)
                    .descriptorCount(1)
                    .stageFlags(VK_SHADER_STAGE_COMPUTE_BIT);
        }
        LongBuffer result = stack.mallocLong(1);
        VkDescriptorSetLayoutCreateInfo setInfo =
                VkDescriptorSetLayoutCreateInfo.calloc(stack).sType$Default().pBindings(bindings);
        device.counters().countCreated();
        VulkanResult.check(
                vkCreateDescriptorSetLayout(device.handle(), setInfo, null, result), "vkCreateDescriptorSetLayout");
        setLayout = result.get(0);
        VkPipelineLayoutCreateInfo layoutInfo = VkPipelineLayoutCreateInfo.calloc(stack)
                .sType$Default()
                .pSetLayouts(stack.longs(setLayout))
                .pPushConstantRanges(VkPushConstantRange.calloc(1, stack)
                        .stageFlags(VK_SHADER_STAGE_COMPUTE_BIT)
                        .size(work.pushConstants().size() * 4));
        device.counters().countCreated();
        VulkanResult.check(vkCreatePipelineLayout(device.handle(), layoutInfo, null, result), "vkCreatePipelineLayout");
        layout = result.get(0);
    }

    private void createPipeline(MemoryStack stack) {
        LongBuffer result = stack.mallocLong(1);
        VkShaderModuleCreateInfo moduleInfo =
                VkShaderModuleCreateInfo.calloc(stack).sType$Default().pCode(work.spirv());
        device.counters().countCreated();
        VulkanResult.check(vkCreateShaderModule(device.handle(), moduleInfo, null, result), "vkCreateShaderModule");
        long module = result.get(0);
        try {
            int constants = work.specialisation().size();
            VkSpecializationMapEntry.Buffer entries = VkSpecializationMapEntry.calloc(constants, stack);
            ByteBuffer data = stack.malloc(4, constants * 4);
            for (int i = 0; i < constants; i++) {
                entries.get(i).constantID(i).offset(i * 4).size(4);
                data.putInt(work.specialisation().get(i));
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
            device.counters().countCreated();
            VulkanResult.check(
                    vkCreateComputePipelines(device.handle(), VK_NULL_HANDLE, info, null, result),
                    "vkCreateComputePipelines");
            pipeline = result.get(0);
        } finally {
            vkDestroyShaderModule(device.handle(), module, null);
        }
    }

    DispatchWork work() {
        return work;
    }

    long setLayout() {
        return setLayout;
    }

    long layout() {
        return layout;
    }

    /** Records one dispatch over the buffers of {@code set}. */
    void record(Commands commands, long set) {
        commands.bindPipeline(pipeline);
        commands.bindDescriptorSet(set);
        for (int i = 0; i < work.pushConstants().size(); i++) {
            commands.push(i * WORD_BYTES, work.pushConstants().get(i));
        }
        commands.dispatch(work.workgroups(), 1, 1);
    }

    @Override
    public void close() {
        if (device.mayDestroy()) {
            vkDestroyPipeline(device.handle(), pipeline, null);
            vkDestroyPipelineLayout(device.handle(), layout, null);
            vkDestroyDescriptorSetLayout(device.handle(), setLayout, null);
        }
        pipeline = 0;
        layout = 0;
        setLayout = 0;
    }
}
