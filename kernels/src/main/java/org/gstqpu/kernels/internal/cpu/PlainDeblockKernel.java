/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.cpu;

import org.gstqpu.kernels.block.EdgeDirection;
import org.gstqpu.kernels.block.H264Tables;
import org.gstqpu.kernels.filter.H264DeblockParameters;
import org.gstqpu.kernels.filter.H264EdgeMap;
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
        if (map != null) {
            for (int x = left ? 0 : 4; x + 4 <= columns; x += 4) {
                mappedLuma(address + x, 1, strideBytes, rows, EdgeDirection.VERTICAL, x / 4);
            }
            for (int y = top ? 0 : 4; y + 4 <= rows; y += 4) {
                mappedLuma(address + y * strideBytes, strideBytes, 1, columns, EdgeDirection.HORIZONTAL, y / 4);
            }
            return;
        }
        int indexA = parameters.indexA(component);
        int alpha = scale * H264Tables.alpha(indexA);
        int beta = scale * H264Tables.beta(parameters.indexB(component));
        if (alpha == 0 || beta == 0) {
            return;
        }
        int step = parameters.transform8x8() ? 8 : 4;
        // An edge is filtered only if four samples of the picture lie on its far side. On its near side, four always
        // do.
        for (int x = left ? 0 : step; x + 4 <= columns; x += step) {
            lumaEdge(address + (long) x * sampleBytes, sampleBytes, strideBytes, rows, bS(x), alpha, beta, indexA);
        }
        for (int y = top ? 0 : step; y + 4 <= rows; y += step) {
            lumaEdge(address + y * strideBytes, strideBytes, sampleBytes, columns, bS(y), alpha, beta, indexA);
        }
    }

    private void mappedLuma(long address, long across, long along, int lines, EdgeDirection direction, int edge) {
        int at = mapAt + map.edgeAt(0, direction, edge);
        int levels = map.words()[at];
        int parts = map.words()[at + 1];
        int alpha = levels & 255;
        int beta = levels >> 8 & 255;
        if ((levels & H264EdgeMap.STRONG) != 0) {
            filter.lumaStrong(address, across, along, lines, alpha, beta);
            return;
        }
        for (int line = 0; line < lines; line += PART_LUMA, parts >>>= 8) {
            if ((parts & 255) != 0) {
                int partLines = Math.min(PART_LUMA, lines - line);
                int tc0 = (parts & 255) - 1;
                filter.lumaNormal(address + line * along, across, along, partLines, alpha, beta, tc0);
            }
        }
    }

    private void lumaEdge(long address, long across, long along, int lines, int bS, int alpha, int beta, int indexA) {
        if (bS == 4) {
            filter.lumaStrong(address, across, along, lines, alpha, beta);
        } else if (bS > 0) {
            filter.lumaNormal(address, across, along, lines, alpha, beta, scale * H264Tables.tc0(bS, indexA));
        }
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
        if (map != null) {
            mappedComponent(1, cb, cbStrideBytes, pixelStep, columns, rows, left, top);
            mappedComponent(2, cr, crStrideBytes, pixelStep, columns, rows, left, top);
            return;
        }
        component(1, cb, cbStrideBytes, pixelStep * sampleBytes, columns, rows, left, top);
        component(2, cr, crStrideBytes, pixelStep * sampleBytes, columns, rows, left, top);
    }

    private void mappedComponent(
            int component, long address, long strideBytes, int step, int columns, int rows, boolean left, boolean top) {
        for (int x = left ? 0 : 4; x + 2 <= columns; x += 4) {
            long at = address + (long) x * step;
            mappedChroma(component, at, step, strideBytes, rows, EdgeDirection.VERTICAL, x / 4);
        }
        for (int y = top ? 0 : 4; y + 2 <= rows; y += 4) {
            long at = address + y * strideBytes;
            mappedChroma(component, at, strideBytes, step, columns, EdgeDirection.HORIZONTAL, y / 4);
        }
    }

    private void mappedChroma(
            int component, long address, long across, long along, int lines, EdgeDirection direction, int edge) {
        int at = mapAt + map.edgeAt(component, direction, edge);
        int levels = map.words()[at];
        int parts = map.words()[at + 1];
        int alpha = levels & 255;
        int beta = levels >> 8 & 255;
        if ((levels & H264EdgeMap.STRONG) != 0) {
            filter.chromaStrong(address, across, along, lines, alpha, beta);
            return;
        }
        for (int line = 0; line < lines; line += PART_CHROMA, parts >>>= 8) {
            if ((parts & 255) != 0) {
                int partLines = Math.min(PART_CHROMA, lines - line);
                int tc0 = (parts & 255) - 1;
                filter.chromaNormal(address + line * along, across, along, partLines, alpha, beta, tc0);
            }
        }
    }

    private void component(
            int component,
            long address,
            long strideBytes,
            int stepBytes,
            int columns,
            int rows,
            boolean left,
            boolean top) {
        int indexA = parameters.indexA(component);
        int alpha = scale * H264Tables.alpha(indexA);
        int beta = scale * H264Tables.beta(parameters.indexB(component));
        if (alpha == 0 || beta == 0) {
            return;
        }
        for (int x = left ? 0 : 4; x + 2 <= columns; x += 4) {
            chromaEdge(address + (long) x * stepBytes, stepBytes, strideBytes, rows, bS(x), alpha, beta, indexA);
        }
        for (int y = top ? 0 : 4; y + 2 <= rows; y += 4) {
            chromaEdge(address + y * strideBytes, strideBytes, stepBytes, columns, bS(y), alpha, beta, indexA);
        }
    }

    private void chromaEdge(long address, long across, long along, int lines, int bS, int alpha, int beta, int indexA) {
        if (bS == 4) {
            filter.chromaStrong(address, across, along, lines, alpha, beta);
        } else if (bS > 0) {
            filter.chromaNormal(address, across, along, lines, alpha, beta, scale * H264Tables.tc0(bS, indexA));
        }
    }

    private int bS(int edge) {
        return edge == 0 ? parameters.macroblockEdgeBs() : parameters.innerEdgeBs();
    }
}
