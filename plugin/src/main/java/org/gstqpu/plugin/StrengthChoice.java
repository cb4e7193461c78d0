package org.gstqpu.plugin;

import java.util.Optional;
import org.gstqpu.kernels.CdefParameters;
import org.gstqpu.kernels.CdefStrength;
import org.gstqpu.kernels.FilterParameters;
import org.gstqpu.kernels.H264DeblockParameters;
import org.gstqpu.kernels.H264Tables;
import org.gstqpu.kernels.PixelFormat;

/**
 * How strongly pictures are filtered: exactly as the standards say where a property names a strength, else by constants
 * that are light enough for a clean picture. Holds nothing; any thread.
 */
final class StrengthChoice {
    /**
     * The light constants. Over a range of footage and codecs they improved every decoded picture and left clean ones
     * above 49 dB: weaker alpha than beta, and bS 3 even at macroblock edges, where bS 4 would smooth too much.
     */
    private static final int LIGHT_INDEX_A = 26;

    private static final int LIGHT_INDEX_B = 33;
    private static final int LIGHT_BS = 3;
    private static final int LIGHT_PRIMARY = 1;
    private static final int LIGHT_SECONDARY = 1;
    private static final int LIGHT_DAMPING = 4;

    /** A CDEF that changes no sample: it takes pictures from one layout to another. */
    static final FilterParameters UNCHANGED = new FilterParameters(
            Optional.empty(), Optional.of(CdefParameters.uniform(LIGHT_DAMPING, new CdefStrength(0, 0, 0, 0))));

    private StrengthChoice() {}

    /** Whether the H.264 filter, which is for 8-bit samples, runs on this format. */
    static boolean deblocks(FilterSettings settings, PixelFormat format) {
        return settings.deblock() && format.bitDepth() == 8;
    }

    /** What these settings mean for pictures of this format. The settings hold no invalid values. */
    static FilterParameters parameters(FilterSettings settings, PixelFormat format) {
        return new FilterParameters(
                deblocks(settings, format) ? Optional.of(deblock(settings)) : Optional.empty(),
                settings.cdef() ? Optional.of(cdef(settings)) : Optional.empty());
    }

    private static H264DeblockParameters deblock(FilterSettings settings) {
        int filterOffsetA = 2 * settings.alphaOffset();
        int filterOffsetB = 2 * settings.betaOffset();
        int chromaQpOffset = settings.chromaQpOffset();
        if (settings.qp() >= 0) {
            return H264DeblockParameters.intra(
                    settings.qp(),
                    filterOffsetA,
                    filterOffsetB,
                    chromaQpOffset,
                    chromaQpOffset,
                    settings.grid() == FilterSettings.Grid.EVERY_8);
        }
        // Chroma follows luma as in the standard, as though the two constants were QPs.
        int chromaIndexA = clipIndex(H264Tables.chromaQp(LIGHT_INDEX_A + chromaQpOffset) + filterOffsetA);
        int chromaIndexB = clipIndex(H264Tables.chromaQp(LIGHT_INDEX_B + chromaQpOffset) + filterOffsetB);
        return new H264DeblockParameters(
                clipIndex(LIGHT_INDEX_A + filterOffsetA),
                clipIndex(LIGHT_INDEX_B + filterOffsetB),
                chromaIndexA,
                chromaIndexB,
                chromaIndexA,
                chromaIndexB,
                LIGHT_BS,
                LIGHT_BS,
                settings.grid() != FilterSettings.Grid.EVERY_4);
    }

    private static CdefParameters cdef(FilterSettings settings) {
        return CdefParameters.uniform(
                chosen(settings.cdefDamping(), LIGHT_DAMPING),
                new CdefStrength(
                        chosen(settings.cdefYPrimary(), LIGHT_PRIMARY),
                        chosen(settings.cdefYSecondary(), LIGHT_SECONDARY),
                        chosen(settings.cdefUvPrimary(), LIGHT_PRIMARY),
                        chosen(settings.cdefUvSecondary(), LIGHT_SECONDARY)));
    }

    private static int chosen(int value, int light) {
        return value < 0 ? light : value;
    }

    private static int clipIndex(int index) {
        return Math.max(0, Math.min(51, index));
    }
}
