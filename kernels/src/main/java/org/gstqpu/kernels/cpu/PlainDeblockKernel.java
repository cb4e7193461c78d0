package org.gstqpu.kernels.cpu;

import org.gstqpu.kernels.H264DeblockParameters;
import org.gstqpu.kernels.H264EdgeMap;
import org.gstqpu.kernels.H264Tables;
import org.gstqpu.kernels.block.EdgeDirection;

/** Deblocking in plain Java, a line across an edge at a time; belongs to one worker. */
final class PlainDeblockKernel implements DeblockKernel {
    private static final int PART_LUMA = 4;
    private static final int PART_CHROMA = 2;

    private H264DeblockParameters parameters;

    /** Null where {@link #parameters} hold. */
    private H264EdgeMap map;

    private int mapAt;

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
    public void luma(long address, long strideBytes, int columns, int rows, boolean left, boolean top) {
        if (map != null) {
            for (int x = left ? 0 : 4; x + 4 <= columns; x += 4) {
                mappedLuma(address + x, 1, strideBytes, rows, EdgeDirection.VERTICAL, x / 4);
            }
            for (int y = top ? 0 : 4; y + 4 <= rows; y += 4) {
                mappedLuma(address + y * strideBytes, strideBytes, 1, columns, EdgeDirection.HORIZONTAL, y / 4);
            }
            return;
        }
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

    private void mappedLuma(long address, long across, long along, int lines, EdgeDirection direction, int edge) {
        int at = mapAt + map.edgeAt(0, direction, edge);
        int levels = map.words()[at];
        int parts = map.words()[at + 1];
        int alpha = levels & 255;
        int beta = levels >> 8 & 255;
        if ((levels & H264EdgeMap.STRONG) != 0) {
            H264EdgeFilter.lumaStrong(address, across, along, lines, alpha, beta);
            return;
        }
        for (int line = 0; line < lines; line += PART_LUMA, parts >>>= 8) {
            if ((parts & 255) != 0) {
                int partLines = Math.min(PART_LUMA, lines - line);
                int tc0 = (parts & 255) - 1;
                H264EdgeFilter.lumaNormal(address + line * along, across, along, partLines, alpha, beta, tc0);
            }
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
        if (map != null) {
            mappedComponent(1, cb, cbStrideBytes, pixelStep, columns, rows, left, top);
            mappedComponent(2, cr, crStrideBytes, pixelStep, columns, rows, left, top);
            return;
        }
        component(cb, cbStrideBytes, pixelStep, columns, rows, left, top, parameters.cbIndexA(), parameters.cbIndexB());
        component(cr, crStrideBytes, pixelStep, columns, rows, left, top, parameters.crIndexA(), parameters.crIndexB());
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
            H264EdgeFilter.chromaStrong(address, across, along, lines, alpha, beta);
            return;
        }
        for (int line = 0; line < lines; line += PART_CHROMA, parts >>>= 8) {
            if ((parts & 255) != 0) {
                int partLines = Math.min(PART_CHROMA, lines - line);
                int tc0 = (parts & 255) - 1;
                H264EdgeFilter.chromaNormal(address + line * along, across, along, partLines, alpha, beta, tc0);
            }
        }
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
