/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.work;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.lwjgl.BufferUtils;

/**
 * Owns the values of one kernel's push constants. The offset of each value is the one that the build has read from the
 * shader. {@link Commands#push} records all values, any number of times. Mutable, so that a recording allocates
 * nothing. Belongs to the context's thread.
 */
public final class PushConstants {
    private static final int WORD_BYTES = 4;

    private final ByteBuffer bytes;

    /** One bit for each word that has no value yet. */
    private int missing;

    /**
     * Makes push constants without values.
     *
     * @param sizeBytes size of the block that the shader declares, a multiple of 4, at most
     *     {@link KernelPipelines#PUSH_CONSTANT_BYTES}; 0 if it declares none
     */
    public PushConstants(int sizeBytes) {
        bytes = BufferUtils.createByteBuffer(sizeBytes).order(ByteOrder.nativeOrder());
        missing = sizeBytes == 0 ? 0 : -1 >>> (Integer.SIZE - sizeBytes / WORD_BYTES);
    }

    public PushConstants put(int at, int value) {
        bytes.putInt(at, value);
        missing &= ~(1 << (at / WORD_BYTES));
        return this;
    }

    /** Puts an element of an array of words, which lie side by side. */
    public PushConstants put(int at, int index, int value) {
        return put(at + index * WORD_BYTES, value);
    }

    public PushConstants put(int at, float value) {
        return put(at, Float.floatToRawIntBits(value));
    }

    /** Puts an element of an array of words, which lie side by side. */
    public PushConstants put(int at, int index, float value) {
        return put(at + index * WORD_BYTES, value);
    }

    /**
     * All values, to be read only.
     *
     * @throws IllegalStateException if one was never put: then the shader has a member that the caller does not know
     */
    ByteBuffer bytes() {
        if (missing != 0) {
            throw new IllegalStateException("the push constant at byte "
                    + Integer.numberOfTrailingZeros(missing) * WORD_BYTES + " of " + bytes.capacity()
                    + " was never put");
        }
        return bytes;
    }

    /** All values as words, for measurements. */
    public List<Integer> words() {
        List<Integer> words = new ArrayList<>();
        for (int at = 0; at < bytes().capacity(); at += WORD_BYTES) {
            words.add(bytes.getInt(at));
        }
        return words;
    }
}
