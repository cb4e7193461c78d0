/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.quality;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;

/**
 * What libvmaf lets its users choose of CAMBI and of SpEED, by its names. Immutable.
 *
 * @param encWidth {@code enc_width}: luma samples a row that were encoded, 180 to 7680, before the picture was scaled up: CAMBI takes the
 *     nearest sample for each. 0 if the picture was not scaled. A size that is larger than the picture counts as the picture's
 * @param encHeight {@code enc_height}: luma rows that were encoded, 150 to 7680; 0 exactly if the width is
 * @param encBits {@code enc_bitdepth}: bits of a sample that was encoded, 6 to 16; 0 for those of the picture. For fewer than 10, CAMBI smooths
 *     dither
 * @param speedUp {@code cambi_high_res_speedup}: pictures from so many rows, 1080, 1440 or 2160 at 16:9, are halved for CAMBI; 0 for none
 * @param kernelScale {@code speed_kernelscale}: how much wider SpEED's filters are, one of those that libvmaf knows
 * @param prescale {@code speed_prescale}: by how much {@link QualityMetric#SPEED_CHROMA} scales a component first, 0.1 to 4
 * @param prescaleMethod {@code speed_prescale_method}: how it does
 */
public record MetricOptions(
        int encWidth,
        int encHeight,
        int encBits,
        int speedUp,
        double kernelScale,
        double prescale,
        PrescaleMethod prescaleMethod) {
    /** How a component is scaled. */
    public enum PrescaleMethod {
        NEAREST,
        BILINEAR,
        BICUBIC,
        LANCZOS4;

        private String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private static final double[] KERNEL_SCALES = {
        1,
        1 / 2.0,
        3 / 2.0,
        2,
        2 / 3.0,
        2.4,
        360 / 97.0,
        4 / 3.0,
        3.5 / 3,
        3.75 / 3,
        4.25 / 3,
        5 / 3.0,
        3,
        1 / 2.25,
        1.4746,
        1.54,
        1.6,
        1.06667,
        0.711111,
        0.74074,
        1.111111
    };

    /** What VMAF v1 has. */
    public static final MetricOptions USUAL = new MetricOptions(0, 0, 0, 1080, 1, 1, PrescaleMethod.NEAREST);

    /** The names, as {@link #with} takes them. */
    public static final List<String> NAMES = List.of(
            "cambi_high_res_speedup",
            "enc_bitdepth",
            "enc_height",
            "enc_width",
            "speed_kernelscale",
            "speed_prescale",
            "speed_prescale_method");

    /** Numbers that differ by less are the same to libvmaf. */
    private static final double SAME = 1e-3;

    /**
     * Checks all.
     *
     * @throws IllegalArgumentException for a number that libvmaf does not take; the message names the option and what it takes
     */
    public MetricOptions {
        requireIn("enc_width", encWidth, 180, 7680);
        requireIn("enc_height", encHeight, 150, 7680);
        requireIn("enc_bitdepth", encBits, 6, 16);
        if (!List.of(0, 1080, 1440, 2160).contains(speedUp)) {
            throw new IllegalArgumentException("cambi_high_res_speedup is 0, 1080, 1440 or 2160, given " + speedUp);
        }
        double given = kernelScale;
        if (DoubleStream.of(KERNEL_SCALES).noneMatch(known -> Math.abs(known - given) < SAME)) {
            throw new IllegalArgumentException("speed_kernelscale is one of "
                    + String.join(
                            ", ",
                            DoubleStream.of(KERNEL_SCALES)
                                    .sorted()
                                    .mapToObj(MetricOptions::text)
                                    .toList())
                    + ", given " + text(kernelScale));
        }
        if (!(prescale >= 0.1 && prescale <= 4)) {
            throw new IllegalArgumentException("speed_prescale is 0.1 to 4, given " + prescale);
        }
    }

    private static void requireIn(String name, int value, int least, int most) {
        if (value != 0 && (value < least || value > most)) {
            throw new IllegalArgumentException(name + " is " + least + " to " + most + ", given " + value);
        }
    }

    /**
     * The same with another value of an option.
     *
     * @param name one of {@link #NAMES}
     * @throws IllegalArgumentException for a value that the option does not take; the message names both
     */
    public MetricOptions with(String name, String value) {
        try {
            return switch (name) {
                case "enc_width" ->
                    new MetricOptions(
                            Integer.parseInt(value),
                            encHeight,
                            encBits,
                            speedUp,
                            kernelScale,
                            prescale,
                            prescaleMethod);
                case "enc_height" ->
                    new MetricOptions(
                            encWidth, Integer.parseInt(value), encBits, speedUp, kernelScale, prescale, prescaleMethod);
                case "enc_bitdepth" ->
                    new MetricOptions(
                            encWidth,
                            encHeight,
                            Integer.parseInt(value),
                            speedUp,
                            kernelScale,
                            prescale,
                            prescaleMethod);
                case "cambi_high_res_speedup" ->
                    new MetricOptions(
                            encWidth,
                            encHeight,
                            encBits,
                            Integer.parseInt(value),
                            kernelScale,
                            prescale,
                            prescaleMethod);
                case "speed_kernelscale" ->
                    new MetricOptions(
                            encWidth, encHeight, encBits, speedUp, Double.parseDouble(value), prescale, prescaleMethod);
                case "speed_prescale" ->
                    new MetricOptions(
                            encWidth,
                            encHeight,
                            encBits,
                            speedUp,
                            kernelScale,
                            Double.parseDouble(value),
                            prescaleMethod);
                case "speed_prescale_method" ->
                    new MetricOptions(encWidth, encHeight, encBits, speedUp, kernelScale, prescale, method(value));
                default ->
                    throw new IllegalArgumentException(
                            "there is no option " + name + "; there are " + String.join(", ", NAMES));
            };
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(name + " is a number, given " + value, e);
        }
    }

    private static PrescaleMethod method(String value) {
        for (PrescaleMethod method : PrescaleMethod.values()) {
            if (method.label().equals(value)) {
                return method;
            }
        }
        throw new IllegalArgumentException(
                "speed_prescale_method is nearest, bilinear, bicubic or lanczos4, given " + value);
    }

    /** True if pictures of this size were scaled up after they were encoded. */
    public boolean wereScaled(int width, int height) {
        return encWidth > 0
                && encHeight > 0
                && encWidth <= width
                && encHeight <= height
                && !(encWidth == width && encHeight == height);
    }

    /** True if {@link QualityMetric#SPEED_CHROMA} scales a component first. */
    public boolean prescales() {
        return Math.abs(prescale - 1) >= SAME;
    }

    /** Name of a figure with these options in libvmaf's logs: {@link QualityFeature#label} with those that are not the usual ones. */
    public String label(QualityFeature feature) {
        String label = feature.label();
        return switch (feature.metric()) {
            case CAMBI ->
                label.replace("_hrs_1080", named("hrs", speedUp, 0))
                        + named("encbd", encBits, 0)
                        + named("ench", encHeight, 0)
                        + named("encw", encWidth, 0);
            case SPEED_CHROMA ->
                withKernel(label)
                        .replace(
                                "_snn",
                                named("ps", prescale, 1)
                                        + (prescaleMethod == PrescaleMethod.NEAREST
                                                ? ""
                                                : "_psm_" + prescaleMethod.label())
                                        + "_snn");
            case SPEED_CHROMA_PHONE, SPEED_CHROMA_4K_3H -> withKernel(label);
            default -> label;
        };
    }

    private String withKernel(String label) {
        return label.replace("_mxv", named("ks", kernelScale, 1) + "_mxv");
    }

    private static String named(String alias, double value, double usual) {
        return value == usual ? "" : "_" + alias + "_" + text(value);
    }

    /** With six digits, as libvmaf prints numbers. */
    private static String text(double value) {
        return new BigDecimal(value)
                .round(new MathContext(6))
                .stripTrailingZeros()
                .toPlainString();
    }
}
