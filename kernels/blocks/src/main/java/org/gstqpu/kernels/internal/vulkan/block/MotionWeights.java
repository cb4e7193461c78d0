/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.block;

import static org.lwjgl.system.MemoryUtil.memPutShort;

import org.gstqpu.kernels.block.Vp9InterpolationFilter;
import org.gstqpu.kernels.internal.vulkan.device.MemoryKind;
import org.gstqpu.kernels.internal.vulkan.memory.BufferPool;
import org.gstqpu.kernels.internal.vulkan.memory.BufferRange;
import org.gstqpu.kernels.internal.vulkan.memory.DeviceBuffer;

/**
 * Owns the weights of VP9's interpolation filters in device memory, as f16, in units of 128. Belongs to the context's
 * thread.
 */
public final class MotionWeights implements AutoCloseable {
    private static final int WEIGHT_BYTES = 2;
    private static final int F16_MANTISSA_BITS = 10;
    private static final int F16_BIAS = 15;
    private static final int WEIGHT_BITS = 7;

    private final BufferPool pool;
    private final DeviceBuffer buffer;

    public MotionWeights(BufferPool pool) {
        this.pool = pool;
        int perFilter = Vp9InterpolationFilter.PHASES * Vp9InterpolationFilter.TAPS;
        Vp9InterpolationFilter[] filters = Vp9InterpolationFilter.values();
        buffer = pool.acquire(MemoryKind.UPLOAD, (long) filters.length * perFilter * WEIGHT_BYTES);
        for (Vp9InterpolationFilter filter : filters) {
            for (int i = 0; i < perFilter; i++) {
                int weight = filter.tap(i / Vp9InterpolationFilter.TAPS, i % Vp9InterpolationFilter.TAPS);
                long at = buffer.address() + ((long) filter.code() * perFilter + i) * WEIGHT_BYTES;
                memPutShort(at, f16Of128ths(weight));
            }
        }
    }

    /** Converts a weight of at most 11 bits from units of 1/128 to f16, which holds it exactly. */
    public static short f16Of128ths(int weight) {
        if (weight == 0) {
            return 0;
        }
        int magnitude = Math.abs(weight);
        int exponent = 31 - Integer.numberOfLeadingZeros(magnitude);
        int mantissa = (magnitude << (F16_MANTISSA_BITS - exponent)) & ((1 << F16_MANTISSA_BITS) - 1);
        int sign = weight < 0 ? 0x8000 : 0;
        return (short) (sign | ((exponent - WEIGHT_BITS + F16_BIAS) << F16_MANTISSA_BITS) | mantissa);
    }

    public BufferRange range() {
        return buffer.range();
    }

    @Override
    public void close() {
        pool.release(buffer);
    }
}
