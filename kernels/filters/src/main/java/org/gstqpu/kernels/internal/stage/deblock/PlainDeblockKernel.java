/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.stage.deblock;

import org.gstqpu.kernels.filter.EdgeDirection;
import org.gstqpu.kernels.filter.H264DeblockParameters;
import org.gstqpu.kernels.filter.H264EdgeMap;
import org.gstqpu.kernels.filter.H264Tables;
import org.gstqpu.kernels.picture.PixelFormat;

/** Deblocking in plain Java, one line across an edge at a time. Belongs to one worker. */
final class PlainDeblockKernel implements DeblockKernel {
    private static final int PART_LUMA = 4;
    private static final int PART_CHROMA = 2;

    private final int sampleBytes;

    /** Factor from the 8-bit values of the standard's tables to this bit depth. */
    private final int scale;

    private final H264EdgeFilter filter;
    private H264DeblockParameters parameters;

    /** Strengths of each edge. Null if {@link #parameters} hold for all macroblocks. */
    private H264EdgeMap map;

    private int mapAt;

    /** Makes a kernel for the samples of {@code format}. */
    PlainDeblockKernel(PixelFormat format) {
        this.sampleBytes = format.sampleBytes();
        this.scale = 1 << (format.bitDepth() - 8);
        this.filter =
                new H264EdgeFilter(SampleAccess.of(format.sampleBytes(), format.sampleShift()), format.bitDepth());
    }

    @Override
    public void configure(H264DeblockParameters parameters) {
        this.parameters = parameters;
        map = null;
    }

    @Override
    public void follow(H264EdgeMap map, int column, int row) {
        this.map = map;
        mapAt = map.at(column, row);
    }

    @Override
    public void luma(int component, long address, long strideBytes, int columns, int rows, boolean left, boolean top) {
        int step = map == null && parameters.transform8x8() ? 8 : 4;
        component(component, false, address, strideBytes, sampleBytes, step, columns, rows, left, top);
    }

    @Override
    public void chroma(
            long cb,
            long cbStrideBytes,
            long cr,
            long crStrideBytes,
            int pixelStep,
            int columns,
            int rows,
            boolean left,
            boolean top) {
        component(1, true, cb, cbStrideBytes, pixelStep * sampleBytes, 4, columns, rows, left, top);
        component(2, true, cr, crStrideBytes, pixelStep * sampleBytes, 4, columns, rows, left, top);
    }

    /**
     * Filters the edges of one component of a macroblock.
     *
     * @param chroma true if it is filtered as subsampled chroma is
     * @param stepBytes bytes from one sample of a row to the next
     * @param step samples from one edge to the next
     */
    private void component(
            int component,
            boolean chroma,
            long address,
            long strideBytes,
            int stepBytes,
            int step,
            int columns,
            int rows,
            boolean left,
            boolean top) {
        if (map == null && !changes(component)) {
            return;
        }
        // An edge is filtered only if enough samples of the picture lie on its far side. On its near side, they always
        // do.
        int reach = chroma ? 2 : 4;
        for (int x = left ? 0 : step; x + reach <= columns; x += step) {
            long at = address + (long) x * stepBytes;
            edge(component, chroma, EdgeDirection.VERTICAL, x / 4, at, stepBytes, strideBytes, rows);
        }
        for (int y = top ? 0 : step; y + reach <= rows; y += step) {
            long at = address + y * strideBytes;
            edge(component, chroma, EdgeDirection.HORIZONTAL, y / 4, at, strideBytes, stepBytes, columns);
        }
    }

    private boolean changes(int component) {
        return H264Tables.alpha(parameters.indexA(component)) != 0
                && H264Tables.beta(parameters.indexB(component)) != 0;
    }

    private void edge(
            int component,
            boolean chroma,
            EdgeDirection direction,
            int edge,
            long address,
            long across,
            long along,
            int lines) {
        if (map == null) {
            int indexA = parameters.indexA(component);
            int alpha = scale * H264Tables.alpha(indexA);
            int beta = scale * H264Tables.beta(parameters.indexB(component));
            int bS = edge == 0 ? parameters.macroblockEdgeBs() : parameters.innerEdgeBs();
            if (bS == 4) {
                filter.strong(chroma, address, across, along, lines, alpha, beta);
            } else if (bS > 0) {
                filter.normal(chroma, address, across, along, lines, alpha, beta, scale * H264Tables.tc0(bS, indexA));
            }
            return;
        }
        int at = mapAt + map.edgeAt(component, direction, edge);
        int levels = map.words()[at];
        int parts = map.words()[at + 1];
        int alpha = levels & 255;
        int beta = levels >> 8 & 255;
        if ((levels & H264EdgeMap.STRONG) != 0) {
            filter.strong(chroma, address, across, along, lines, alpha, beta);
            return;
        }
        int part = chroma ? PART_CHROMA : PART_LUMA;
        for (int line = 0; line < lines; line += part, parts >>>= 8) {
            if ((parts & 255) != 0) {
                int tc0 = (parts & 255) - 1;
                filter.normal(
                        chroma, address + line * along, across, along, Math.min(part, lines - line), alpha, beta, tc0);
            }
        }
    }
}
