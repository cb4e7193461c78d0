/**
 * The Vulkan substrate. {@link org.gstqpu.kernels.internal.vulkan.VulkanFilterContext} opens a device and makes its filters, meters
 * and block calls. Every class below this package belongs to the context's thread unless the class says otherwise.
 */
package org.gstqpu.kernels.internal.vulkan;
