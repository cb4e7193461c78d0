/** Picture filters on the device: the passes of a picture, their parameters, and the pictures in flight. */
package org.gstqpu.kernels.internal.vulkan.picture;
