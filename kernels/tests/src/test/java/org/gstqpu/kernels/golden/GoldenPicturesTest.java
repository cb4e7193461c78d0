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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class GoldenPicturesTest {
    @ParameterizedTest
    @MethodSource("org.gstqpu.kernels.TestSubstrates#all")
    void everyPictureEqualsTheReferences(TestSubstrates.Choice choice) throws Exception {
        verify(choice);
    }

    @EnabledIfEnvironmentVariable(named = "GST_QPU_TESTS", matches = "all", disabledReason = "it/check --all runs it")
    @ParameterizedTest
    @MethodSource("org.gstqpu.kernels.TestSubstrates#chasing")
    @Tag("thorough")
    void everyPictureEqualsTheReferencesWithRowsThatChase(TestSubstrates.Choice choice) throws Exception {
        verify(choice);
    }

    private static void verify(TestSubstrates.Choice choice) throws Exception {
        List<Path> files = TestVectors.endingIn(".gvp.gz");
        assertTrue(files.size() >= 39, () -> "test resources hold only " + files);
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
