package org.gstqpu.kernels.vulkan;

/**
 * Part of a VkBuffer, as a descriptor names it.
 *
 * @param buffer handle of the VkBuffer
 * @param offsetBytes where the part begins, aligned as the device asks
 * @param sizeBytes its length
 */
record BufferRange(long buffer, long offsetBytes, long sizeBytes) {}
