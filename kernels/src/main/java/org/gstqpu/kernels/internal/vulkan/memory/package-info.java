/** Buffers of the device: its own from a pool, and imported ones (dmabufs, memory of the process). */
package org.gstqpu.kernels.internal.vulkan.memory;
