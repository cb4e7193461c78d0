package org.gstqpu.kernels.cpu;

import org.gstqpu.kernels.H264DeblockParameters;
import org.gstqpu.kernels.H264Tables;

/** Deblocking in plain Java, a line across an edge at a time; belongs to one worker. */
final class PlainDeblockKernel implements DeblockKernel {
    private H264DeblockParameters parameters;

    @Override
    public void configure(H264DeblockParameters parameters) {
        this.parameters = parameters;
    }

    @Override
    public void luma(long address, long strideBytes, int columns, int rows, boolean left, boolean top) {
        int alpha = H264Tables.alpha(parameters.lumaIndexA());
        int beta = H264Tables.beta(parameters.lumaIndexB());
        if (alpha == 0 || beta == 0) {
            return;
        }
        int step = parameters.transform8x8() ? 8 : 4;
        // An edge needs four samples of the picture on its far side; on its near side they are always there.
        for (int x = left ? 0 : step; x + 4 <= columns; x += step) {
            lumaEdge(address + x, 1, strideBytes, rows, bS(x), alpha, beta);
        }
        for (int y = top ? 0 : step; y + 4 <= rows; y += step) {
            lumaEdge(address + y * strideBytes, strideBytes, 1, columns, bS(y), alpha, beta);
        }
    }

    private void lumaEdge(long address, long across, long along, int lines, int bS, int alpha, int beta) {
        if (bS == 4) {
            H264EdgeFilter.lumaStrong(address, across, along, lines, alpha, beta);
        } else if (bS > 0) {
            int tc0 = H264Tables.tc0(bS, parameters.lumaIndexA());
            H264EdgeFilter.lumaNormal(address, across, along, lines, alpha, beta, tc0);
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
        component(cb, cbStrideBytes, pixelStep, columns, rows, left, top, parameters.cbIndexA(), parameters.cbIndexB());
        component(cr, crStrideBytes, pixelStep, columns, rows, left, top, parameters.crIndexA(), parameters.crIndexB());
    }

    private void component(
            long address,
            long strideBytes,
            int step,
            int columns,
            int rows,
            boolean left,
            boolean top,
            int indexA,
            int indexB) {
        int alpha = H264Tables.alpha(indexA);
        int beta = H264Tables.beta(indexB);
        if (alpha == 0 || beta == 0) {
            return;
        }
        for (int x = left ? 0 : 4; x + 2 <= columns; x += 4) {
            chromaEdge(address + (long) x * step, step, strideBytes, rows, bS(x), alpha, beta, indexA);
        }
        for (int y = top ? 0 : 4; y + 2 <= rows; y += 4) {
            chromaEdge(address + y * strideBytes, strideBytes, step, columns, bS(y), alpha, beta, indexA);
        }
    }

    private static void chromaEdge(
            long address, long across, long along, int lines, int bS, int alpha, int beta, int indexA) {
        if (bS == 4) {
            H264EdgeFilter.chromaStrong(address, across, along, lines, alpha, beta);
        } else if (bS > 0) {
            H264EdgeFilter.chromaNormal(address, across, along, lines, alpha, beta, H264Tables.tc0(bS, indexA));
        }
    }

    private int bS(int edge) {
        return edge == 0 ? parameters.macroblockEdgeBs() : parameters.innerEdgeBs();
    }
}
