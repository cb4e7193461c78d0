/** Block calls on the device. */
package org.gstqpu.kernels.internal.vulkan.block;
