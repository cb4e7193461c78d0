/*
 * The calls of Vulkan that the fault layer counts and can make fail. Whoever includes this list defines CALL before:
 *
 *   CALL (level, when, name, handle, parameters, arguments, fills, results)
 *
 * level       INSTANCE_LEVEL or DEVICE_LEVEL, by the object that the call belongs to
 * when        INSTEAD: a call that is to fail is not made, and what it would write stays as it is.
 *             AFTERWARDS: a call that is to fail is made, and the failure takes the place of VK_SUCCESS. The calls that wait
 *             or poll are such, so that the device has done its work when a test frees what the work used.
 * name        without "vk"; of a core call, also without the KHR that its name has as an extension
 * handle      the parameter that tells which instance or device is meant
 * parameters  with their types
 * arguments   the names of the parameters
 * fills       for a call that tells a number where it gets no array: the array that it fills otherwise; NULL for all other calls
 * results     in parentheses: how the call may fail, as the specification says it. VK_INCOMPLETE is among them, because its caller has
 *             to go on with a part. Results that belong to what is never asked for are not: those of capture and replay, and of shaders
 *             in GLSL. FaultLayerTest compares the lists with the specification's.
 *
 * vkCreateInstance and vkCreateDevice are not listed: faultlayer.c treats them by themselves.
 *
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#define NO_MEMORY VK_ERROR_OUT_OF_HOST_MEMORY, VK_ERROR_OUT_OF_DEVICE_MEMORY

CALL (INSTANCE_LEVEL, INSTEAD, EnumeratePhysicalDevices, instance,
    (VkInstance instance, uint32_t *count, VkPhysicalDevice *devices),
    (instance, count, devices), devices,
    (NO_MEMORY, VK_ERROR_INITIALIZATION_FAILED, VK_INCOMPLETE))
CALL (INSTANCE_LEVEL, INSTEAD, EnumerateDeviceExtensionProperties, device,
    (VkPhysicalDevice device, const char *layer, uint32_t *count,
        VkExtensionProperties *properties),
    (device, layer, count, properties), properties,
    (NO_MEMORY, VK_ERROR_LAYER_NOT_PRESENT, VK_INCOMPLETE))
CALL (INSTANCE_LEVEL, INSTEAD, CreateDebugUtilsMessengerEXT, instance,
    (VkInstance instance, const VkDebugUtilsMessengerCreateInfoEXT *info,
        const VkAllocationCallbacks *allocator,
        VkDebugUtilsMessengerEXT *messenger),
    (instance, info, allocator, messenger), NULL, (VK_ERROR_OUT_OF_HOST_MEMORY))
CALL (DEVICE_LEVEL, INSTEAD, AcquireProfilingLockKHR, device,
    (VkDevice device, const VkAcquireProfilingLockInfoKHR *info),
    (device, info), NULL, (VK_ERROR_OUT_OF_HOST_MEMORY, VK_TIMEOUT))
CALL (DEVICE_LEVEL, INSTEAD, AllocateCommandBuffers, device,
    (VkDevice device, const VkCommandBufferAllocateInfo *info,
        VkCommandBuffer *buffers),
    (device, info, buffers), NULL, (NO_MEMORY))
CALL (DEVICE_LEVEL, INSTEAD, AllocateDescriptorSets, device,
    (VkDevice device, const VkDescriptorSetAllocateInfo *info,
        VkDescriptorSet *sets),
    (device, info, sets), NULL,
    (NO_MEMORY, VK_ERROR_FRAGMENTED_POOL, VK_ERROR_OUT_OF_POOL_MEMORY))
CALL (DEVICE_LEVEL, INSTEAD, AllocateMemory, device,
    (VkDevice device, const VkMemoryAllocateInfo *info,
        const VkAllocationCallbacks *allocator, VkDeviceMemory *memory),
    (device, info, allocator, memory), NULL,
    (NO_MEMORY, VK_ERROR_INVALID_EXTERNAL_HANDLE))
CALL (DEVICE_LEVEL, INSTEAD, BeginCommandBuffer, buffer,
    (VkCommandBuffer buffer, const VkCommandBufferBeginInfo *info),
    (buffer, info), NULL, (NO_MEMORY))
CALL (DEVICE_LEVEL, INSTEAD, BindBufferMemory, device,
    (VkDevice device, VkBuffer buffer, VkDeviceMemory memory,
        VkDeviceSize offset),
    (device, buffer, memory, offset), NULL, (NO_MEMORY))
CALL (DEVICE_LEVEL, INSTEAD, CreateBuffer, device,
    (VkDevice device, const VkBufferCreateInfo *info,
        const VkAllocationCallbacks *allocator, VkBuffer *buffer),
    (device, info, allocator, buffer), NULL, (NO_MEMORY))
CALL (DEVICE_LEVEL, INSTEAD, CreateBufferView, device,
    (VkDevice device, const VkBufferViewCreateInfo *info,
        const VkAllocationCallbacks *allocator, VkBufferView *view),
    (device, info, allocator, view), NULL, (NO_MEMORY))
CALL (DEVICE_LEVEL, INSTEAD, CreateCommandPool, device,
    (VkDevice device, const VkCommandPoolCreateInfo *info,
        const VkAllocationCallbacks *allocator, VkCommandPool *pool),
    (device, info, allocator, pool), NULL, (NO_MEMORY))
CALL (DEVICE_LEVEL, INSTEAD, CreateComputePipelines, device,
    (VkDevice device, VkPipelineCache cache, uint32_t count,
        const VkComputePipelineCreateInfo *infos,
        const VkAllocationCallbacks *allocator, VkPipeline *pipelines),
    (device, cache, count, infos, allocator, pipelines), NULL, (NO_MEMORY))
CALL (DEVICE_LEVEL, INSTEAD, CreateDescriptorPool, device,
    (VkDevice device, const VkDescriptorPoolCreateInfo *info,
        const VkAllocationCallbacks *allocator, VkDescriptorPool *pool),
    (device, info, allocator, pool), NULL, (NO_MEMORY, VK_ERROR_FRAGMENTATION))
CALL (DEVICE_LEVEL, INSTEAD, CreateDescriptorSetLayout, device,
    (VkDevice device, const VkDescriptorSetLayoutCreateInfo *info,
        const VkAllocationCallbacks *allocator, VkDescriptorSetLayout *layout),
    (device, info, allocator, layout), NULL, (NO_MEMORY))
CALL (DEVICE_LEVEL, INSTEAD, CreateFence, device,
    (VkDevice device, const VkFenceCreateInfo *info,
        const VkAllocationCallbacks *allocator, VkFence *fence),
    (device, info, allocator, fence), NULL, (NO_MEMORY))
CALL (DEVICE_LEVEL, INSTEAD, CreatePipelineCache, device,
    (VkDevice device, const VkPipelineCacheCreateInfo *info,
        const VkAllocationCallbacks *allocator, VkPipelineCache *cache),
    (device, info, allocator, cache), NULL, (NO_MEMORY))
CALL (DEVICE_LEVEL, INSTEAD, CreatePipelineLayout, device,
    (VkDevice device, const VkPipelineLayoutCreateInfo *info,
        const VkAllocationCallbacks *allocator, VkPipelineLayout *layout),
    (device, info, allocator, layout), NULL, (NO_MEMORY))
CALL (DEVICE_LEVEL, INSTEAD, CreateQueryPool, device,
    (VkDevice device, const VkQueryPoolCreateInfo *info,
        const VkAllocationCallbacks *allocator, VkQueryPool *pool),
    (device, info, allocator, pool), NULL, (NO_MEMORY))
CALL (DEVICE_LEVEL, INSTEAD, CreateSemaphore, device,
    (VkDevice device, const VkSemaphoreCreateInfo *info,
        const VkAllocationCallbacks *allocator, VkSemaphore *semaphore),
    (device, info, allocator, semaphore), NULL, (NO_MEMORY))
CALL (DEVICE_LEVEL, INSTEAD, CreateShaderModule, device,
    (VkDevice device, const VkShaderModuleCreateInfo *info,
        const VkAllocationCallbacks *allocator, VkShaderModule *module),
    (device, info, allocator, module), NULL, (NO_MEMORY))
CALL (DEVICE_LEVEL, AFTERWARDS, DeviceWaitIdle, device, (VkDevice device),
    (device), NULL, (NO_MEMORY, VK_ERROR_DEVICE_LOST))
CALL (DEVICE_LEVEL, INSTEAD, EndCommandBuffer, buffer, (VkCommandBuffer buffer),
    (buffer), NULL, (NO_MEMORY))
CALL (DEVICE_LEVEL, AFTERWARDS, GetFenceStatus, device,
    (VkDevice device, VkFence fence), (device, fence), NULL,
    (NO_MEMORY, VK_ERROR_DEVICE_LOST))
CALL (DEVICE_LEVEL, INSTEAD, GetMemoryFdPropertiesKHR, device,
    (VkDevice device, VkExternalMemoryHandleTypeFlagBits type, int descriptor,
        VkMemoryFdPropertiesKHR *properties),
    (device, type, descriptor, properties), NULL,
    (VK_ERROR_OUT_OF_HOST_MEMORY, VK_ERROR_INVALID_EXTERNAL_HANDLE))
CALL (DEVICE_LEVEL, INSTEAD, GetMemoryHostPointerPropertiesEXT, device,
    (VkDevice device, VkExternalMemoryHandleTypeFlagBits type,
        const void *pointer, VkMemoryHostPointerPropertiesEXT *properties),
    (device, type, pointer, properties), NULL,
    (VK_ERROR_OUT_OF_HOST_MEMORY, VK_ERROR_INVALID_EXTERNAL_HANDLE))
CALL (DEVICE_LEVEL, INSTEAD, GetPipelineCacheData, device,
    (VkDevice device, VkPipelineCache cache, size_t *size, void *data),
    (device, cache, size, data), data, (NO_MEMORY, VK_INCOMPLETE))
CALL (DEVICE_LEVEL, INSTEAD, GetSemaphoreFdKHR, device,
    (VkDevice device, const VkSemaphoreGetFdInfoKHR *info, int *descriptor),
    (device, info, descriptor), NULL,
    (VK_ERROR_TOO_MANY_OBJECTS, VK_ERROR_OUT_OF_HOST_MEMORY))
CALL (DEVICE_LEVEL, INSTEAD, ImportSemaphoreFdKHR, device,
    (VkDevice device, const VkImportSemaphoreFdInfoKHR *info), (device, info),
    NULL, (VK_ERROR_OUT_OF_HOST_MEMORY, VK_ERROR_INVALID_EXTERNAL_HANDLE))
CALL (DEVICE_LEVEL, INSTEAD, MapMemory, device,
    (VkDevice device, VkDeviceMemory memory, VkDeviceSize offset,
        VkDeviceSize size, VkMemoryMapFlags flags, void **address),
    (device, memory, offset, size, flags, address), NULL,
    (NO_MEMORY, VK_ERROR_MEMORY_MAP_FAILED))
CALL (DEVICE_LEVEL, INSTEAD, QueueSubmit, queue,
    (VkQueue queue, uint32_t count, const VkSubmitInfo *submits, VkFence fence),
    (queue, count, submits, fence), NULL, (NO_MEMORY, VK_ERROR_DEVICE_LOST))
CALL (DEVICE_LEVEL, INSTEAD, ResetFences, device,
    (VkDevice device, uint32_t count, const VkFence *fences),
    (device, count, fences), NULL, (VK_ERROR_OUT_OF_DEVICE_MEMORY))
CALL (DEVICE_LEVEL, AFTERWARDS, WaitForFences, device,
    (VkDevice device, uint32_t count, const VkFence *fences, VkBool32 all,
        uint64_t timeout),
    (device, count, fences, all, timeout), NULL,
    (NO_MEMORY, VK_ERROR_DEVICE_LOST))
