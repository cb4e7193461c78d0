/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.quality;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import org.gstqpu.kernels.picture.PictureComponent;
import org.gstqpu.kernels.quality.QualityFeature;
import org.gstqpu.kernels.quality.QualityFigures;
import org.gstqpu.kernels.quality.QualityMetric;
import org.gstqpu.kernels.quality.Xpsnr;

/**
 * The sums of a pair's blocks from which XPSNR follows, and the figures. The error of a block counts the less, the more detail and
 * motion its reference has. Mutable, so that measuring a picture allocates nothing. Belongs to one thread at a time.
 */
public final class XpsnrSums {
    private static final PictureComponent[] COMPONENTS = PictureComponent.values();

    /** What a difference in time counts, beside one in space. */
    private static final int TEMPORAL_WEIGHT = 2;

    /** The square of the mean detail of a picture of 3840x2160 by 2^(2 bits - 9). */
    private static final double MEAN_DETAIL = 16;

    private static final int MEAN_DETAIL_SHIFT = 9;

    /** The least detail of a block is 2^(bits - 6). */
    private static final int LEAST_DETAIL_SHIFT = 6;

    /** In pictures of so many luma samples or fewer, a block weighs no more than both its neighbours. */
    private static final int MOST_SAMPLES_SMOOTHED = 640 * 480;

    private final XpsnrShape shape;
    private final Map<PictureComponent, long[]> errors = new EnumMap<>(PictureComponent.class);
    private final long[] spatial;
    private final long[] firstOrder;
    private final long[] secondOrder;
    private final double[] weights;
    private final double meanDetail;

    public XpsnrSums(XpsnrShape shape) {
        this.shape = shape;
        int blocks = shape.columns() * shape.rows();
        for (PictureComponent component : COMPONENTS) {
            if (component.isIn(shape.format())) {
                errors.put(component, new long[blocks]);
            }
        }
        spatial = new long[blocks];
        firstOrder = new long[blocks];
        secondOrder = new long[blocks];
        weights = new double[blocks];
        meanDetail = Math.sqrt(MEAN_DETAIL
                * (1 << (2 * shape.format().bitDepth() - MEAN_DETAIL_SHIFT))
                / Math.sqrt(shape.sizeToUhd()));
    }

    /** Sets all sums to 0. */
    public void clear() {
        for (PictureComponent component : COMPONENTS) {
            if (errors.containsKey(component)) {
                Arrays.fill(errors.get(component), 0);
            }
        }
        Arrays.fill(spatial, 0);
        Arrays.fill(firstOrder, 0);
        Arrays.fill(secondOrder, 0);
    }

    /** Adds squared differences of samples of a component, of a block that is numbered row by row. */
    public void addError(PictureComponent component, int block, long sum) {
        errors.get(component)[block] += sum;
    }

    /** Adds sizes of the reference's luma after the spatial high-pass. */
    public void addSpatial(int block, long sum) {
        spatial[block] += sum;
    }

    /**
     * Adds sizes of differences in time of the reference's luma, where what is before the first picture counts as 0.
     *
     * @param first of the difference from the picture before
     * @param second of the difference of that difference from the one before it
     */
    public void addTemporal(int block, long first, long second) {
        firstOrder[block] += first;
        secondOrder[block] += second;
    }

    /** Sets the figures that are wanted, of {@link QualityMetric#XPSNR} and {@link QualityMetric#XPSNR_HFR}. */
    public void put(Set<QualityMetric> wanted, QualityFigures figures) {
        if (wanted.contains(QualityMetric.XPSNR)) {
            weigh(firstOrder);
            double y = decibels(PictureComponent.Y);
            double cb = decibels(PictureComponent.CB);
            double cr = decibels(PictureComponent.CR);
            figures.set(QualityFeature.XPSNR_Y, y);
            figures.set(QualityFeature.XPSNR_CB, cb);
            figures.set(QualityFeature.XPSNR_CR, cr);
            figures.set(QualityFeature.XPSNR_WEIGHTED, Xpsnr.weighted(y, cb, cr));
            figures.set(QualityFeature.XPSNR_MINIMUM, Xpsnr.minimum(y, cb, cr));
        }
        if (wanted.contains(QualityMetric.XPSNR_HFR)) {
            weigh(secondOrder);
            double y = decibels(PictureComponent.Y);
            double cb = decibels(PictureComponent.CB);
            double cr = decibels(PictureComponent.CR);
            figures.set(QualityFeature.XPSNR_HFR_Y, y);
            figures.set(QualityFeature.XPSNR_HFR_CB, cb);
            figures.set(QualityFeature.XPSNR_HFR_CR, cr);
            figures.set(QualityFeature.XPSNR_HFR_WEIGHTED, Xpsnr.weighted(y, cb, cr));
            figures.set(QualityFeature.XPSNR_HFR_MINIMUM, Xpsnr.minimum(y, cb, cr));
        }
    }

    private void weigh(long[] temporal) {
        boolean smoothed = shape.samples() <= MOST_SAMPLES_SMOOTHED;
        int block = 0;
        for (int row = 0; row < shape.rows(); row++) {
            for (int column = 0; column < shape.columns(); column++) {
                weights[block] = weight(block, column, row, temporal);
                if (smoothed) {
                    smooth(block, column);
                }
                block++;
            }
        }
        int last = block - 1;
        if (smoothed && last > shape.columns()) {
            weights[last] = Math.min(weights[last], Math.max(weights[last - 1], weights[last - shape.columns()]));
        }
    }

    private double weight(int block, int column, int row, long[] temporal) {
        int across = shape.seenAcross(column);
        int down = shape.seenDown(row);
        if (across <= 0 || down <= 0) {
            return 1;
        }
        double detail = (shape.hasSpatialDetail(column) ? spatial[block] : 0) / ((double) across * down);
        detail += TEMPORAL_WEIGHT * temporal[block] / ((double) shape.widthOfColumn(column) * shape.heightOfRow(row));
        return 1 / Math.max(detail, 1 << (shape.format().bitDepth() - LEAST_DETAIL_SHIFT));
    }

    /**
     * Lets the block before one weigh no more than the greatest of its neighbours: to the left, to the right, above. FFmpeg does it in
     * this order, with weights that may be smoothed already, and treats the ends of rows as it comes.
     */
    private void smooth(int block, int column) {
        if (block == 0) {
            return;
        }
        double greatest;
        if (column == 0) {
            greatest = block > 1 ? weights[block - 2] : 0;
        } else {
            greatest = column > 1 ? Math.max(weights[block - 2], weights[block]) : weights[block];
        }
        if (block > shape.columns()) {
            greatest = Math.max(greatest, weights[block - 1 - shape.columns()]);
        }
        weights[block - 1] = Math.min(weights[block - 1], greatest);
    }

    /** NaN for a component that the pictures do not have. */
    private double decibels(PictureComponent component) {
        long[] sums = errors.get(component);
        if (sums == null) {
            return Double.NaN;
        }
        double weighted = 0;
        for (int block = 0; block < sums.length; block++) {
            weighted += sums[block] * weights[block];
        }
        int peak = shape.format().peak();
        double greatest = (double) shape.width(component) * shape.height(component) * peak * peak;
        return 10 * Math.log10(greatest / (long) (weighted * meanDetail + 0.5));
    }
}
