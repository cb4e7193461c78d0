/** Loader, instance, physical and logical device: what a device can do, and which device is chosen. */
package org.gstqpu.kernels.internal.vulkan.device;
