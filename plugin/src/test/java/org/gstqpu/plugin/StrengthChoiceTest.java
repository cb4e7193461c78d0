/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.plugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import org.gstqpu.kernels.filter.CdefParameters;
import org.gstqpu.kernels.filter.CdefStrength;
import org.gstqpu.kernels.filter.FilterParameters;
import org.gstqpu.kernels.filter.H264DeblockParameters;
import org.gstqpu.kernels.filter.StrengthLadder;
import org.gstqpu.kernels.filter.StrengthTier;
import org.gstqpu.plugin.FakeHost.Values;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class StrengthChoiceTest {
    private final Values values = new Values();

    @AfterEach
    void close() {
        values.close();
    }

    /** The CDEF strength of a tier that runs both filters. */
    private static final int TIER = 11;

    private FilterParameters chosen() {
        FilterParameters chosen = ladder().tiers().get(TIER);
        if (!automatic()) {
            assertEquals(chosen, StrengthChoice.fixed(FilterSettings.read(values.view())));
        }
        return chosen;
    }

    private StrengthLadder ladder() {
        return StrengthChoice.ladder(FilterSettings.read(values.view()));
    }

    private boolean automatic() {
        return StrengthChoice.isAutomatic(FilterSettings.read(values.view()));
    }

    @Test
    void defaultsAreTheTiers() {
        assertTrue(automatic());
        assertEquals(new StrengthTier(26, 33, 4, 2, 5), StrengthTier.ALL.get(TIER));
        assertEquals(
                new FilterParameters(
                        Optional.of(new H264DeblockParameters(26, 33, 26, 32, 26, 32, 3, 3, true)),
                        Optional.of(CdefParameters.uniform(5, new CdefStrength(4, 2, 2, 1)))),
                chosen());
        FilterParameters none = ladder().tiers().get(0);
        assertEquals(0, none.deblock().orElseThrow().macroblockEdgeBs());
        assertEquals(0, none.deblock().orElseThrow().innerEdgeBs());
        assertEquals(Optional.of(CdefParameters.uniform(4, new CdefStrength(0, 0, 0, 0))), none.cdef());
    }

    @Test
    void offsetsMoveTheTiersDoubled() {
        values.set(ElementProperty.ALPHA_OFFSET, -3)
                .set(ElementProperty.BETA_OFFSET, 6)
                .set(ElementProperty.CHROMA_QP_OFFSET, 12);
        // QPc of 26 + 12 is 35, of 33 + 12 it is 38 (table 8-15).
        assertEquals(Optional.of(new H264DeblockParameters(20, 45, 29, 50, 29, 50, 3, 3, true)), chosen().deblock());
    }

    @Test
    void offsetsOfTheTiersAreClippedToTheTables() {
        values.set(ElementProperty.CHROMA_QP_OFFSET, -12)
                .set(ElementProperty.ALPHA_OFFSET, -6)
                .set(ElementProperty.BETA_OFFSET, -6);
        assertEquals(Optional.of(new H264DeblockParameters(14, 21, 2, 9, 2, 9, 3, 3, true)), chosen().deblock());
    }

    @Test
    void nothingIsAutomaticWhereAllThatRunsIsSet() {
        values.set(ElementProperty.QP, 30);
        assertTrue(automatic());
        values.set(ElementProperty.CDEF, 0);
        assertFalse(automatic());
        values.set(ElementProperty.CDEF, 1)
                .set(ElementProperty.CDEF_DAMPING, 3)
                .set(ElementProperty.CDEF_Y_PRIMARY, 0)
                .set(ElementProperty.CDEF_Y_SECONDARY, 0)
                .set(ElementProperty.CDEF_UV_PRIMARY, 0);
        assertTrue(automatic());
        values.set(ElementProperty.CDEF_UV_SECONDARY, 0);
        assertFalse(automatic());
        values.set(ElementProperty.QP, -1);
        assertTrue(automatic());
    }

    @ParameterizedTest
    @CsvSource({"0,-1,true", "1,-1,false", "2,-1,true", "0,30,false", "1,30,false", "2,30,true"})
    void gridIsEightForAutomaticAndFourForExactUnlessSet(int grid, int qp, boolean transform8x8) {
        values.set(ElementProperty.GRID, grid).set(ElementProperty.QP, qp);
        assertEquals(transform8x8, chosen().deblock().orElseThrow().transform8x8());
    }

    @Test
    void aQpAsksForTheStandardsIntraFilter() {
        values.set(ElementProperty.QP, 37)
                .set(ElementProperty.ALPHA_OFFSET, -2)
                .set(ElementProperty.BETA_OFFSET, 3)
                .set(ElementProperty.CHROMA_QP_OFFSET, -5);
        assertEquals(Optional.of(H264DeblockParameters.intra(37, -4, 6, -5, -5, false)), chosen().deblock());
        assertEquals(4, chosen().deblock().orElseThrow().macroblockEdgeBs());
    }

    @Test
    void aQpOfZeroIsExactToo() {
        values.set(ElementProperty.QP, 0);
        assertEquals(Optional.of(H264DeblockParameters.intra(0, 0, 0, 0, 0, false)), chosen().deblock());
    }

    @Test
    void eachCdefValueThatIsSetIsExactAndTheOthersAreTheTiers() {
        values.set(ElementProperty.CDEF_DAMPING, 6).set(ElementProperty.CDEF_UV_PRIMARY, 0);
        assertEquals(Optional.of(CdefParameters.uniform(6, new CdefStrength(4, 2, 0, 1))), chosen().cdef());
        values.set(ElementProperty.CDEF_DAMPING, 3)
                .set(ElementProperty.CDEF_Y_PRIMARY, 15)
                .set(ElementProperty.CDEF_Y_SECONDARY, 4)
                .set(ElementProperty.CDEF_UV_PRIMARY, 7)
                .set(ElementProperty.CDEF_UV_SECONDARY, 0);
        assertEquals(Optional.of(CdefParameters.uniform(3, new CdefStrength(15, 4, 7, 0))), chosen().cdef());
    }

    @Test
    void switchesTakeFiltersOut() {
        values.set(ElementProperty.DEBLOCK, 0);
        assertEquals(Optional.empty(), chosen().deblock());
        values.set(ElementProperty.CDEF, 0);
        assertEquals(new FilterParameters(Optional.empty(), Optional.empty()), chosen());
    }
}
