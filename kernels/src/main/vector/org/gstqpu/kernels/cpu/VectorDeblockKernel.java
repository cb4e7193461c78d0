package org.gstqpu.kernels.cpu;

import org.gstqpu.kernels.H264DeblockParameters;
import org.gstqpu.kernels.H264EdgeMap;
import org.gstqpu.kernels.PixelFormat;
import org.gstqpu.kernels.block.EdgeDirection;

/**
 * Deblocking in vectors, all sixteen lines across an edge at once: those of luma, or eight each of both chroma components.
 * Macroblocks that the picture's border cuts are left to the plain kernel.
 */
final class VectorDeblockKernel implements DeblockKernel {
    private static final int LINES = MacroblockTaps.LINES;

    private final DeblockKernel plain;
    private final MacroblockTaps samples;
    private final short[] taps;
    private final short peak;

    /** What the tables' values are multiplied by. */
    private final int scale;

    private int innerBs;
    private int macroblockBs;
    private int lumaStep;

    /** Of luma, Cb and Cr, where these are filtered as luma is. */
    private final EdgeLevels[] luma = {new EdgeLevels(), new EdgeLevels(), new EdgeLevels()};

    private final ChromaLevels planar;
    private final ChromaLevels cbFirst;
    private final ChromaLevels crFirst;

    /** Null where all edges have the same strengths. */
    private H264EdgeMap map;

    private int mapAt;

    /** Of the edge at hand of {@link #map}. */
    private final EdgeLevels mapped = new EdgeLevels();

    /** A kernel for the samples of {@code format}. */
    VectorDeblockKernel(PixelFormat format) {
        plain = new PlainDeblockKernel(format);
        samples = format.sampleBytes() == 1 ? new ByteTaps() : new ShortTaps(format.sampleShift());
        taps = samples.taps;
        peak = (short) format.peak();
        scale = 1 << (format.bitDepth() - 8);
        planar = new ChromaLevels(samples.chromaAcross, samples.planarDown);
        cbFirst = new ChromaLevels(samples.chromaAcross, samples.interleavedDown);
        crFirst = new ChromaLevels(samples.chromaAcross, samples.interleavedDown);
    }

    @Override
    public void follow(H264EdgeMap map, int column, int row) {
        plain.follow(map, column, row);
        this.map = map;
        mapAt = map.at(column, row);
    }

    @Override
    public void configure(H264DeblockParameters parameters) {
        plain.configure(parameters);
        map = null;
        macroblockBs = parameters.macroblockEdgeBs();
        innerBs = parameters.innerEdgeBs();
        lumaStep = parameters.transform8x8() ? 8 : 4;
        for (int component = 0; component < luma.length; component++) {
            luma[component].set(parameters, scale, samples.lumaAcross, component, component);
        }
        planar.set(parameters, scale, 1, 2);
        cbFirst.set(parameters, scale, 1, 2);
        crFirst.set(parameters, scale, 2, 1);
    }

    @Override
    public void luma(int component, long address, long strideBytes, int columns, int rows, boolean left, boolean top) {
        EdgeLevels levels = luma[component];
        if (columns < 16 || rows < 16) {
            plain.luma(component, address, strideBytes, columns, rows, left, top);
            return;
        }
        if (map == null && !levels.isEffective()) {
            return;
        }
        int step = map == null ? lumaStep : 4;
        samples.readLuma(address, strideBytes, left);
        for (int x = left ? 0 : step; x < 16; x += step) {
            lumaEdge(EdgeDirection.VERTICAL, x, levels);
        }
        samples.turnLuma(address, strideBytes, left, top);
        for (int y = top ? 0 : step; y < 16; y += step) {
            lumaEdge(EdgeDirection.HORIZONTAL, y, levels);
        }
        samples.writeLuma(address, strideBytes, top);
    }

