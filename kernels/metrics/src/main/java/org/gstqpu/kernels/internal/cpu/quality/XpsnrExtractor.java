/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.cpu.quality;

import java.util.Set;
import org.gstqpu.kernels.internal.quality.XpsnrShape;
import org.gstqpu.kernels.internal.quality.XpsnrSums;
import org.gstqpu.kernels.picture.PictureComponent;
import org.gstqpu.kernels.quality.QualityFigures;
import org.gstqpu.kernels.quality.QualityMetric;

/** XPSNR. */
public final class XpsnrExtractor implements CpuExtractor {
    private static final PictureComponent[] COMPONENTS = PictureComponent.values();

    private final XpsnrShape shape;
    private final XpsnrSums sums;
    private final Set<QualityMetric> wanted;
    private final int width;
    private final int height;

    public XpsnrExtractor(XpsnrShape shape, Set<QualityMetric> wanted) {
        this.shape = shape;
        this.wanted = wanted;
        sums = new XpsnrSums(shape);
        width = shape.width(PictureComponent.Y);
        height = shape.height(PictureComponent.Y);
    }

    @Override
    public void extract(PairSamples pair, QualityFigures figures) {
        sums.clear();
        for (PictureComponent component : COMPONENTS) {
            if (component.isIn(shape.format())) {
                errors(component, pair.reference().of(component), pair.picture().of(component));
            }
        }
        int[] now = pair.reference().luma();
        int[] before = pair.hasPrevious(1) ? pair.previous(1).luma() : null;
        int[] twoBefore = pair.hasPrevious(2) ? pair.previous(2).luma() : null;
        int step = shape.isGrouped() ? 2 : 1;
        for (int y = 0; y < height; y += step) {
            for (int column = 0; column < shape.columns(); column++) {
                int from = column * shape.block();
                int to = Math.min(from + shape.block(), width);
                int block = y / shape.block() * shape.columns() + column;
                if (y >= shape.margin() && y < height - shape.margin()) {
                    int seenFrom = Math.max(from, shape.margin());
                    int seenTo = Math.min(to, width - shape.margin());
                    sums.addSpatial(
                            block,
                            shape.isGrouped()
                                    ? groupedDetail(now, y, seenFrom, seenTo)
                                    : detail(now, y, seenFrom, seenTo));
                }
                if (shape.isGrouped()) {
                    groupedMotion(now, before, twoBefore, y, from, to, block);
                } else {
                    motion(now, before, twoBefore, y, from, to, block);
                }
            }
        }
        sums.put(wanted, figures);
    }

    private void errors(PictureComponent component, int[] reference, int[] picture) {
        int samples = shape.width(component);
        int blockWidth = shape.blockWidth(component);
        int blockHeight = shape.blockHeight(component);
        for (int y = 0; y < shape.height(component); y++) {
            for (int column = 0; column < shape.columns(); column++) {
                int from = y * samples + column * blockWidth;
                int to = y * samples + Math.min((column + 1) * blockWidth, samples);
                long sum = 0;
                for (int i = from; i < to; i++) {
                    int difference = reference[i] - picture[i];
                    sum += (long) difference * difference;
                }
                sums.addError(component, y / blockHeight * shape.columns() + column, sum);
            }
        }
    }

    private long detail(int[] luma, int y, int from, int to) {
        long sum = 0;
        for (int x = from; x < to; x++) {
            int at = y * width + x;
            int beside = luma[at - 1] + luma[at + 1] + luma[at - width] + luma[at + width];
            int corners = luma[at - width - 1] + luma[at - width + 1] + luma[at + width - 1] + luma[at + width + 1];
            sum += Math.abs(12 * luma[at] - 2 * beside - corners);
        }
        return sum;
    }

    private long groupedDetail(int[] luma, int y, int from, int to) {
        long sum = 0;
        for (int x = from; x < to; x += 2) {
            int near = four(luma, x, y, 0, 1) + four(luma, x, y, 1, 0);
            int far = four(luma, x, y, 1, 2) + four(luma, x, y, 0, 2) + four(luma, x, y, 2, 1) + four(luma, x, y, 2, 0);
            sum += Math.abs(12 * four(luma, x, y, 0, 0) - 3 * near - 2 * four(luma, x, y, 1, 1) - far);
        }
        return sum;
    }

    /** The samples so far left and right of the group at (x, y), and so far above and below it. */
    private int four(int[] luma, int x, int y, int across, int down) {
        int left = x - across;
        int right = Math.min(x + 1 + across, width - 1);
        int above = (y - down) * width;
        int below = Math.min(y + 1 + down, height - 1) * width;
        return luma[above + left] + luma[above + right] + luma[below + left] + luma[below + right];
    }

    private void motion(int[] now, int[] before, int[] twoBefore, int y, int from, int to, int block) {
        long first = 0;
        long second = 0;
        for (int x = from; x < to; x++) {
            int at = y * width + x;
            int last = sample(before, at);
            first += Math.abs(now[at] - last);
            second += Math.abs(now[at] - 2 * last + sample(twoBefore, at));
        }
        sums.addTemporal(block, first, second);
    }

    private static int sample(int[] luma, int at) {
        return luma == null ? 0 : luma[at];
    }

    private void groupedMotion(int[] now, int[] before, int[] twoBefore, int y, int from, int to, int block) {
        long first = 0;
        long second = 0;
        for (int x = from; x < to; x += 2) {
            int own = four(now, x, y, 0, 0);
            int last = before == null ? 0 : four(before, x, y, 0, 0);
            first += Math.abs(own - last);
            second += Math.abs(own - 2 * last + (twoBefore == null ? 0 : four(twoBefore, x, y, 0, 0)));
        }
        sums.addTemporal(block, first, second);
    }
}
