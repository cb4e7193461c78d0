/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.stage.cdef;

/**
 * Owns the constraint function of CDEF (AV1 specification, 7.15.3) for one bit depth, as one table for each strength
 * and damping in use. The thread that configures a filter writes the tables; the filter's workers only read them.
 */
public final class CdefConstraints {
    /**
     * Value in a tile of a sample that is not available. Modulo a table's length, its difference from any sample lies
     * between the differences that two samples can have, and there every table holds 0: -1536 is 512 modulo 1024 (8
     * bit) and 2560 modulo 4096 (10 bit). As a signed number it is less than any sample, as an unsigned number more.
     */
    public static final short UNAVAILABLE = -1536;

    private static final int SHIFTS = 16;

    private final int length;
    private final byte[][] tables;

    public CdefConstraints(int bitDepth) {
        // A difference of two samples needs one bit more than a sample. Another bit makes room for differences from
        // UNAVAILABLE.
        this.length = 4 << bitDepth;
        this.tables = new byte[(16 << (bitDepth - 8)) * SHIFTS][];
        prepare(0, 0);
    }

    /** Makes the table for one strength and damping, both scaled to the bit depth, unless it exists already. */
    public void prepare(int strength, int damping) {
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

    /**
     * The table of constrained differences: the entry of difference d is at index d modulo the table's length, which is
     * a power of two.
     */
    byte[] table(int strength, int damping) {
        return tables[index(strength, damping)];
    }

    private static int index(int strength, int damping) {
        return strength * SHIFTS + shift(strength, damping);
    }

    /** By how many bits a difference is shifted right before it lowers the strength. */
    public static int shift(int strength, int damping) {
        return strength == 0 ? 0 : Math.max(0, damping - (31 - Integer.numberOfLeadingZeros(strength)));
    }
}
