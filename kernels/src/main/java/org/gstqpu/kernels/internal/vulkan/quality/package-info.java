/** Quality metrics on the device. */
package org.gstqpu.kernels.internal.vulkan.quality;
