/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.cpu.quality;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class SymmetricMatrixTest {
    private static boolean isInvertible(float least) {
        SymmetricMatrix matrix = new SymmetricMatrix(3);
        matrix.elements[0] = 1;
        matrix.elements[4] = least;
        matrix.elements[8] = 2;
        return matrix.findEigenvalues();
    }

    /** As libvmaf's EIGENVALUE_EPS. */
    @Test
    void anEigenvalueBelowAMillionthIsNone() {
        assertTrue(isInvertible(1.01e-6f));
        assertFalse(isInvertible(0.99e-6f));
    }
}
