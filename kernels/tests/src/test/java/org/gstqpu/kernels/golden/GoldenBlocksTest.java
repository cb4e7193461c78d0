/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.golden;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.gstqpu.kernels.TestSubstrates;
import org.gstqpu.kernels.TestVectors;
import org.gstqpu.kernels.block.BlockContext;
import org.gstqpu.kernels.filter.FilterContext;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class GoldenBlocksTest {
    @ParameterizedTest
    @MethodSource("org.gstqpu.kernels.TestSubstrates#forBlocks")
    void everyRecordEqualsTheReferences(TestSubstrates.Choice choice) throws Exception {
        List<Path> files = TestVectors.endingIn(".gv.gz");
        assertEquals(14, files.size(), files::toString);
        verify(choice, files);
    }

    @ParameterizedTest
    @MethodSource("org.gstqpu.kernels.TestSubstrates#forBlocks")
    void edgesInParallelEqualTheDecodersOrder(TestSubstrates.Choice choice) throws Exception {
        List<Path> files = TestVectors.operationPictures();
        assertEquals(9, files.size(), files::toString);
        verify(choice, files);
    }

    private static void verify(TestSubstrates.Choice choice, List<Path> files) throws Exception {
        try (FilterContext context = choice.open();
                BlockContext blocks = choice.openBlocks()) {
            GoldenVerifier verifier = new GoldenVerifier(context, blocks);
            for (Path file : files) {
                GoldenResult result = verifier.verify(GoldenFile.read(file));
                assertTrue(result.samples() > 0, file::toString);
                assertEquals(0, result.mismatches(), () -> file + ": " + result);
            }
        }
    }
}
