/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.golden;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import org.gstqpu.kernels.TestSubstrates;
import org.gstqpu.kernels.TestVectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Pictures of several slices, of QPs that vary and of B slices, which a decoder's hook has recorded with its maps of macroblocks. */
class DecodedPicturesTest {
    @ParameterizedTest
    @MethodSource("org.gstqpu.kernels.TestSubstrates#all")
    void edgesAndMapsGiveTheDecodersPicture(TestSubstrates.Choice choice) throws Exception {
        List<Path> files = TestVectors.operationPictures().stream()
                .filter(file -> file.getFileName().toString().startsWith("h264s_"))
                .toList();
        assertEquals(5, files.size(), files::toString);
        try (DecodedPictureFilter filter = new DecodedPictureFilter(choice.open())) {
            for (Path file : files) {
                GoldenPicture picture = (GoldenPicture) GoldenFile.read(file);
                assertEquals(0, filter.differsByEdges(picture), file + ", by edges");
                assertEquals(0, filter.differsByMaps(picture), file + ", by maps");
            }
        }
    }
}
