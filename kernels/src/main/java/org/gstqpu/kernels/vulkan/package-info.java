/**
 * The Vulkan substrate: {@link org.gstqpu.kernels.vulkan.VulkanFilterContext} runs the kernels on a device, {@link
 * org.gstqpu.kernels.vulkan.VulkanDevices} tells what devices there are. Every class belongs to one thread at a time, that
 * of the context, unless it says otherwise.
 */
package org.gstqpu.kernels.vulkan;
