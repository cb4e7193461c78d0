/*
 * The calls of Vulkan that the fault layer counts and can make fail. Whoever includes this list defines CALL before:
 *
 *   CALL (level, when, name, handle, parameters, arguments)
 *
 * level       INSTANCE_LEVEL or DEVICE_LEVEL, by the object that the call belongs to
 * when        INSTEAD: a call that is to fail is not made, and what it would write stays as it is.
 *             AFTERWARDS: a call that is to fail is made, and the failure takes the place of VK_SUCCESS. The calls that wait
 *             or poll are such, so that the device has done its work when a test frees what the work used. This does not
 *             hold for vkGetSemaphoreCounterValue, which always succeeds.
 * name        without "vk"; of a core call, also without the KHR that its name has as an extension
 * handle      the parameter that tells which instance or device is meant
 * parameters  with their types
 * arguments   the names of the parameters
 *
 * vkCreateInstance and vkCreateDevice are not listed: faultlayer.c treats them by themselves.
 *
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
CALL (INSTANCE_LEVEL, INSTEAD, EnumeratePhysicalDevices, instance,
    (VkInstance instance, uint32_t *count, VkPhysicalDevice *devices),
    (instance, count, devices))
CALL (INSTANCE_LEVEL, INSTEAD, EnumerateDeviceExtensionProperties, device,
    (VkPhysicalDevice device, const char *layer, uint32_t *count,
        VkExtensionProperties *properties),
    (device, layer, count, properties))
CALL (INSTANCE_LEVEL, INSTEAD,
    EnumeratePhysicalDeviceQueueFamilyPerformanceQueryCountersKHR, device,
    (VkPhysicalDevice device, uint32_t family, uint32_t *count,
        VkPerformanceCounterKHR *counters,
        VkPerformanceCounterDescriptionKHR *descriptions),
    (device, family, count, counters, descriptions))
CALL (INSTANCE_LEVEL, INSTEAD, CreateDebugUtilsMessengerEXT, instance,
    (VkInstance instance, const VkDebugUtilsMessengerCreateInfoEXT *info,
        const VkAllocationCallbacks *allocator,
        VkDebugUtilsMessengerEXT *messenger),
    (instance, info, allocator, messenger))
CALL (DEVICE_LEVEL, INSTEAD, AcquireProfilingLockKHR, device,
    (VkDevice device, const VkAcquireProfilingLockInfoKHR *info),
    (device, info))
CALL (DEVICE_LEVEL, INSTEAD, AllocateCommandBuffers, device,
    (VkDevice device, const VkCommandBufferAllocateInfo *info,
        VkCommandBuffer *buffers),
    (device, info, buffers))
CALL (DEVICE_LEVEL, INSTEAD, AllocateDescriptorSets, device,
    (VkDevice device, const VkDescriptorSetAllocateInfo *info,
        VkDescriptorSet *sets),
    (device, info, sets))
CALL (DEVICE_LEVEL, INSTEAD, AllocateMemory, device,
    (VkDevice device, const VkMemoryAllocateInfo *info,
        const VkAllocationCallbacks *allocator, VkDeviceMemory *memory),
    (device, info, allocator, memory))
CALL (DEVICE_LEVEL, INSTEAD, BeginCommandBuffer, buffer,
    (VkCommandBuffer buffer, const VkCommandBufferBeginInfo *info),
    (buffer, info))
CALL (DEVICE_LEVEL, INSTEAD, BindBufferMemory, device,
    (VkDevice device, VkBuffer buffer, VkDeviceMemory memory,
        VkDeviceSize offset),
    (device, buffer, memory, offset))
CALL (DEVICE_LEVEL, INSTEAD, CreateBuffer, device,
    (VkDevice device, const VkBufferCreateInfo *info,
        const VkAllocationCallbacks *allocator, VkBuffer *buffer),
    (device, info, allocator, buffer))
CALL (DEVICE_LEVEL, INSTEAD, CreateBufferView, device,
    (VkDevice device, const VkBufferViewCreateInfo *info,
        const VkAllocationCallbacks *allocator, VkBufferView *view),
    (device, info, allocator, view))
CALL (DEVICE_LEVEL, INSTEAD, CreateCommandPool, device,
    (VkDevice device, const VkCommandPoolCreateInfo *info,
        const VkAllocationCallbacks *allocator, VkCommandPool *pool),
    (device, info, allocator, pool))
CALL (DEVICE_LEVEL, INSTEAD, CreateComputePipelines, device,
    (VkDevice device, VkPipelineCache cache, uint32_t count,
        const VkComputePipelineCreateInfo *infos,
        const VkAllocationCallbacks *allocator, VkPipeline *pipelines),
    (device, cache, count, infos, allocator, pipelines))
CALL (DEVICE_LEVEL, INSTEAD, CreateDescriptorPool, device,
    (VkDevice device, const VkDescriptorPoolCreateInfo *info,
        const VkAllocationCallbacks *allocator, VkDescriptorPool *pool),
    (device, info, allocator, pool))
CALL (DEVICE_LEVEL, INSTEAD, CreateDescriptorSetLayout, device,
    (VkDevice device, const VkDescriptorSetLayoutCreateInfo *info,
        const VkAllocationCallbacks *allocator, VkDescriptorSetLayout *layout),
    (device, info, allocator, layout))
CALL (DEVICE_LEVEL, INSTEAD, CreateFence, device,
    (VkDevice device, const VkFenceCreateInfo *info,
        const VkAllocationCallbacks *allocator, VkFence *fence),
    (device, info, allocator, fence))
CALL (DEVICE_LEVEL, INSTEAD, CreatePipelineCache, device,
    (VkDevice device, const VkPipelineCacheCreateInfo *info,
        const VkAllocationCallbacks *allocator, VkPipelineCache *cache),
    (device, info, allocator, cache))
CALL (DEVICE_LEVEL, INSTEAD, CreatePipelineLayout, device,
    (VkDevice device, const VkPipelineLayoutCreateInfo *info,
        const VkAllocationCallbacks *allocator, VkPipelineLayout *layout),
    (device, info, allocator, layout))
CALL (DEVICE_LEVEL, INSTEAD, CreateQueryPool, device,
    (VkDevice device, const VkQueryPoolCreateInfo *info,
        const VkAllocationCallbacks *allocator, VkQueryPool *pool),
    (device, info, allocator, pool))
CALL (DEVICE_LEVEL, INSTEAD, CreateSemaphore, device,
    (VkDevice device, const VkSemaphoreCreateInfo *info,
        const VkAllocationCallbacks *allocator, VkSemaphore *semaphore),
    (device, info, allocator, semaphore))
CALL (DEVICE_LEVEL, INSTEAD, CreateShaderModule, device,
    (VkDevice device, const VkShaderModuleCreateInfo *info,
        const VkAllocationCallbacks *allocator, VkShaderModule *module),
    (device, info, allocator, module))
CALL (DEVICE_LEVEL, AFTERWARDS, DeviceWaitIdle, device, (VkDevice device),
    (device))
CALL (DEVICE_LEVEL, INSTEAD, EndCommandBuffer, buffer, (VkCommandBuffer buffer),
    (buffer))
CALL (DEVICE_LEVEL, AFTERWARDS, GetFenceStatus, device,
    (VkDevice device, VkFence fence), (device, fence))
CALL (DEVICE_LEVEL, INSTEAD, GetMemoryFdPropertiesKHR, device,
    (VkDevice device, VkExternalMemoryHandleTypeFlagBits type, int descriptor,
        VkMemoryFdPropertiesKHR *properties),
    (device, type, descriptor, properties))
CALL (DEVICE_LEVEL, INSTEAD, GetMemoryHostPointerPropertiesEXT, device,
    (VkDevice device, VkExternalMemoryHandleTypeFlagBits type,
        const void *pointer, VkMemoryHostPointerPropertiesEXT *properties),
    (device, type, pointer, properties))
CALL (DEVICE_LEVEL, INSTEAD, GetPipelineCacheData, device,
    (VkDevice device, VkPipelineCache cache, size_t *size, void *data),
    (device, cache, size, data))
CALL (DEVICE_LEVEL, AFTERWARDS, GetQueryPoolResults, device,
    (VkDevice device, VkQueryPool pool, uint32_t first, uint32_t count,
        size_t size, void *data, VkDeviceSize stride, VkQueryResultFlags flags),
    (device, pool, first, count, size, data, stride, flags))
CALL (DEVICE_LEVEL, AFTERWARDS, GetSemaphoreCounterValue, device,
    (VkDevice device, VkSemaphore semaphore, uint64_t *value),
    (device, semaphore, value))
CALL (DEVICE_LEVEL, INSTEAD, GetSemaphoreFdKHR, device,
    (VkDevice device, const VkSemaphoreGetFdInfoKHR *info, int *descriptor),
    (device, info, descriptor))
CALL (DEVICE_LEVEL, INSTEAD, ImportSemaphoreFdKHR, device,
    (VkDevice device, const VkImportSemaphoreFdInfoKHR *info), (device, info))
CALL (DEVICE_LEVEL, INSTEAD, MapMemory, device,
    (VkDevice device, VkDeviceMemory memory, VkDeviceSize offset,
        VkDeviceSize size, VkMemoryMapFlags flags, void **address),
    (device, memory, offset, size, flags, address))
CALL (DEVICE_LEVEL, INSTEAD, QueueSubmit, queue,
    (VkQueue queue, uint32_t count, const VkSubmitInfo *submits, VkFence fence),
    (queue, count, submits, fence))
CALL (DEVICE_LEVEL, INSTEAD, ResetFences, device,
    (VkDevice device, uint32_t count, const VkFence *fences),
    (device, count, fences))
CALL (DEVICE_LEVEL, INSTEAD, SignalSemaphore, device,
    (VkDevice device, const VkSemaphoreSignalInfo *info), (device, info))
CALL (DEVICE_LEVEL, AFTERWARDS, WaitForFences, device,
    (VkDevice device, uint32_t count, const VkFence *fences, VkBool32 all,
        uint64_t timeout),
    (device, count, fences, all, timeout))
CALL (DEVICE_LEVEL, AFTERWARDS, WaitSemaphores, device,
    (VkDevice device, const VkSemaphoreWaitInfo *info, uint64_t timeout),
    (device, info, timeout))
