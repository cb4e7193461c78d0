/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/**
 * Codec primitives over many blocks at a time, for decoders that offload work: VP9 inverse transform, loop filter and motion
 * compensation, AV1 CDEF, H.264 edge deblocking.
 *
 * <p>A {@link org.gstqpu.kernels.block.BlockContext} makes {@link org.gstqpu.kernels.block.KernelBuffer}s. A {@link
 * org.gstqpu.kernels.block.BlockCall} names the buffers of one call. {@link org.gstqpu.kernels.block.BlockContext#prepare} does all
 * that can be done in advance and returns a {@link org.gstqpu.kernels.block.PreparedCall}, which runs any number of times. An {@link
 * org.gstqpu.kernels.block.EdgeSchedule} runs in parallel the edges that a decoder filters one after the other.
 *
 * <p><b>Records.</b> The parameters of a block are a record: packed, little-endian, without padding. Records follow each other from
 * the start of their buffer. The class of a call says what each byte is, and has a {@code putRecord} that writes a record. Offsets are
 * unsigned 32-bit byte offsets into a picture's buffer, below 2<sup>31</sup>. A picture is a single plane with a stride in bytes that
 * is a multiple of 4. Its samples have 8 bits, or 10 bits in the low bits of 16-bit little-endian words.
 *
 * <p><b>Range.</b> A kernel never touches memory outside its buffers, whatever the records say. A position outside is replaced by the
 * nearest one inside; the result of the call then has no meaning, but does no harm. {@link
 * org.gstqpu.kernels.block.BlockCall#checkRecords} finds such records. It reads them on the CPU and is meant for tests and debugging.
 */
package org.gstqpu.kernels.block;
