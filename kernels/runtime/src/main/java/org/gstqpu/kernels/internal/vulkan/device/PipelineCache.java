/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.device;

import static org.lwjgl.system.MemoryStack.stackPush;
import static org.lwjgl.system.MemoryUtil.memAlloc;
import static org.lwjgl.system.MemoryUtil.memFree;
import static org.lwjgl.vulkan.VK11.*;

import java.lang.System.Logger;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import org.lwjgl.PointerBuffer;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VkDevice;
import org.lwjgl.vulkan.VkPhysicalDevice;
import org.lwjgl.vulkan.VkPhysicalDeviceProperties;
import org.lwjgl.vulkan.VkPipelineCacheCreateInfo;

/**
 * Owns the VkPipelineCache of a device. It begins with what a {@link PipelineCacheFile} holds. {@link #close} writes the file
 * again if pipelines were added. If the driver makes no cache, each run compiles the pipelines. Belongs to the context's
 * thread.
 */
public final class PipelineCache implements AutoCloseable {
    private static final Logger LOG = System.getLogger(PipelineCache.class.getName());

    private final VkDevice device;
    private final Optional<PipelineCacheFile> file;
    private final byte[] loaded;
    private long handle;

    /**
     * Makes the cache. If the driver makes none, that is logged, and {@link #handle} is VK_NULL_HANDLE.
     *
     * @param device stays the caller's, and is destroyed after this object is closed
     * @param file empty for a cache that is lost with the device
     */
    PipelineCache(VkDevice device, Optional<PipelineCacheFile> file) {
        this.device = device;
        this.file = file;
        this.loaded = file.flatMap(PipelineCacheFile::read).orElse(new byte[0]);
        ByteBuffer initial = memAlloc(loaded.length).put(loaded).flip();
        try (MemoryStack stack = stackPush()) {
            VkPipelineCacheCreateInfo info =
                    VkPipelineCacheCreateInfo.calloc(stack).sType$Default().pInitialData(initial);
            LongBuffer made = stack.mallocLong(1);
            int result = vkCreatePipelineCache(device, info, null, made);
            if (result == VK_SUCCESS) {
                handle = made.get(0);
            } else {
                LOG.log(
                        Logger.Level.WARNING,
                        () -> "pipelines are compiled anew: "
                                + VulkanResult.failure(result, "vkCreatePipelineCache")
                                        .getMessage());
            }
        } finally {
            memFree(initial);
        }
    }

    /** Returns the device and the driver, by which cache files are told apart. */
    static PipelineCacheFile.Maker maker(VkPhysicalDevice physical) {
        try (MemoryStack stack = stackPush()) {
            VkPhysicalDeviceProperties properties = VkPhysicalDeviceProperties.malloc(stack);
            vkGetPhysicalDeviceProperties(physical, properties);
            byte[] uuid = new byte[VK_UUID_SIZE];
            properties.pipelineCacheUUID().get(uuid);
            return new PipelineCacheFile.Maker(
                    properties.vendorID(),
                    properties.deviceID(),
                    properties.driverVersion(),
                    HexFormat.of().formatHex(uuid));
        }
    }

    /** Returns the VkPipelineCache; VK_NULL_HANDLE if the driver made none. */
    public long handle() {
        return handle;
    }

    /** Returns how many bytes were read from the file. */
    int loadedBytes() {
        return loaded.length;
    }

    /** Returns the content of the cache; empty if the driver does not give any. */
    private Optional<byte[]> data() {
        try (MemoryStack stack = stackPush()) {
            PointerBuffer size = stack.mallocPointer(1);
            int result = vkGetPipelineCacheData(device, handle, size, null);
            if (result != VK_SUCCESS || size.get(0) == 0) {
                return Optional.empty();
            }
            ByteBuffer data = memAlloc((int) size.get(0));
            try {
                result = vkGetPipelineCacheData(device, handle, size, data);
                if (result != VK_SUCCESS) {
                    return Optional.empty();
                }
                byte[] bytes = new byte[(int) size.get(0)];
                data.get(bytes);
                return Optional.of(bytes);
            } finally {
                memFree(data);
            }
        }
    }

    /** Writes the file if the content has changed, and destroys the cache. Later calls do nothing. */
    @Override
    public void close() {
        if (handle == VK_NULL_HANDLE) {
            return;
        }
        Optional<byte[]> data = file.isPresent() ? data() : Optional.empty();
        if (data.isPresent() && !Arrays.equals(data.get(), loaded)) {
            file.get().write(data.get());
        }
        vkDestroyPipelineCache(device, handle, null);
        handle = VK_NULL_HANDLE;
    }
}