    private void lumaEdge(EdgeDirection direction, int edge, EdgeLevels levels) {
        int q0 = (MacroblockTaps.LUMA_BEFORE + edge) * LINES;
        if (map != null) {
            int at = mapAt + map.edgeAt(0, direction, edge / 4);
            mapped.read(
                    map.words(),
                    at,
                    at,
                    direction == EdgeDirection.VERTICAL ? samples.lumaAcross : samples.lumaDown);
            if (!mapped.isEffective()) {
                return;
            }
            if ((map.words()[at] & H264EdgeMap.STRONG) != 0) {
                EdgeVectors.lumaStrong(taps, q0, mapped.alpha, mapped.beta);
            } else {
                EdgeVectors.lumaNormal(taps, q0, mapped.alpha, mapped.beta, mapped.innerTc0, peak);
            }
            return;
        }
        int bS = edge == 0 ? macroblockBs : innerBs;
        if (bS == 4) {
            EdgeVectors.lumaStrong(taps, q0, levels.alpha, levels.beta);
        } else if (bS > 0) {
            short[] tc0 = edge == 0 ? levels.macroblockTc0 : levels.innerTc0;
            EdgeVectors.lumaNormal(taps, q0, levels.alpha, levels.beta, tc0, peak);
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
        if (columns < 8 || rows % 8 != 0) {
            plain.chroma(cb, cbStrideBytes, cr, crStrideBytes, pixelStep, columns, rows, left, top);
        } else if (map != null || planar.across.isEffective()) {
            // No row that the horizontal edges of one half read is changed by those of the other, but for the edge between them.
            for (int row = 0; row < rows; row += 8) {
                long cbHalf = cb + row * cbStrideBytes;
                long crHalf = cr + row * crStrideBytes;
                if (pixelStep == 1) {
                    planar(cbHalf, cbStrideBytes, crHalf, crStrideBytes, left, row > 0 || top, row > 0);
                } else {
                    interleaved(Math.min(cbHalf, crHalf), cbStrideBytes, cb < cr, left, row > 0 || top, row > 0);
                }
            }
        }
    }

    /** Filters eight rows; {@code inside} says that the edge above them lies inside the macroblock. */
    private void planar(
            long cb, long cbStrideBytes, long cr, long crStrideBytes, boolean left, boolean top, boolean inside) {
        samples.readPlanar(cb, cbStrideBytes, cr, crStrideBytes, left);
        acrossChroma(samples.planarLeft, planar, true, left);
        samples.turnPlanar(cb, cbStrideBytes, cr, crStrideBytes, left, top);
        downChroma(planar, true, top, inside);
        samples.writePlanar(cb, cbStrideBytes, cr, crStrideBytes, top);
    }

    /** The same where the components alternate. */
    private void interleaved(
            long address, long strideBytes, boolean isCbFirst, boolean left, boolean top, boolean inside) {
        ChromaLevels levels = isCbFirst ? cbFirst : crFirst;
        samples.readInterleaved(address, strideBytes, left);
        acrossChroma(MacroblockTaps.PIXELS_LEFT, levels, isCbFirst, left);
        samples.turnInterleaved(address, strideBytes, left, top);
        downChroma(levels, isCbFirst, top, inside);
        samples.writeInterleaved(address, strideBytes, top);
    }

    /** The vertical edges; {@code before} columns lie left of the macroblock, {@code isCbFirst} says whose lines come first. */
    private void acrossChroma(int before, ChromaLevels levels, boolean isCbFirst, boolean left) {
        if (left) {
            chromaEdge(before * LINES, EdgeDirection.VERTICAL, levels.across, levels.acrossOrder, isCbFirst, true);
        }
        chromaEdge((before + 4) * LINES, EdgeDirection.VERTICAL, levels.across, levels.acrossOrder, isCbFirst, false);
    }

    private void downChroma(ChromaLevels levels, boolean isCbFirst, boolean top, boolean inside) {
        int q0 = MacroblockTaps.CHROMA_ABOVE * LINES;
        if (top) {
            chromaEdge(q0, EdgeDirection.HORIZONTAL, levels.down, levels.downOrder, isCbFirst, !inside);
        }
        chromaEdge(q0 + 4 * LINES, EdgeDirection.HORIZONTAL, levels.down, levels.downOrder, isCbFirst, false);
    }

    private void chromaEdge(
            int q0,
            EdgeDirection direction,
            EdgeLevels levels,
            LineOrder order,
            boolean isCbFirst,
            boolean macroblockEdge) {
        if (map != null) {
            mappedChroma(q0, direction, order, isCbFirst, macroblockEdge);
            return;
        }
        int bS = macroblockEdge ? macroblockBs : innerBs;
        if (bS == 4) {
            EdgeVectors.chromaStrong(taps, q0, levels.alpha, levels.beta);
        } else if (bS > 0) {
            short[] tc0 = macroblockEdge ? levels.macroblockTc0 : levels.innerTc0;
            EdgeVectors.chromaNormal(taps, q0, levels.alpha, levels.beta, tc0, peak);
        }
    }

    private void mappedChroma(
            int q0, EdgeDirection direction, LineOrder order, boolean isCbFirst, boolean macroblockEdge) {
        int edge = macroblockEdge ? 0 : 1;
        int first = mapAt + map.edgeAt(isCbFirst ? 1 : 2, direction, edge);
        int second = mapAt + map.edgeAt(isCbFirst ? 2 : 1, direction, edge);
        mapped.read(map.words(), first, second, order);
        if (!mapped.isEffective()) {
            return;
        }
        if ((map.words()[first] & H264EdgeMap.STRONG) != 0) {
            EdgeVectors.chromaStrong(taps, q0, mapped.alpha, mapped.beta);
        } else {
            EdgeVectors.chromaNormal(taps, q0, mapped.alpha, mapped.beta, mapped.innerTc0, peak);
        }
    }

    /** Thresholds of both chroma components, by the orders in which lines of them come. */
    private static final class ChromaLevels {
        final LineOrder acrossOrder;
        final LineOrder downOrder;
        final EdgeLevels across = new EdgeLevels();
        final EdgeLevels down = new EdgeLevels();

        ChromaLevels(LineOrder acrossOrder, LineOrder downOrder) {
            this.acrossOrder = acrossOrder;
            this.downOrder = downOrder;
        }

        void set(H264DeblockParameters parameters, int scale, int first, int second) {
            across.set(parameters, scale, acrossOrder, first, second);
            down.set(parameters, scale, downOrder, first, second);
        }
    }
}
