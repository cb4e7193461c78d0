package org.gstqpu.kernels.cpu;

import org.gstqpu.kernels.H264DeblockParameters;
import org.gstqpu.kernels.H264EdgeMap;
import org.gstqpu.kernels.H264Tables;

/** Thresholds of each of the sixteen lines across an edge, for samples of one bit depth. Belongs to one kernel. */
final class EdgeLevels {
    final short[] alpha = new short[MacroblockTaps.LINES];
    final short[] beta = new short[MacroblockTaps.LINES];

    /** tC0 of edges between macroblocks; 0 where bS is 4, which has none. */
    final short[] macroblockTc0 = new short[MacroblockTaps.LINES];

    /** tC0 of edges inside macroblocks, or of the one edge that was read from a map. */
    final short[] innerTc0 = new short[MacroblockTaps.LINES];

    private boolean effective;

    /** Whether these can change a sample of any line. */
    boolean isEffective() {
        return effective;
    }

    /**
     * Takes those of all edges of a picture.
     *
     * @param scale what the tables' values are multiplied by
     * @param first component of the first lines: 0 luma, 1 Cb, 2 Cr
     * @param second component of the others
     */
    void set(H264DeblockParameters parameters, int scale, LineOrder order, int first, int second) {
        effective = false;
        for (int line = 0; line < MacroblockTaps.LINES; line++) {
            int component = order.isSecond(line) ? second : first;
            int indexA = parameters.indexA(component);
            alpha[line] = (short) (scale * H264Tables.alpha(indexA));
            beta[line] = (short) (scale * H264Tables.beta(parameters.indexB(component)));
            macroblockTc0[line] = (short) (scale * tc0(parameters.macroblockEdgeBs(), indexA));
            innerTc0[line] = (short) (scale * tc0(parameters.innerEdgeBs(), indexA));
            effective |= alpha[line] != 0 && beta[line] != 0;
        }
    }

    private static int tc0(int bS, int indexA) {
        return bS == 0 || bS == 4 ? 0 : H264Tables.tc0(bS, indexA);
    }

    /**
     * Reads those of one edge of a map, which is of 8 bit.
     *
     * @param words of the map
     * @param first where the edge of the first component lies there
     * @param second where that of the other does
     */
    void read(int[] words, int first, int second, LineOrder order) {
        effective = isEffective(words, first) || isEffective(words, second);
        if (!effective) {
            return;
        }
        for (int line = 0; line < MacroblockTaps.LINES; line++) {
            int at = order.isSecond(line) ? second : first;
            int levels = words[at];
            int tc0And1 = words[at + 1] >>> 8 * order.part(line) & 255;
            // No step is below an alpha of 0, so that such a line stays as it is.
            alpha[line] = (short) (tc0And1 == 0 ? 0 : levels & 255);
            beta[line] = (short) (levels >> 8 & 255);
            innerTc0[line] = (short) Math.max(0, tc0And1 - 1);
        }
    }

    private static boolean isEffective(int[] words, int at) {
        return (words[at] & 255) != 0 && words[at + 1] != 0;
    }
}
