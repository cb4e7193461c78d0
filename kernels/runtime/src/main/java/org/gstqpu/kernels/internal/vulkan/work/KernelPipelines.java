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
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.gstqpu.kernels.internal.vulkan.device.VulkanCounters.Counted;
import org.gstqpu.kernels.internal.vulkan.device.VulkanDevice;
import org.gstqpu.kernels.internal.vulkan.device.VulkanResult;
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

/**
 * Owns the compute pipelines of a context and the layouts that they share. Each pipeline is made when it is first asked
 * for. Belongs to the context's thread.
 */
public final class KernelPipelines implements AutoCloseable {
    /** Bytes of push constants of every kernel: the most that Vulkan guarantees. */
    static final int PUSH_CONSTANT_BYTES = 128;

    /** Number of bindings of every kernel. All are storage buffers; each pass decides what they hold. */
    public static final int BINDINGS = 7;

    private record Specialised(Kernel kernel, List<Integer> constants) {}

    private final VulkanDevice device;
    private final Map<Kernel, Long> modules = new HashMap<>();
    private final Map<Specialised, Long> pipelines = new HashMap<>();
    private long setLayout;
    private long layout;

    public KernelPipelines(VulkanDevice device) {
        this.device = device;
        try (MemoryStack stack = stackPush()) {
            VkDescriptorSetLayoutBinding.Buffer bindings = VkDescriptorSetLayoutBinding.calloc(BINDINGS, stack);
            for (int i = 0; i < BINDINGS; i++) {
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
            device.counters().add(Counted.OBJECTS_CREATED);
            VulkanResult.check(
                    vkCreateDescriptorSetLayout(device.handle(), setInfo, null, result), "vkCreateDescriptorSetLayout");
            setLayout = result.get(0);
            VkPipelineLayoutCreateInfo layoutInfo = VkPipelineLayoutCreateInfo.calloc(stack)
                    .sType$Default()
                    .pSetLayouts(stack.longs(setLayout))
                    .pPushConstantRanges(VkPushConstantRange.calloc(1, stack)
                            .stageFlags(VK_SHADER_STAGE_COMPUTE_BIT)
                            .size(PUSH_CONSTANT_BYTES));
            device.counters().add(Counted.OBJECTS_CREATED);
            VulkanResult.check(
                    vkCreatePipelineLayout(device.handle(), layoutInfo, null, result), "vkCreatePipelineLayout");
            layout = result.get(0);
        } catch (DeviceException e) {
            close();
            throw e;
        }
    }

    public long setLayout() {
        return setLayout;
    }

    public long layout() {
        return layout;
    }

    /**
     * The pipeline of a kernel with these specialisation constants.
     *
     * @param constants 32 bits each, numbered from 0, as the kernel's class of constants has them; constant 0 is the number of
     *     invocations of a workgroup. Immutable
     */
    public long pipeline(Kernel kernel, List<Integer> constants) {
        return pipelines.computeIfAbsent(new Specialised(kernel, constants), this::create);
    }

    /** The same, with the constants one by one. */
    public long pipeline(Kernel kernel, int... constants) {
        return pipeline(kernel, Arrays.stream(constants).boxed().toList());
    }

    /** The kernels of which pipelines were made. */
    public Set<Kernel> kernels() {
        return Set.copyOf(modules.keySet());
    }

    /** Number of pipelines made so far. */
    public int count() {
        return pipelines.size();
    }

    private long create(Specialised specialised) {
        checkNeeds(specialised);
        long module = modules.computeIfAbsent(specialised.kernel(), this::createModule);
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
            device.counters().add(Counted.OBJECTS_CREATED);
            VulkanResult.check(
                    vkCreateComputePipelines(
                            device.handle(), device.pipelineCache().handle(), info, null, result),
                    "vkCreateComputePipelines of " + specialised.kernel());
            return result.get(0);
        }
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

    private long createModule(Kernel kernel) {
        ByteBuffer spirv = kernel.load();
        try (MemoryStack stack = stackPush()) {
            VkShaderModuleCreateInfo info =
                    VkShaderModuleCreateInfo.calloc(stack).sType$Default().pCode(spirv);
            LongBuffer result = stack.mallocLong(1);
            device.counters().add(Counted.OBJECTS_CREATED);
            VulkanResult.check(
                    vkCreateShaderModule(device.handle(), info, null, result), "vkCreateShaderModule of " + kernel);
            return result.get(0);
        } finally {
            memFree(spirv);
        }
    }

    @Override
    public void close() {
        if (device.mayDestroy()) {
            pipelines.values().forEach(pipeline -> vkDestroyPipeline(device.handle(), pipeline, null));
            modules.values().forEach(module -> vkDestroyShaderModule(device.handle(), module, null));
            vkDestroyPipelineLayout(device.handle(), layout, null);
            vkDestroyDescriptorSetLayout(device.handle(), setLayout, null);
        }
        pipelines.clear();
        modules.clear();
        layout = 0;
        setLayout = 0;
    }
}
