/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The bytes of a fuzzer, read as numbers from front to back; 0 where they have ended. */
public final class FuzzInput {
    /** Numbers at which arithmetic goes wrong, if it does. */
    private static final int[] EDGES = {
        0,
        1,
        -1,
        2,
        3,
        15,
        16,
        17,
        63,
        64,
        65,
        127,
        128,
        255,
        256,
        4096,
        65535,
        65536,
        1 << 29,
        1 << 30,
        (1 << 30) + 1,
        Integer.MAX_VALUE - 1,
        Integer.MAX_VALUE,
        Integer.MIN_VALUE
    };

    private final ByteBuffer bytes;

    /** Begins at the first byte. */
    public FuzzInput(byte[] bytes) {
        this.bytes = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** 0 to 255. */
    public int octet() {
        return bytes.hasRemaining() ? bytes.get() & 0xff : 0;
    }

    /** 0 to {@code bound} - 1, where that is 256 at most. */
    public int below(int bound) {
        return octet() % bound;
    }

    /** Any number: one at an edge, a small one, or four bytes as they are. */
    public int number() {
        int kind = octet();
        if (kind < 128) {
            return kind;
        }
        if (kind < 192) {
            return EDGES[octet() % EDGES.length];
        }
        return octet() | octet() << 8 | octet() << 16 | octet() << 24;
    }

    /** So many of the bytes that are left, or all of them if there are fewer. */
    public byte[] take(int count) {
        byte[] taken = new byte[Math.min(count, bytes.remaining())];
        bytes.get(taken);
        return taken;
    }

    /** The bytes that are left. */
    public byte[] rest() {
        return take(bytes.remaining());
    }
}
