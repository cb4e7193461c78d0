/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels;

import org.gstqpu.kernels.filter.H264DeblockParameters;
import org.gstqpu.kernels.filter.H264Tables;
import org.gstqpu.kernels.picture.PixelFormat;

/**
 * H.264 deblocking, sample by sample in the words of ITU-T H.264, 8.7: slow, and independent of the kernels. Edges are
 * left alone where the samples that they need are not in the picture.
 */
public final class ReferenceDeblock {
    /** How strongly lines are filtered; {@code component} is 0 luma, 1 Cb, 2 Cr. */
    public interface Strengths {
        /**
         * bS of a line.
         *
         * @param vertical whether the edge is
         * @param position of the first sample across the edge, along the line
         * @param line row or column of the component
         */
        int bS(int component, boolean vertical, int position, int line);

        /** indexA of a line. */
        int indexA(int component, boolean vertical, int position, int line);

        /** indexB of a line. */
        int indexB(int component, boolean vertical, int position, int line);
    }

    private record Uniform(H264DeblockParameters parameters, PixelFormat.Chroma chroma) implements Strengths {
        @Override
        public int bS(int component, boolean vertical, int position, int line) {
            boolean likeLuma = component == 0 || chroma == PixelFormat.Chroma.FULL;
            int size = likeLuma || (!vertical && chroma == PixelFormat.Chroma.HALF_WIDTH) ? 16 : 8;
            if (position % size == 0) {
                return parameters.macroblockEdgeBs();
            }
            // transform_size_8x8_flag means nothing for chroma whose transform is 4x4 all the same.
            return likeLuma && parameters.transform8x8() && position % 8 != 0 ? 0 : parameters.innerEdgeBs();
        }

        @Override
        public int indexA(int component, boolean vertical, int position, int line) {
            return component == 0
                    ? parameters.lumaIndexA()
                    : component == 1 ? parameters.cbIndexA() : parameters.crIndexA();
        }

        @Override
        public int indexB(int component, boolean vertical, int position, int line) {
            return component == 0
                    ? parameters.lumaIndexB()
                    : component == 1 ? parameters.cbIndexB() : parameters.crIndexB();
        }
    }

    private final SamplePicture picture;
    private final Strengths strengths;

    private ReferenceDeblock(SamplePicture picture, Strengths strengths) {
        this.picture = picture;
        this.strengths = strengths;
    }

    /** The deblocked picture. */
    public static SamplePicture apply(SamplePicture source, H264DeblockParameters parameters) {
        return apply(source, new Uniform(parameters, source.chroma));
    }

    /** The picture deblocked with strengths of each line's own. */
    public static SamplePicture apply(SamplePicture source, Strengths strengths) {
        SamplePicture result = source.copy();
        ReferenceDeblock reference = new ReferenceDeblock(result, strengths);
        for (int mbY = 0; 16 * mbY < source.height; mbY++) {
            for (int mbX = 0; 16 * mbX < source.width; mbX++) {
                for (int component = 0; component < source.components(); component++) {
                    reference.macroblock(component, mbX, mbY);
                }
            }
        }
        return result;
    }

    private void macroblock(int component, int mbX, int mbY) {
        boolean likeLuma = isLikeLuma(component);
        int columns = likeLuma ? 16 : 8;
        int rows = likeLuma || picture.chroma == PixelFormat.Chroma.HALF_WIDTH ? 16 : 8;
        for (int edge = 0; edge < columns; edge += 4) {
            for (int k = 0; k < rows; k++) {
                filterLine(component, true, columns * mbX + edge, rows * mbY + k);
            }
        }
        for (int edge = 0; edge < rows; edge += 4) {
            for (int k = 0; k < columns; k++) {
                filterLine(component, false, rows * mbY + edge, columns * mbX + k);
            }
        }
    }

    /** Whether chromaStyleFilteringFlag is 0. */
    private boolean isLikeLuma(int component) {
        return component == 0 || picture.chroma == PixelFormat.Chroma.FULL;
    }

    /** Filters the samples p3..p0 and q0..q3 that lie across an edge at {@code position}, on line {@code line}. */
    private void filterLine(int component, boolean vertical, int position, int line) {
        int length = vertical ? picture.width(component) : picture.height(component);
        int lines = vertical ? picture.height(component) : picture.width(component);
        boolean likeLuma = isLikeLuma(component);
        int side = likeLuma ? 4 : 2;
        if (position == 0 || position + side > length || line >= lines) {
            return;
        }
        int bS = strengths.bS(component, vertical, position, line);
        if (bS == 0) {
            return;
        }
        int[] p = new int[side];
        int[] q = new int[side];
        for (int i = 0; i < side; i++) {
            p[i] = get(component, vertical, position - 1 - i, line);
            q[i] = get(component, vertical, position + i, line);
        }
        int indexA = strengths.indexA(component, vertical, position, line);
        int indexB = strengths.indexB(component, vertical, position, line);
        int alpha = H264Tables.alpha(indexA) * (1 << (picture.bitDepth - 8));
        int beta = H264Tables.beta(indexB) * (1 << (picture.bitDepth - 8));
        boolean filterSamplesFlag =
                Math.abs(p[0] - q[0]) < alpha && Math.abs(p[1] - p[0]) < beta && Math.abs(q[1] - q[0]) < beta;
        if (!filterSamplesFlag) {
            return;
        }
        if (bS < 4) {
            int tc0 = H264Tables.tc0(bS, indexA) * (1 << (picture.bitDepth - 8));
            normal(component, vertical, position, line, p, q, beta, tc0);
        } else {
            for (int i = 0; i < 3; i++) {
                set(component, vertical, position - 1 - i, line, strong(likeLuma, p, q, alpha, beta, i));
                set(component, vertical, position + i, line, strong(likeLuma, q, p, alpha, beta, i));
            }
        }
    }

