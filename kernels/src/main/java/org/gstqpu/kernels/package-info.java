/**
 * Codec loop filters on pictures in memory, on the CPU or on a Vulkan device, bit-exact on both.
 *
 * <p>{@link org.gstqpu.kernels.FilterContext} opens a substrate; it makes {@link
 * org.gstqpu.kernels.PictureFilter}s, which run H.264 deblocking and AV1 CDEF over whole pictures, and {@link
 * org.gstqpu.kernels.QualityMeter}s, which say how close pictures come to others. Nothing here knows GStreamer.
 */
package org.gstqpu.kernels;
