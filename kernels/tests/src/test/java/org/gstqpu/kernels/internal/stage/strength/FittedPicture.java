/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.stage.strength;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.reflect.Field;
import java.util.List;
import org.gstqpu.kernels.filter.StrengthTier;

/**
 * What automatic strength measures in a decoded picture, and what the picture becomes at some levels of it. Immutable once read or
 * measured; any thread may read it.
 */
final class FittedPicture {
    /** The levels at which pictures were filtered. Between them, results are interpolated. */
    static final int[] LEVELS = {0, 4, 8, 12, 16, 20, 24, 28, 32, 36};

    /** The counts of histograms: whatever is counted there, the table keeps. */
    private static final List<Field> COUNTS = List.of(StrengthHistograms.class.getDeclaredFields()).stream()
            .filter(field -> field.getType() == int[].class)
            .peek(field -> field.setAccessible(true))
            .toList();

    final StrengthHistograms measured;

    /** PSNR of luma in dB, by level: of footage, from {@link #LEVELS}' length on of drawings. */
    final double[] psnr;

    /** SSIM of luma. */
    final double[] ssim;

    /** Mean square of what the filter changed. */
    final double[] changed;

    FittedPicture(StrengthHistograms measured, double[] psnr, double[] ssim, double[] changed) {
        this.measured = measured;
        this.psnr = psnr;
        this.ssim = ssim;
        this.changed = changed;
    }

    /** The number in {@link StrengthTier#ALL} of a column of the results. */
    static int tier(int column) {
        return StrengthTier.number(column >= LEVELS.length, LEVELS[column % LEVELS.length]);
    }

    /** The value at a tier, by a straight line between the columns around it. */
    static double at(double[] results, int tier) {
        int first = StrengthTier.isDrawn(tier) ? LEVELS.length : 0;
        int level = Math.min(StrengthTier.level(tier, first > 0), LEVELS[LEVELS.length - 1]);
        if (level == 0) {
            return results[0];
        }
        int before = 0;
        while (before < LEVELS.length - 2 && level >= LEVELS[before + 1]) {
            before++;
        }
        double share = (double) (level - LEVELS[before]) / (LEVELS[before + 1] - LEVELS[before]);
        return results[first + before] * (1 - share) + results[first + before + 1] * share;
    }

    static FittedPicture read(DataInputStream in) throws IOException {
        StrengthHistograms measured = new StrengthHistograms();
        for (Field field : COUNTS) {
            int[] counts = counts(measured, field);
            for (int i = 0; i < counts.length; i++) {
                counts[i] = in.readInt();
            }
        }
        double[][] results = new double[3][2 * LEVELS.length];
        for (double[] result : results) {
            for (int column = 0; column < result.length; column++) {
                result[column] = in.readFloat();
            }
        }
        return new FittedPicture(measured, results[0], results[1], results[2]);
    }

    void write(DataOutputStream out) throws IOException {
        for (Field field : COUNTS) {
            for (int count : counts(measured, field)) {
                out.writeInt(count);
            }
        }
        for (double[] result : List.of(psnr, ssim, changed)) {
            for (double value : result) {
                out.writeFloat((float) value);
            }
        }
    }

    private static int[] counts(StrengthHistograms measured, Field field) {
        try {
            return (int[]) field.get(measured);
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }
}