    private void normal(int component, boolean vertical, int position, int line, int[] p, int[] q, int beta, int tc0) {
        boolean luma = isLikeLuma(component);
        int most = (1 << picture.bitDepth) - 1;
        int ap = luma ? Math.abs(p[2] - p[0]) : 0;
        int aq = luma ? Math.abs(q[2] - q[0]) : 0;
        int tc = luma ? tc0 + (ap < beta ? 1 : 0) + (aq < beta ? 1 : 0) : tc0 + 1;
        int delta = clip3(-tc, tc, (((q[0] - p[0]) * 4 + (p[1] - q[1]) + 4) >> 3));
        set(component, vertical, position - 1, line, clip3(0, most, p[0] + delta));
        set(component, vertical, position, line, clip3(0, most, q[0] - delta));
        if (luma && ap < beta) {
            int change = clip3(-tc0, tc0, (p[2] + ((p[0] + q[0] + 1) >> 1) - p[1] * 2) >> 1);
            set(component, vertical, position - 2, line, p[1] + change);
        }
        if (luma && aq < beta) {
            int change = clip3(-tc0, tc0, (q[2] + ((p[0] + q[0] + 1) >> 1) - q[1] * 2) >> 1);
            set(component, vertical, position + 1, line, q[1] + change);
        }
    }

    /** p'i of 8.7.2.4 for samples p on one side and q on the other; q'i when they are exchanged. */
    private static int strong(boolean luma, int[] p, int[] q, int alpha, int beta, int i) {
        if (luma && Math.abs(p[2] - p[0]) < beta && Math.abs(p[0] - q[0]) < ((alpha >> 2) + 2)) {
            return switch (i) {
                case 0 -> (p[2] + 2 * p[1] + 2 * p[0] + 2 * q[0] + q[1] + 4) >> 3;
                case 1 -> (p[2] + p[1] + p[0] + q[0] + 2) >> 2;
                default -> (2 * p[3] + 3 * p[2] + p[1] + p[0] + q[0] + 4) >> 3;
            };
        }
        if (i == 0) {
            return (2 * p[1] + p[0] + q[1] + 2) >> 2;
        }
        return i < p.length ? p[i] : -1;
    }

    private int get(int component, boolean vertical, int position, int line) {
        return vertical ? picture.get(component, position, line) : picture.get(component, line, position);
    }

    private void set(int component, boolean vertical, int position, int line, int value) {
        if (value < 0) {
            return;
        }
        if (vertical) {
            picture.set(component, position, line, value);
        } else {
            picture.set(component, line, position, value);
        }
    }

    private static int clip3(int low, int high, int value) {
        return value < low ? low : value > high ? high : value;
    }

    /**
     * The same with the border's samples repeated around the picture, so that macroblocks begin 8 samples or less before a column
     * and a row.
     */
    public static SamplePicture applyFrom(
            SamplePicture picture, H264DeblockParameters parameters, int column, int row) {
        if (column == 0 && row == 0) {
            return apply(picture, parameters);
        }
        int left = column == 0 ? 0 : 8 - column;
        int top = row == 0 ? 0 : 8 - row;
        SamplePicture larger =
                new SamplePicture(picture.bitDepth, picture.chroma, picture.width + 8, picture.height + 8);
        copy(picture, larger, left, top);
        SamplePicture result = picture.copy();
        copy(apply(larger, parameters), result, -left, -top);
        return result;
    }

    private static void copy(SamplePicture from, SamplePicture to, int left, int top) {
        for (int component = 0; component < to.components(); component++) {
            // Rounded towards 0.
            int across = component == 0 || to.chroma == PixelFormat.Chroma.FULL ? left : left / 2;
            int down = component == 0 || to.chroma != PixelFormat.Chroma.HALF_BOTH ? top : top / 2;
            for (int y = 0; y < to.height(component); y++) {
                for (int x = 0; x < to.width(component); x++) {
                    int fromX = Math.max(0, Math.min(from.width(component) - 1, x - across));
                    int fromY = Math.max(0, Math.min(from.height(component) - 1, y - down));
                    to.set(component, x, y, from.get(component, fromX, fromY));
                }
            }
        }
    }
}
