/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.cpu.quality;

import org.gstqpu.kernels.internal.quality.Ssimulacra2;

/** Makes XYB, in the range of SSIMULACRA 2, of linear RGB. The order of the operations is libjxl's, see {@link Ssimulacra2}. */
final class OpsinRow {
    private static final float[] ABSORBANCE = Ssimulacra2.absorbance();
    private static final float BIAS_ROOT = (float) Math.cbrt(Ssimulacra2.ABSORBED_BIAS);

    private OpsinRow() {}

    static void convert(float[][] rgb, float[][] xyb, int at, int width) {
        float[] xOut = xyb[0];
        float[] yOut = xyb[1];
        float[] bOut = xyb[2];
        for (int x = 0; x < width; x++) {
            float red = rgb[0][x];
            float green = rgb[1][x];
            float blue = rgb[2][x];
            float l = cone(0, red, green, blue);
            float m = cone(3, red, green, blue);
            float s = cone(6, red, green, blue);
            float y = 0.5f * (l + m);
            xOut[at + x] = 0.5f * (l - m) * Ssimulacra2.X_FACTOR + Ssimulacra2.X_OFFSET;
            yOut[at + x] = y + Ssimulacra2.Y_OFFSET;
            bOut[at + x] = s - y + Ssimulacra2.B_OFFSET;
        }
    }

    private static float cone(int at, float red, float green, float blue) {
        float absorbed = Math.fma(
                ABSORBANCE[at],
                red,
                Math.fma(ABSORBANCE[at + 1], green, Math.fma(ABSORBANCE[at + 2], blue, Ssimulacra2.ABSORBED_BIAS)));
        return cubeRootLess(absorbed, BIAS_ROOT);
    }

    /** The cube root of a number of at least {@link Ssimulacra2#ABSORBED_BIAS}, less another number. */
    private static float cubeRootLess(float value, float less) {
        float third = 1f / 3 * value;
        // 1 / root: minus a third of the exponent, then Newton's steps.
        float inverse = Float.intBitsToFloat(
                Ssimulacra2.ROOT_BIAS - (Float.floatToRawIntBits(value) >> 23) * Ssimulacra2.ROOT_THIRD);
        for (int step = 0; step < 3; step++) {
            float square = inverse * inverse;
            inverse = Math.fma(-third, square * square, 4f / 3 * inverse);
        }
        float square = inverse * inverse;
        inverse = Math.fma(1f / 3, Math.fma(-value, square * square, inverse), inverse);
        return Math.fma(inverse * inverse, value, -less);
    }
}
