/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.quality;

import java.util.stream.IntStream;
import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.kernels.quality.MetricOptions;
import org.gstqpu.kernels.quality.MetricOptions.PrescaleMethod;
import org.gstqpu.kernels.quality.QualityMetric;

/**
 * What SpEED of chroma (Bampis, Gupta, Soundararajan, Bovik, <i>SpEED-QA</i>, 2017, as libvmaf 3.2 has it) sees of a picture: a component
 * is scaled, blurred, and every 16th sample each way is kept. Only the samples that the blur needs are ever scaled. Immutable.
 */
public final class SpeedShape {
    /** Distance of the samples that are kept. */
    private static final int STEP = 16;

    /** Samples of the blur, each way, and of that of the surroundings, in samples that are kept: at a kernel scale of 1. */
    private static final int TAPS = 9;

    private static final int SURROUNDINGS = 2;
    private static final int LEAST_TAPS = 3;

    /** Samples of a blur for each of its standard deviation. */
    private static final float TAPS_OF_DEVIATION = 5;

    /** Distance of the outermost sample of Lanczos' filter, in samples of the source. */
    private static final int LANCZOS = 4;

    /** What bicubic interpolation takes of the slope at a sample. */
    private static final float BICUBIC = -0.75f;

    /** The samples of a component that make up a scaled one, along a row or a column. */
    public static final class Source {
        /** Their numbers. Nobody changes them. */
        public final int[] places;

        /** The share of each, as many. Nobody changes them. */
        public final float[] shares;

        private Source(int... places) {
            this.places = places;
            shares = new float[places.length];
            shares[0] = 1;
        }
    }

    private final PrescaleMethod method;
    private final double scale;
    private final int width;
    private final int height;
    private final float[] blur;
    private final float[] surroundings;
    private final Source[] columns;
    private final Source[] rows;

    /**
     * @param metric one of the three of SpEED
     * @param pictureWidth luma samples a row, as many as the metric needs
     * @param pictureHeight luma rows, likewise
     */
    public SpeedShape(
            QualityMetric metric, MetricOptions options, PixelFormat format, int pictureWidth, int pictureHeight) {
        boolean chosen = metric == QualityMetric.SPEED_CHROMA;
        scale = chosen ? options.prescale() : metric == QualityMetric.SPEED_CHROMA_PHONE ? 0.6 : 0.5;
        method = chosen ? options.prescaleMethod() : PrescaleMethod.BILINEAR;
        float kernelScale = (float) options.kernelScale();
        int taps = taps(TAPS * kernelScale);
        // Wider than its size says: every 16th sample is kept.
        blur = gaussian(taps, (float) (Math.sqrt(4) * taps / TAPS_OF_DEVIATION));
        int around = taps(SURROUNDINGS * kernelScale);
        surroundings = gaussian(around, around / TAPS_OF_DEVIATION);
        // libvmaf leaves out the last sample of an odd number of luma samples.
        columns = sources(pictureWidth * format.chromaWidth(2) / 2);
        rows = sources(pictureHeight * format.chromaHeight(2) / 2);
        width = columns.length / taps;
        height = rows.length / taps;
    }

    /** The next odd number. */
    private static int taps(float number) {
        return Math.max((int) Math.ceil(number) | 1, LEAST_TAPS);
    }

    private Source[] sources(int size) {
        int scaled = (int) (size * scale + 0.5);
        int taps = blur.length;
        Source[] sources = new Source[scaled / STEP * taps];
        for (int i = 0; i < sources.length; i++) {
            int at = i / taps * STEP - taps / 2 + i % taps;
            sources[i] = source(Mirror.index(at, scaled), size, scaled);
        }
        return sources;
    }

    private Source source(int at, int size, int scaled) {
        float ratio = (float) size / scaled;
        float place = (float) ((at + 0.5) * ratio - 0.5);
        int from = (int) Math.floor(place);
        float rest = place - from;
        if (scaled == size) {
            return new Source(at);
        }
        Source source = switch (method) {
            case NEAREST -> new Source((int) (at * ratio));
            case BILINEAR -> new Source(Mirror.index(from, size), Mirror.index((int) Math.ceil(place), size));
            case BICUBIC -> new Source(around(from, -1, 2, size));
            case LANCZOS4 -> new Source(around(from, -LANCZOS, LANCZOS, size));
        };
        for (int i = 0; i < source.places.length; i++) {
            switch (method) {
                case NEAREST -> {}
                case BILINEAR -> {
                    // Before the first sample, libvmaf goes on with the line through the first two.
                    float share = place - source.places[0];
                    source.shares[i] = i == 0 ? 1 - share : share;
                }
                case BICUBIC -> source.shares[i] = bicubic(Math.abs(i - 1 - rest));
                case LANCZOS4 -> source.shares[i] = lanczos(i - LANCZOS - rest);
            }
        }
        return source;
    }

    private static int[] around(int from, int first, int last, int size) {
        return IntStream.rangeClosed(first, last)
                .map(i -> Mirror.index(from + i, size))
                .toArray();
    }

    private static float bicubic(float distance) {
        if (distance < 1) {
            return ((BICUBIC + 2) * distance - (BICUBIC + 3)) * distance * distance + 1;
        }
        return distance < 2 ? (((distance - 5) * distance + 8) * distance - 4) * BICUBIC : 0;
    }

    private static float lanczos(float distance) {
        if (distance == 0) {
            return 1;
        }
        double angle = Math.PI * distance;
        return Math.abs(distance) < LANCZOS
                ? (float) (LANCZOS
                        * Math.sin(angle)
                        * Math.sin(angle / LANCZOS)
                        / (Math.PI * Math.PI * distance * distance))
                : 0;
    }

    /** True if a scaled sample is divided by the sum of the shares of its sources, which is not 1. */
    public boolean isNormalised() {
        return method == PrescaleMethod.LANCZOS4;
    }

    /** Samples a row that are kept. */
    public int width() {
        return width;
    }

    /** Rows that are kept. */
    public int height() {
        return height;
    }

    /** For each column that is kept, the sources of each sample of the {@link #blur}. Nobody changes them. */
    public Source[] columns() {
        return columns;
    }

    /** For each row that is kept, the sources of each sample of the {@link #blur}. Nobody changes them. */
    public Source[] rows() {
        return rows;
    }

    /** Weights of the blur, each way. Nobody changes them. */
    public float[] blur() {
        return blur;
    }

    /** Weights of the samples, each way, that a kept sample's surroundings are. Nobody changes them. */
    public float[] surroundings() {
        return surroundings;
    }

    /** A Gaussian of so many samples, whose weights add up to 1, in libvmaf's order of rounding. */
    private static float[] gaussian(int taps, float deviation) {
        float[] weights = new float[taps];
        float sum = 0;
        float unit = (float) (1 / (deviation * Math.sqrt(2 * Math.PI)));
        for (int i = 0; i < taps; i++) {
            float at = i - taps / 2;
            weights[i] = (float) Math.exp(-0.5 * at / deviation * at / deviation) / unit;
            sum += weights[i];
        }
        for (int i = 0; i < taps; i++) {
            weights[i] /= sum;
        }
        return weights;
    }
}
