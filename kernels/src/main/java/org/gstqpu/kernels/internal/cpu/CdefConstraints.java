/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.cpu;

/**
 * The constraint function of CDEF (AV1 specification, 7.15.3) as tables, one for each strength and damping in use, for
 * one bit depth. Written by the thread that configures a filter, read by its workers afterwards.
 */
final class CdefConstraints {
    /**
     * What stands in a tile for a sample that is not available: its difference from any sample, modulo a table's
     * length, lies between those that samples can have, where all tables hold 0 (-1536 is 512 modulo 1024, 2560 modulo
     * 4096); as a signed number it is less than any sample, as an unsigned one more.
     */
    static final short UNAVAILABLE = -1536;

    private static final int SHIFTS = 16;

    private final int length;
    private final byte[][] tables;

    CdefConstraints(int bitDepth) {
        // Differences need one bit more than samples; another one keeps room for those from UNAVAILABLE.
        this.length = 4 << bitDepth;
        this.tables = new byte[(16 << (bitDepth - 8)) * SHIFTS][];
        prepare(0, 0);
    }

    /** Makes the table for a strength and a damping, both scaled to the bit depth, if it is not there yet. */
    void prepare(int strength, int damping) {
        int index = index(strength, damping);
        if (tables[index] != null) {
            return;
        }
        byte[] table = new byte[length];
        int shift = shift(strength, damping);
        for (int magnitude = 1; magnitude < length / 4; magnitude++) {
            int kept = Math.min(magnitude, Math.max(0, strength - (magnitude >> shift)));
            table[magnitude] = (byte) kept;
            table[length - magnitude] = (byte) -kept;
        }
        tables[index] = table;
    }

    /** The constrained difference d, at index d modulo the table's length, which is a power of two. */
    byte[] table(int strength, int damping) {
        return tables[index(strength, damping)];
    }

    private static int index(int strength, int damping) {
        return strength * SHIFTS + shift(strength, damping);
    }

    /** By how much a difference is shifted before it lowers the strength. */
    static int shift(int strength, int damping) {
        return strength == 0 ? 0 : Math.max(0, damping - (31 - Integer.numberOfLeadingZeros(strength)));
    }
}
