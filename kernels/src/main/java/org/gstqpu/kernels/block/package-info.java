/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/**
 * Codec primitives over many blocks at once, for decoders that offload: VP9 inverse transform, loop filter and motion
 * compensation, AV1 CDEF, H.264 edge deblocking.
 *
 * <p>A {@link org.gstqpu.kernels.block.BlockContext} makes {@link org.gstqpu.kernels.block.KernelBuffer}s; a {@link
 * org.gstqpu.kernels.block.BlockCall} names the buffers of one call; {@link
 * org.gstqpu.kernels.block.BlockContext#prepare} does once all that can be done once and returns a {@link
 * org.gstqpu.kernels.block.PreparedCall}, which then runs any number of times. An {@link
 * org.gstqpu.kernels.block.EdgeSchedule} runs edges in parallel that a decoder applies one after the other.
 *
 * <p><b>Records.</b> Per-block parameters are packed little-endian records without padding, one after the other from the
 * start of their buffer; the call's class says which byte is what and has a {@code putRecord} to write one. Offsets are
 * unsigned 32-bit byte offsets into a picture's buffer, below 2<sup>31</sup>. Pictures are single planes of 8-bit
 * samples (10-bit ones: 16-bit little-endian, the value in the low bits) with a stride in bytes that is a multiple of 4.
 *
 * <p><b>Range.</b> A kernel never touches memory outside its buffers, whatever the records say: a position that would
 * lead outside is moved to the nearest one that does not, and the call's result is then meaningless but harmless. {@link
 * org.gstqpu.kernels.block.BlockCall#checkRecords} finds such records; it reads them on the CPU and is meant for tests
 * and debugging.
 */
package org.gstqpu.kernels.block;
